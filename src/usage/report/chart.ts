import { setImmediate } from 'node:timers/promises';
import { letterPath } from '../../../packages/studio/src/drawing/tools/lettering.ts';
import { clip, decimalsOf, dollars } from '../../domain/text.ts';
import { type Translate, translatorFor } from '../../i18n/translator.ts';
import { count, dayName, monthName, type Report } from './summary.ts';

/** Languages in characters that the bundled font cannot write, with a full stop of their own. */
const EAST_ASIAN: ReadonlySet<string> = new Set(['ja', 'zh-CN']);

/**
 * Draws a report: calls per day, stacked by command, with the daily cap and a forecast. Text in the chart is in English where
 * the bundled font cannot write the language.
 *
 * @returns a PNG, and an alt text that contains its figures
 */
export async function chartOf(report: Report, t = translatorFor()): Promise<{ png: Uint8Array; alt: string }> {
	const { default: sharp } = await import('sharp');
	// Reading a weight of the font takes as long as drawing the chart: other work goes on in between.
	for (const isBold of [false, true]) {
		widthOf('0', { isBold });
		await setImmediate();
	}
	const svg = drawSvg(EAST_ASIAN.has(t.language) ? translatorFor() : t, report);
	const png = await sharp(Buffer.from(svg)).png({ palette: true }).toBuffer();
	return { png: new Uint8Array(png), alt: chartText(t, report).alt };
}

/** How many commands the alt text names. Enough for all of Easel's, and far below Slack's limit of 1,000 characters. */
const MAX_COMMANDS = 8;

/** Returns two groups of facts for below the title of a chart, and its alt text. */
export function chartText(t: Translate, report: Report): { facts: string[][]; alt: string } {
	const { timeZone, days, totals, caps, commands } = report;
	const { calls, pictures, failed, unknown, usd } = totals;
	const spent = () => t(report.hasPrices ? 'report.spent' : 'report.overage', { amount: dollars(t, usd) });
	const exceptions = present([
		failed > 0 && t('report.failed', { count: failed }),
		unknown > 0 && t('report.unknown', { count: unknown }),
		usd > 0 && spent(),
	]);
	const summary = [t('report.calls', { count: calls }), t('report.pictures', { count: pictures }), ...exceptions];
	const byCommand = commands
		.slice(0, MAX_COMMANDS)
		.map((command) => `${command} ${count(t, sum(callsOf(report, [command])))}`);
	const outlook = outlookOf(t, report);
	const busiest = days.reduce((most, day) => (day.calls > most.calls ? day : most), { id: '', calls: 0 });
	const alt = present([
		t('report.alt.title', { month: monthName(t, report.month), timeZone }),
		calls === 0 ? [t('report.alt.empty'), ...exceptions].join(', ') : `${summary.join(', ')}; ${byCommand.join(', ')}`,
		busiest.calls > 0 && t('report.alt.busiest', { day: dayName(t, busiest.id), count: busiest.calls }),
		caps.day !== undefined && t('report.chart.dailyCap', { count: caps.day }),
		...outlook,
	]);
	const separator = EAST_ASIAN.has(t.language) ? '。' : '. ';
	return { facts: [summary, outlook], alt: alt.join(separator) + separator.trim() };
}

const present = (texts: readonly (string | false)[]): string[] => texts.filter((text) => text !== false);

/** Describes the expected rest of the month, and the month's cap. */
function outlookOf(t: Translate, { caps, forecast, days, totals }: Report): string[] {
	const cap = present([
		caps.month !== undefined && t('report.monthlyCap', { count: caps.month }),
		caps.usdPerMonth !== undefined && t('report.monthlyUsd', { amount: dollars(t, caps.usdPerMonth) }),
	]);
	const last = days.at(-1);
	if (!forecast || !last || totals.calls === 0) return cap;
	const { calls, usd, exhaustedOn } = forecast;
	const day = dayName(t, last.id);
	const amount = dollars(t, usd, Math.min(4, decimalsOf(usd)));
	return [
		usd > 0 ? t('report.forecast.amount', { calls, day, amount }) : t('report.forecast.calls', { calls, day }),
		...cap,
		...(exhaustedOn ? [t('report.forecast.cap', { day: dayName(t, exhaustedOn) })] : []),
	];
}

