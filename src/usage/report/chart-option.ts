import type { BarSeriesOption, LineSeriesOption } from 'echarts/charts';
import type {
	GraphicComponentOption,
	GridComponentOption,
	LegendComponentOption,
	MarkLineComponentOption,
	TitleComponentOption,
} from 'echarts/components';
import type { ComposeOption } from 'echarts/core';
import type { Translate } from '../../i18n/translator.ts';
import { monthName } from './calendar.ts';
import { bandsOf } from './chart-bands.ts';
import { bandSeries, capSeries, forecastSeries } from './chart-series.ts';
import { DARK, FONT_SIZE, faintStyle, LIGHT, type Theme, textStyle } from './chart-style.ts';
import type { ChartText } from './chart-text.ts';
import type { Report } from './summary.ts';

export type ChartOption = ComposeOption<
	| BarSeriesOption
	| LineSeriesOption
	| GraphicComponentOption
	| GridComponentOption
	| LegendComponentOption
	| MarkLineComponentOption
	| TitleComponentOption
>;

/** The distance between baselines in pixels, and how many characters fit on a line: digits, the widest, have 17 pixels. */
const LINE_HEIGHT = 38;
const LEGEND_LINE_HEIGHT = 54;
const LINE_CHARACTERS = 70;

/** The widths, in characters, of the separator between facts, and of a legend's coloured mark with its gaps. */
const SEPARATOR_CHARACTERS = 3;
const LEGEND_MARK_CHARACTERS = 4;

/** A cap that is this many times higher than the highest bar would flatten the bars. It is stated in the subtitle instead. */
const MAX_CAP_RATIO = 3;

/**
 * Returns the chart as an ECharts option: calls per day, stacked by command, then expected calls, with the daily cap as
 * a line.
 */
export function chartOption(t: Translate, report: Report, { title, facts }: ChartText, dark: boolean): ChartOption {
	const { days, caps, forecast } = report;
	const theme = dark ? DARK : LIGHT;
	const bands = bandsOf(t, report);
	const past = Array<number>(days.length - (forecast?.expected.length ?? 0)).fill(0);
	const expected = [...past, ...(forecast?.expected ?? [])];
	const hasForecast = expected.some((calls) => calls > 0);
	const highest = Math.max(...days.map(({ calls }, index) => calls + (expected[index] ?? 0)));
	const isCapDrawn = highest === 0 || (caps.day ?? 0) <= highest * MAX_CAP_RATIO;
	const cap = isCapDrawn ? caps.day : undefined;

	const legend = [...bands.map(({ name }) => name), ...(hasForecast ? [t('report.chart.forecast')] : [])];
	const capFact = caps.day === cap ? [] : [t('report.chart.dailyCap', { count: caps.day ?? 0 })];
	const subtitle = [...facts, capFact].flatMap((group) => breakLines(group, SEPARATOR_CHARACTERS));
	const legendTop = 92 + subtitle.length * LINE_HEIGHT;
	const gridTop = legendTop + 12 + breakLines(legend, LEGEND_MARK_CHARACTERS).length * LEGEND_LINE_HEIGHT;

	return {
		animation: false,
		backgroundColor: theme.page,
		title: titleOption(title, subtitle, theme),
		legend: legendOption(legend, legendTop, theme),
		grid: { left: 130, right: cap === undefined ? 40 : 172, top: gridTop, bottom: 112 },
		xAxis: dayAxis(t, report, theme),
		yAxis: callAxis(t, highest, cap, theme),
		series: [
			...bands.map((band) => bandSeries(band, theme)),
			...(hasForecast ? [forecastSeries(t, expected, theme)] : []),
			...(cap === undefined ? [] : [capSeries(t, cap, days.length, theme)]),
		],
		graphic: report.totals.calls > 0 ? [] : [emptyNote(t, report.month, theme)],
	};
}

const titleOption = (text: string, subtitle: readonly string[][], theme: Theme): TitleComponentOption => ({
	text,
	subtext: subtitle.map((line) => line.join(' · ')).join('\n'),
	left: 28,
	top: 22,
	itemGap: 14,
	textStyle: { color: theme.ink, fontSize: FONT_SIZE.title, fontWeight: 'bold' },
	subtextStyle: { ...faintStyle(theme), lineHeight: LINE_HEIGHT },
});

const legendOption = (data: string[], top: number, theme: Theme): LegendComponentOption => ({
	left: 28,
	right: 28,
	top,
	padding: 0,
	itemGap: LEGEND_LINE_HEIGHT - FONT_SIZE.text,
	itemWidth: 28,
	itemHeight: 22,
	textStyle: textStyle(theme),
	data,
});

const dayAxis = (t: Translate, { days, timeZone }: Report, theme: Theme): NonNullable<ChartOption['xAxis']> => ({
	type: 'category',
	name: t('report.chart.day', { timeZone }),
	nameLocation: 'middle',
	nameGap: 56,
	nameTextStyle: faintStyle(theme),
	data: days.map(({ id }) => String(Number(id.slice(-2)))),
	axisTick: { show: false },
	axisLine: { lineStyle: { color: theme.faint } },
	axisLabel: { ...textStyle(theme), margin: 12, interval: (index, day) => index === 0 || Number(day) % 5 === 0 },
});

function callAxis(
	t: Translate,
	highest: number,
	cap: number | undefined,
	theme: Theme,
): NonNullable<ChartOption['yAxis']> {
	const compact = new Intl.NumberFormat(t.language, { notation: 'compact' });
	return {
		type: 'value',
		show: highest > 0 || cap !== undefined,
		name: t('report.chart.calls'),
		nameLocation: 'middle',
		nameGap: 90,
		nameTextStyle: faintStyle(theme),
		minInterval: 1,
		...(highest === 0 && !cap && { max: 5 }),
		axisLabel: { ...textStyle(theme), formatter: (value: number) => compact.format(value) },
		splitLine: { lineStyle: { color: theme.rule } },
	};
}

const emptyNote = (t: Translate, month: string, theme: Theme): GraphicComponentOption => ({
	type: 'text',
	left: 'center',
	top: 'middle',
	style: {
		text: t('report.chart.empty', { month: monthName(t, month) }),
		fill: theme.faint,
		font: `${FONT_SIZE.title}px sans-serif`,
	},
});

/** Breaks items, with `gap` characters between two of them, into lines of at most `LINE_CHARACTERS`. */
function breakLines(items: readonly string[], gap: number): string[][] {
	const lines: string[][] = [];
	let used = Number.POSITIVE_INFINITY;
	for (const item of items) {
		used += item.length + gap;
		if (used - gap <= LINE_CHARACTERS) {
			lines.at(-1)?.push(item);
		} else {
			lines.push([item]);
			used = item.length + gap;
		}
	}
	return lines;
}
