import { setImmediate } from 'node:timers/promises';
import { clip, dollars } from '../../domain/text.ts';
import { type Translate, translatorFor } from '../../i18n/translator.ts';
import { dayName, monthName } from './calendar.ts';
import { count } from './figures.ts';
import type { Report } from './summary.ts';
import { SvgDrawing, textWidth } from './svg-drawing.ts';

/** The texts of a chart: its title, two groups of facts below the title, and the alt text. */
export type ChartText = { title: string; facts: string[][]; alt: string };

/** How many commands the alt text names. Enough for all of Easel's, and far below Slack's limit of 1,000 characters. */
const MAX_COMMANDS = 8;

export function chartText(t: Translate, report: Report): ChartText {
	const { timeZone, days, totals, caps } = report;
	const month = monthName(t, report.month);
	const exceptions = [
		...(totals.failed > 0 ? [t('report.failed', { count: totals.failed })] : []),
		...(totals.unknown > 0 ? [t('report.unknown', { count: totals.unknown })] : []),
		...(totals.cost > 0 ? [t('report.overage', { amount: dollars(t, totals.cost) })] : []),
	];
	const summary = [
		t('report.calls', { count: totals.calls }),
		t('report.pictures', { count: totals.pictures }),
		...exceptions,
	];
	const outlook = outlookOf(t, report);

	const busiest = days.reduce((most, day) => (day.calls > most.calls ? day : most), { id: '', calls: 0 });
	const alt = [
		t('report.alt.title', { month, timeZone }),
		totals.calls === 0
			? [t('report.alt.empty'), ...exceptions].join(', ')
			: `${summary.join(', ')}; ${callsByCommand(t, report).join(', ')}`,
		...(busiest.calls > 0 ? [t('report.alt.busiest', { day: dayName(t, busiest.id), count: busiest.calls })] : []),
		...(caps.day === undefined ? [] : [t('report.chart.dailyCap', { count: caps.day })]),
		...outlook,
	];
	const separator = t.language === 'ja' ? '。' : '. ';
	return {
		title: t('report.title', { month }),
		facts: [summary, outlook],
		alt: alt.join(separator) + separator.trim(),
	};
}

/** Returns `imagine 60`, `edit 30`. */
const callsByCommand = (t: Translate, { commands, days }: Report): string[] =>
	commands.slice(0, MAX_COMMANDS).map((command) => {
		const calls = days.reduce((sum, day) => sum + (day.byCommand.get(command) ?? 0), 0);
		return `${command} ${count(t, calls)}`;
	});

/** Describes the expected rest of the month, and the month's cap. */
function outlookOf(t: Translate, { caps, forecast, days, totals }: Report): string[] {
	const cap = caps.month === undefined ? [] : [t('report.monthlyCap', { count: caps.month })];
	const last = days.at(-1);
	if (!forecast || !last || totals.calls === 0) return cap;
	const { calls, cost, exhaustedOn } = forecast;
	const day = dayName(t, last.id);
	return [
		cost > 0
			? t('report.forecast.amount', { calls, day, amount: dollars(t, cost) })
			: t('report.forecast.calls', { calls, day }),
		...cap,
		...(exhaustedOn ? [t('report.forecast.cap', { day: dayName(t, exhaustedOn) })] : []),
	];
}

/** Languages that the bundled font cannot write. */
const WITHOUT_FONT: ReadonlySet<string> = new Set(['ja']);

/**
 * Draws a report: calls per day, stacked by command, with the daily cap and a forecast. Text in the chart is in English where
 * the bundled font cannot write the language.
 *
 * @returns a PNG, and an alt text that contains its figures
 */
export async function chartOf(
	report: Report,
	{ dark = false, t = translatorFor() }: { dark?: boolean; t?: Translate } = {},
): Promise<{ png: Uint8Array; alt: string }> {
	const drawn = WITHOUT_FONT.has(t.language) ? translatorFor() : t;
	const { default: sharp } = await import('sharp');
	// Reading a weight of the font takes as long as drawing the chart: other work goes on in between.
	for (const bold of [false, true]) {
		textWidth('0', { ...TEXT, bold });
		await setImmediate();
	}
	const svg = drawSvg(drawn, report, dark ? DARK : LIGHT);
	const png = await sharp(Buffer.from(svg)).png({ palette: true }).toBuffer();
	return { png: new Uint8Array(png), alt: chartText(t, report).alt };
}

/** The size of the chart in pixels. */
const CHART_SIZE = { width: 1200, height: 750 };

/**
 * Font sizes in pixels. A phone shows the chart at a third of its size, where the smaller text is still about 9 pixels
 * high.
 */
const FONT_SIZE = { title: 42, text: 28 };

type Theme = { page: string; ink: string; faint: string; rule: string; cap: string; forecast: string };

export const LIGHT: Theme = {
	page: '#ffffff',
	ink: '#1f2328',
	faint: '#59636e',
	rule: '#d8dee4',
	cap: '#c4320a',
	forecast: '#c9d1d9',
};

