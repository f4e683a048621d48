import type { ChartData } from './chart-data.ts';
import { FONT_SIZE, type Theme } from './chart-style.ts';
import type { SvgDrawing } from './svg-drawing.ts';

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

const TEXT = { size: FONT_SIZE.text };

/** Draws the axes, the bars and the daily cap. */
export function drawBars(svg: SvgDrawing, data: ChartData, grid: Grid, theme: Theme): void {
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