const callsOf = ({ days }: Report, commands: readonly string[]): number[] =>
	days.map(({ byCommand }) => sum(commands.map((command) => byCommand.get(command) ?? 0)));

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

const COLOUR = {
	...{ page: '#ffffff', ink: '#1f2328', faint: '#59636e', rule: '#d8dee4' },
	...{ cap: '#c4320a', forecast: '#c9d1d9', others: '#8c8c8c' },
};

/** Distinguishable with any colour vision. Okabe and Ito, https://jfly.uni-koeln.de/color/#pallet */
const COMMAND_COLOURS = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9'];

/** The calls per day of one command, of several that share a band, or of the forecast. */
type Band = { name: string; colour: string; calls: readonly number[]; isForecast?: boolean };

/** The maximum length of a command's name in the legend. */
const NAME_CHARACTERS = 24;

/** A cap that is this many times higher than the highest bar would flatten the bars. It is one of the facts instead. */
const MAX_CAP_RATIO = 3;

/** What a chart shows: lines of facts; bands from the bottom up; the daily cap, where it is drawn as a line; the height of the axis. */
type ChartData = { facts: string[][]; bands: Band[]; cap?: number; highest: number };

/** Of commands there are at most six bands. By the alphabet, a command keeps its colour when the most used one changes. */
export function chartData(t: Translate, report: Report): ChartData {
	const { days, caps, commands, forecast } = report;
	const named = commands.slice(0, commands.length > COMMAND_COLOURS.length + 1 ? COMMAND_COLOURS.length : undefined);
	const others = commands.slice(named.length);
	const alphabetical = named.toSorted();
	const bands: Band[] = named.map((command) => ({
		name: clip(command, NAME_CHARACTERS),
		colour: COMMAND_COLOURS[alphabetical.indexOf(command)] ?? COLOUR.others,
		calls: callsOf(report, [command]),
	}));
	if (others.length > 0)
		bands.push({ name: t('report.chart.other'), colour: COLOUR.others, calls: callsOf(report, others) });
	const rest = forecast?.expected ?? [];
	const expected = days.map((_, day) => rest[day - days.length + rest.length] ?? 0);
	if (expected.some((calls) => calls > 0))
		bands.push({ name: t('report.chart.forecast'), colour: COLOUR.forecast, calls: expected, isForecast: true });
	const highest = Math.max(...days.map(({ calls }, index) => calls + (expected[index] ?? 0)));
	const cap = highest === 0 || (caps.day ?? 0) <= highest * MAX_CAP_RATIO ? caps.day : undefined;
	const { facts } = chartText(t, report);
	if (caps.day !== cap) facts.push([t('report.chart.dailyCap', { count: caps.day ?? 0 })]);
	return { facts, bands, cap, highest: Math.max(highest, cap ?? 0) };
}

/** Lengths are pixels, and texts are placed by their middle. A phone shows the chart at a third of its size. */
const SIZE = { width: 1200, height: 750 };
const TITLE_SIZE = 42;
const TEXT_SIZE = 28;
const MARGIN = 28;
const LINE_HEIGHT = 38;
const MARK = { width: 28, height: 22, gap: 6, lineHeight: 54 };

/** The bars are between these; the axis of calls is left of them, that of days below, and a cap's label at their right. */
const BARS = { left: 130, right: SIZE.width - 40, rightOfCap: SIZE.width - 172, bottom: SIZE.height - 112 };

/** The share of a day's width that its bar takes. */
const BAR_SHARE = 0.78;

const SEPARATOR = ' · ';
const NOTE = { anchor: 'middle', colour: COLOUR.faint } as const;