const DARK: Theme = {
	page: '#1e1f22',
	ink: '#f2f3f5',
	faint: '#b5bac1',
	rule: '#3b3d44',
	cap: '#ff8a65',
	forecast: '#4a4d55',
};

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
export function drawSvg(t: Translate, report: Report, theme: Theme): string {
	const data = chartData(t, report, chartText(t, report), theme);
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
	const widthOf = ({ name }: Band) => MARK.width + MARK.gap + textWidth(name, TEXT);
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

/** The rectangle between the axes, in pixels. */
type Grid = { left: number; right: number; top: number; bottom: number };

/** The share of a day's width that its bar takes. */
const BAR_SHARE = 0.78;
const STEPS = 5;
/** Distances of texts from the axes, in pixels. */
const CALLS_GAP = 8;
const CALLS_TITLE_GAP = 99;
const DAYS_GAP = 21;
const DAYS_TITLE_GAP = 65;
const CAP_GAP = 5;
const CAP_LINE_HEIGHT = FONT_SIZE.text * 1.2;

/** Draws the axes, the bars and the daily cap. */
function drawBars(svg: SvgDrawing, data: ChartData, grid: Grid, theme: Theme): void {
	const step = stepOf(data.highest);
	const top = Math.max(1, Math.ceil(data.highest / step)) * step;
	const yOf = (calls: number) => grid.bottom - (calls / top) * (grid.bottom - grid.top);
	if (data.highest > 0) drawCalls(svg, data, { grid, step, top, yOf }, theme);
	drawDays(svg, data, grid, theme);
	drawSeries(svg, data, { grid, yOf }, theme);
	if (data.cap) drawCap(svg, data.cap, { grid, y: yOf(data.cap.calls) }, theme);
}

/** Returns the distance between two numbers of the axis, for about `STEPS` of them: 1, 2, 3 or 5 times a power of ten. */
function stepOf(highest: number): number {
	const least = Math.max(1, highest / STEPS);
	const power = 10 ** Math.floor(Math.log10(least));
	const factor = least / power;
	return power * (factor < 1.5 ? 1 : factor < 2.5 ? 2 : factor < 4 ? 3 : factor < 7 ? 5 : 10);
}

type Scale = { grid: Grid; step: number; top: number; yOf(calls: number): number };

function drawCalls(svg: SvgDrawing, { axes, format }: ChartData, { grid, step, top, yOf }: Scale, theme: Theme): void {
	const { left, right } = grid;
	for (let calls = 0; calls <= top; calls += step) {
		const y = yOf(calls);
		svg.line({ from: left, to: right, y: Math.round(y) + 0.5 }, { colour: theme.rule, width: 1 });
		svg.text(format(calls), { x: left - CALLS_GAP, y, anchor: 'end', ...TEXT }, theme.ink);
	}
	const middle = (grid.top + grid.bottom) / 2;
	const place = { x: left - CALLS_TITLE_GAP, y: middle, anchor: 'middle', isTurned: true, ...TEXT } as const;
	svg.text(axes.calls, place, theme.faint);
}

function drawDays(svg: SvgDrawing, { days, axes }: ChartData, { left, right, bottom }: Grid, theme: Theme): void {
	const width = (right - left) / days.length;
	svg.line({ from: left, to: right, y: bottom + 0.5 }, { colour: theme.faint, width: 1 });
	for (const [index, day] of days.entries()) {
		if (index > 0 && day % 5 !== 0) continue;
		svg.text(
			String(day),
			{ x: left + (index + 0.5) * width, y: bottom + DAYS_GAP, anchor: 'middle', ...TEXT },
			theme.ink,
		);
	}
	svg.text(axes.days, { x: (left + right) / 2, y: bottom + DAYS_TITLE_GAP, anchor: 'middle', ...TEXT }, theme.faint);
}

function drawSeries(
	svg: SvgDrawing,
	{ series, days }: ChartData,
	{ grid, yOf }: Pick<Scale, 'grid' | 'yOf'>,
	theme: Theme,
): void {
	const width = (grid.right - grid.left) / days.length;
	const stacked = days.map(() => 0);
	for (const { colour, calls, isForecast } of series) {
		// A seam in the page's colour separates bands for people who cannot distinguish their colours.
		const border = isForecast
			? ({ colour: theme.faint, width: 1, dashes: [4, 2] } as const)
			: { colour: theme.page, width: 1 };
		for (const [day, count] of calls.entries()) {
			if (count === 0) continue;
			const below = stacked[day] ?? 0;
			const y = yOf(below + count);
			const x = grid.left + (day + (1 - BAR_SHARE) / 2) * width;
			svg.rectangle({ x, y, width: width * BAR_SHARE, height: yOf(below) - y }, { fill: colour, border });
			stacked[day] = below + count;
		}
	}
}

function drawCap(
	svg: SvgDrawing,
	{ label }: NonNullable<ChartData['cap']>,
	{ grid: { left, right }, y }: { grid: Grid; y: number },
	{ cap }: Theme,
): void {
	svg.line({ from: left, to: right, y }, { colour: cap, width: 4, dashes: [16, 8] });
	for (const [index, line] of label.entries()) {
		const middle = y + (index - (label.length - 1) / 2) * CAP_LINE_HEIGHT;
		svg.text(line, { x: right + CAP_GAP, y: middle, bold: true, ...TEXT }, cap);
	}
}

/** The contents of a chart, without their places. */
type ChartData = {
	title: string;
	/** Groups of facts below the title. Each group begins a line. */
	facts: readonly string[][];
	/** Stacked, from the bottom up; one number for each day. */
	series: readonly Band[];
	/** The daily cap, with the lines of its label. */
	cap: { calls: number; label: readonly string[] } | undefined;
	/** The days of the month, by number. */
	days: readonly number[];
	/** The greatest number that the axis has to reach; 0 when there is nothing to measure. */
	highest: number;
	axes: { days: string; calls: string };
	/** Formats a number of the axis of calls. */
	format(calls: number): string;
	/** The sentence in the middle of an empty chart. */
	note: string | undefined;
};

/** A cap that is this many times higher than the highest bar would flatten the bars. It is stated in the subtitle instead. */
const MAX_CAP_RATIO = 3;

/** The maximum length of a line of bold text at the right of the bars. */
const CAP_CHARACTERS = 10;

/** Returns the contents of a chart: calls per day, stacked by command, then expected calls, with the daily cap as a line. */
export function chartData(t: Translate, report: Report, { title, facts }: ChartText, theme: Theme): ChartData {
	const { days, caps, forecast, timeZone } = report;
	const past = Array<number>(days.length - (forecast?.expected.length ?? 0)).fill(0);
	const expected = [...past, ...(forecast?.expected ?? [])];
	const highest = Math.max(...days.map(({ calls }, index) => calls + (expected[index] ?? 0)));
	const cap = highest === 0 || (caps.day ?? 0) <= highest * MAX_CAP_RATIO ? caps.day : undefined;
	const capFact = caps.day === cap ? [] : [t('report.chart.dailyCap', { count: caps.day ?? 0 })];
	const compact = new Intl.NumberFormat(t.language, { notation: 'compact' });
	return {
		title,
		facts: [...facts, capFact],
		series: [
			...bandsOf(t, report),
			...(expected.some((calls) => calls > 0)
				? [{ name: t('report.chart.forecast'), colour: theme.forecast, calls: expected, isForecast: true }]
				: []),
		],
		cap: cap === undefined ? undefined : { calls: cap, label: [...wrapOnce(t('report.chart.capLine')), count(t, cap)] },
		days: days.map(({ id }) => Number(id.slice(-2))),
		highest: Math.max(highest, cap ?? 0),
		axes: { days: t('report.chart.day', { timeZone }), calls: t('report.chart.calls') },
		format: (calls) => compact.format(calls),
		note: report.totals.calls > 0 ? undefined : t('report.chart.empty', { month: monthName(t, report.month) }),
	};
}

/** Wraps a text that would exceed the right edge of the chart. */
const wrapOnce = (text: string) => (text.length > CAP_CHARACTERS ? text.replace(' ', '\n').split('\n') : [text]);

/** Distinguishable with any colour vision, on white and on black. Okabe and Ito, https://jfly.uni-koeln.de/color/#pallet */
const COLOURS = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9'];
const OTHERS_COLOUR = '#8c8c8c';

/** The maximum length of a command's name in the legend. */
const NAME_CHARACTERS = 24;

/** The calls per day of one command, of several that share a band, or of a forecast, whose border is dashed. */
type Band = { name: string; colour: string; calls: number[]; isForecast?: boolean };

/**
 * Returns the bands of the stacked bars, from the bottom up; at most six. Colours are assigned in alphabetical order, so that a
 * command keeps its colour when the most used command changes.
 */
function bandsOf(t: Translate, { commands, days }: Report): Band[] {
	const named = commands.slice(0, commands.length > COLOURS.length + 1 ? COLOURS.length : commands.length);
	const others = commands.slice(named.length);
	const callsOf = (some: readonly string[]) =>
		days.map(({ byCommand }) => some.reduce((sum, command) => sum + (byCommand.get(command) ?? 0), 0));
	const alphabetical = [...named].sort();
	return [
		...named.map((command) => ({
			name: clip(command, NAME_CHARACTERS),
			colour: COLOURS[alphabetical.indexOf(command)] ?? OTHERS_COLOUR,
			calls: callsOf([command]),
		})),
		...(others.length > 0 ? [{ name: t('report.chart.other'), colour: OTHERS_COLOUR, calls: callsOf(others) }] : []),
	];
}
