import { type Translate, translatorFor } from '../../i18n/translator.ts';
import { drawBars } from './chart-bars.ts';
import { type ChartData, chartData, type Series } from './chart-data.ts';
import { CHART_SIZE, DARK, FONT_SIZE, LIGHT, type Theme } from './chart-style.ts';
import { chartText } from './chart-text.ts';
import type { Report } from './summary.ts';
import { SvgDrawing } from './svg-drawing.ts';
import { textWidth } from './text-outlines.ts';

/** A chart to draw, as a message between threads. */
export type Drawing = { report: Omit<Report, 'receipts'>; language: Translate['language']; dark: boolean };

/** Lengths in pixels. Texts are placed by their middle. */
const MARGIN = 28;
const TITLE_Y = 42;
const FACTS_Y = 88;
const LINE_HEIGHT = 38;
const LEGEND_LINE_HEIGHT = 54;
const LEGEND_GAP = 26;
const MARK = { width: 28, height: 22, radius: 4, gap: 6 };

/** The bars are between these; the axis of calls is left of them, that of days below, and a cap's label at their right. */
const BARS = { left: 130, right: 40, rightOfCap: 172, bottom: 112 };

const SEPARATOR = ' · ';
const TEXT = { size: FONT_SIZE.text };

/** Draws a chart as SVG. All its text is outlines, so that it looks the same on every machine. */
export function drawSvg({ report, language, dark }: Drawing): string {
	const t = translatorFor(language);
	const whole: Report = { ...report, receipts: [] };
	const theme = dark ? DARK : LIGHT;
	const data = chartData(t, whole, chartText(t, whole), theme);
	const { width, height } = CHART_SIZE;
	const svg = new SvgDrawing(CHART_SIZE, theme.page);
	svg.text(data.title, { x: MARGIN + 5, y: TITLE_Y, size: FONT_SIZE.title, bold: true }, theme.ink);
	const legendY = drawFacts(svg, data, theme);
	const top = drawLegend(svg, data, legendY, theme);
	const right = width - (data.cap ? BARS.rightOfCap : BARS.right);
	drawBars(svg, data, { left: BARS.left, right, top, bottom: height - BARS.bottom }, theme);
	if (data.note !== undefined)
		svg.text(data.note, { x: width / 2, y: height / 2, anchor: 'middle', size: FONT_SIZE.title }, theme.faint);
	return svg.toString();
}

/** Returns the y of what follows. */
function drawFacts(svg: SvgDrawing, { facts }: ChartData, { faint }: Theme): number {
	const widthOf = (text: string) => textWidth(text, TEXT);
	const lines = facts.flatMap((group) => breakLines(group, widthOf, widthOf(SEPARATOR)));
	for (const [index, line] of lines.entries())
		svg.text(line.join(SEPARATOR), { x: MARGIN + 5, y: FACTS_Y + index * LINE_HEIGHT, ...TEXT }, faint);
	return FACTS_Y + lines.length * LINE_HEIGHT + 16;
}

/** Returns the y of the highest number of the axis. */
function drawLegend(svg: SvgDrawing, { series }: ChartData, y: number, theme: Theme): number {
	const widthOf = ({ name }: Series) => MARK.width + MARK.gap + textWidth(name, TEXT);
	const lines = breakLines(series, widthOf, LEGEND_GAP);
	for (const [index, line] of lines.entries()) {
		const middle = y + index * LEGEND_LINE_HEIGHT;
		let x = MARGIN;
		for (const one of line) {
			const { width, height, radius, gap } = MARK;
			const border = one.isForecast ? { colour: theme.faint, width: 2 } : { colour: theme.page, width: 2 };
			svg.rectangle({ x, y: middle - height / 2, width, height }, { fill: one.colour, border, radius });
			svg.text(one.name, { x: x + width + gap, y: middle, ...TEXT }, theme.ink);
			x += widthOf(one) + LEGEND_GAP;
		}
	}
	return y + lines.length * LEGEND_LINE_HEIGHT;
}

/** Breaks items, with a gap between two of them, into lines as wide as the chart. */
function breakLines<Item>(items: readonly Item[], widthOf: (item: Item) => number, gap: number): Item[][] {
	const lines: Item[][] = [];
	let used = Number.POSITIVE_INFINITY;
	for (const item of items) {
		const width = widthOf(item);
		if (used + gap + width <= CHART_SIZE.width - 2 * MARGIN - 5) {
			lines.at(-1)?.push(item);
			used += gap + width;
		} else {
			lines.push([item]);
			used = width;
		}
	}
	return lines;
}