/** Draws a chart as SVG. All its text is outlines, so that it looks the same on every machine. */
export function drawSvg(t: Translate, report: Report): string {
	const { width, height } = SIZE;
	const data = chartData(t, report);
	const { facts, bands } = data;
	const month = monthName(t, report.month);
	const lines = facts.flatMap((group) => breakLines(group, (fact) => widthOf(fact), widthOf(SEPARATOR)));
	const legend = breakLines(bands, bandWidth, MARGIN);
	const legendY = 104 + lines.length * LINE_HEIGHT;
	const top = legendY + legend.length * MARK.lineHeight;
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
		rectangle({ x: 0, y: 0, ...SIZE }, COLOUR.page),
		text(t('report.title', { month }), { x: MARGIN, y: 42, size: TITLE_SIZE, isBold: true }),
		...lines.map((line, index) =>
			text(line.join(SEPARATOR), { x: MARGIN, y: 88 + index * LINE_HEIGHT, colour: COLOUR.faint }),
		),
		...legend.map((line, index) => drawLegend(line, legendY + index * MARK.lineHeight)),
		...drawBars(t, report, data, top),
		report.totals.calls > 0
			? ''
			: text(t('report.chart.empty', { month }), { ...NOTE, x: width / 2, y: height / 2, size: TITLE_SIZE }),
		'</svg>',
	].join('');
}

const bandWidth = ({ name }: Band) => MARK.width + MARK.gap + widthOf(name);

function drawLegend(bands: readonly Band[], y: number): string {
	let x = MARGIN;
	return bands
		.map((band) => {
			const { width, height, gap } = MARK;
			const border = { colour: band.isForecast ? COLOUR.faint : COLOUR.page, width: 2 };
			const mark = rectangle({ x, y: y - height / 2, width, height }, band.colour, border, 4);
			const name = text(band.name, { x: x + width + gap, y });
			x += bandWidth(band) + MARGIN;
			return mark + name;
		})
		.join('');
}

/** Breaks items, with a gap between two of them, into lines as wide as the chart. */
function breakLines<Item>(items: readonly Item[], lengthOf: (item: Item) => number, gap: number): Item[][] {
	const lines: Item[][] = [];
	let used = Number.POSITIVE_INFINITY;
	for (const item of items) {
		const width = lengthOf(item);
		if (used + gap + width <= SIZE.width - 2 * MARGIN) lines.at(-1)?.push(item);
		else lines.push([item]);
		used = lines.at(-1)?.length === 1 ? width : used + gap + width;
	}
	return lines;
}

/** The maximum length of a line of bold text at the right of the bars. */
const CAP_CHARACTERS = 10;

function drawBars(t: Translate, report: Report, { bands, cap, highest }: ChartData, top: number): string[] {
	const { days, timeZone } = report;
	const { left, bottom } = BARS;
	const right = cap === undefined ? BARS.right : BARS.rightOfCap;
	const step = stepOf(highest);
	const most = Math.max(1, Math.ceil(highest / step)) * step;
	const yOf = (calls: number) => bottom - (calls / most) * (bottom - top);
	const width = (right - left) / days.length;
	const compact = new Intl.NumberFormat(t.language, { notation: 'compact' });
	const axis = Array.from({ length: highest > 0 ? Math.round(most / step) + 1 : 0 }, (_, index) => index * step);
	const stacked = days.map(() => 0);
	const bar = ({ colour, isForecast }: Band, day: number, calls: number) => {
		const below = stacked[day] ?? 0;
		stacked[day] = below + calls;
		const y = yOf(below + calls);
		const x = left + (day + (1 - BAR_SHARE) / 2) * width;
		// A seam in the page's colour separates bands for people who cannot distinguish their colours.
		const border = isForecast ? { colour: COLOUR.faint, width: 1, dashes: '4 2' } : { colour: COLOUR.page, width: 1 };
		return calls === 0 ? '' : rectangle({ x, y, width: width * BAR_SHARE, height: yOf(below) - y }, colour, border);
	};
	const label = t('report.chart.capLine');
	const labels = [...label.split(label.length > CAP_CHARACTERS ? /(?<=^\S+) / : '\n'), count(t, cap ?? 0)];
	return [
		...axis.map(
			(calls) =>
				line({ from: left, to: right, y: Math.round(yOf(calls)) + 0.5 }, { colour: COLOUR.rule, width: 1 }) +
				text(compact.format(calls), { x: left - 8, y: yOf(calls), anchor: 'end' }),
		),
		axis.length > 0
			? text(t('report.chart.calls'), { ...NOTE, x: left - 99, y: (top + bottom) / 2, isTurned: true })
			: '',
		line({ from: left, to: right, y: bottom + 0.5 }, { colour: COLOUR.faint, width: 1 }),
		...days.map(({ id }, index) => {
			const day = Number(id.slice(-2));
			if (index > 0 && day % 5 !== 0) return '';
			return text(String(day), { x: left + (index + 0.5) * width, y: bottom + 21, anchor: 'middle' });
		}),
		text(t('report.chart.day', { timeZone }), { ...NOTE, x: (left + right) / 2, y: bottom + 65 }),
		...bands.flatMap((band) => band.calls.map((calls, day) => bar(band, day, calls))),
		...(cap === undefined
			? []
			: [
					line({ from: left, to: right, y: yOf(cap) }, { colour: COLOUR.cap, width: 4, dashes: '16 8' }),
					...labels.map((words, index) => {
						const y = yOf(cap) + (index - (labels.length - 1) / 2) * TEXT_SIZE * 1.2;
						return text(words, { x: right + 5, y, isBold: true, colour: COLOUR.cap });
					}),
				]),
	];
}

/** Returns the distance between two numbers of the axis, for about five of them: 1, 2, 3 or 5 times a power of ten. */
function stepOf(highest: number): number {
	const least = Math.max(1, highest / 5);
	const power = 10 ** Math.floor(Math.log10(least));
	const factor = least / power;
	return power * (factor < 1.5 ? 1 : factor < 2.5 ? 2 : factor < 4 ? 3 : factor < 7 ? 5 : 10);
}

type Stroke = { colour: string; width: number; dashes?: string };
type Box = { x: number; y: number; width: number; height: number };

/** Returns a rectangle whose border lies inside. */
export function rectangle({ x, y, width, height }: Box, fill: string, border?: Stroke, radius = 0): string {
	const inset = (border?.width ?? 0) / 2;
	const inside = (length: number) => round(Math.max(0, length - 2 * inset));
	const box = `x="${round(x + inset)}" y="${round(y + inset)}" width="${inside(width)}" height="${inside(height)}"`;
	return `<rect ${box} rx="${radius}" fill="${fill}"${border ? strokeOf(border) : ''}/>`;
}

const line = ({ from, to, y }: { from: number; to: number; y: number }, stroke: Stroke) =>
	`<path d="M${round(from)} ${round(y)}H${round(to)}" fill="none"${strokeOf(stroke)}/>`;

const strokeOf = ({ colour, width, dashes }: Stroke) =>
	` stroke="${colour}" stroke-width="${width}"${dashes ? ` stroke-dasharray="${dashes}"` : ''}`;

const round = (pixels: number) => Math.round(pixels * 10) / 10;

type TextFont = { size?: number; isBold?: boolean };

const ANCHOR_SHIFTS = { start: 0, middle: 0.5, end: 1 };

/** `y` is the middle between ascenders and descenders. A turned text runs upwards. */
export type PlacedText = TextFont & {
	x: number;
	y: number;
	anchor?: keyof typeof ANCHOR_SHIFTS;
	isTurned?: boolean;
	colour?: string;
};

/** Returns a text as a path, so that an SVG can be rasterized without fonts. */
export function text(
	words: string,
	{ x, y, anchor = 'start', isTurned, colour = COLOUR.ink, ...font }: PlacedText,
): string {
	const { path, width, height } = lettersOf(words, font);
	const turn = isTurned ? `rotate(-90 ${round(x)} ${round(y)}) ` : '';
	const move = `translate(${round(x - width * ANCHOR_SHIFTS[anchor])} ${round(y - height / 2)})`;
	return `<path d="${path}" fill="${colour}" transform="${turn}${move}"/>`;
}

const widthOf = (words: string, font?: TextFont): number => lettersOf(words, font).width;

const lettersOf = (words: string, { size = TEXT_SIZE, isBold = false }: TextFont = {}) =>
	letterPath(words.replaceAll(/\p{Zs}/gu, ' '), { size, weight: isBold ? 700 : 400 });
