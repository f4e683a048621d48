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
import type { ChartWords } from './chart-words.ts';
import { count } from './figures.ts';
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

export const CHART_SIZE = { width: 1200, height: 750 };

/** A phone shows the picture at a third of its size, where these are still some 9 pixels. */
const LETTERS = { title: 42, text: 28 };

/** From baseline to baseline, and what surely fits on one: digits, the widest, are 17 pixels wide. */
const LINE = 38;
const LEGEND_LINE = 54;
const LINE_CHARACTERS = 70;

/** Of the bold letters right of the bars. */
const CAP_CHARACTERS = 10;

/** A legend's coloured mark and the gaps about it, in characters. */
const LEGEND_MARK = 4;

const LIGHT = { page: '#ffffff', ink: '#1f2328', faint: '#59636e', rule: '#d8dee4', cap: '#c4320a', coming: '#c9d1d9' };
const DARK = { page: '#1e1f22', ink: '#f2f3f5', faint: '#b5bac1', rule: '#3b3d44', cap: '#ff8a65', coming: '#4a4d55' };

/** A cap this many times higher than any bar would press them flat: it is told in words instead. */
const HIGHEST_CAP = 3;

/** The chart as ECharts wants it: calls per day, stacked by command, then those to come, under the line of the daily cap. */
export function chartOption(t: Translate, report: Report, { title, facts }: ChartWords, dark: boolean): ChartOption {
	const { days, caps, forecast, month, timeZone } = report;
	const theme = dark ? DARK : LIGHT;
	const short = new Intl.NumberFormat(t.language, { notation: 'compact' });
	const text = { color: theme.ink, fontSize: LETTERS.text };
	const faint = { color: theme.faint, fontSize: LETTERS.text };
	const bands = bandsOf(t, report);
	const coming = [...Array<number>(days.length - (forecast?.coming.length ?? 0)).fill(0), ...(forecast?.coming ?? [])];
	const forecasts = coming.some((calls) => calls > 0);
	const highest = Math.max(...days.map(({ calls }, index) => calls + (coming[index] ?? 0)));
	const cap = caps.day !== undefined && (highest === 0 || caps.day <= highest * HIGHEST_CAP) ? caps.day : undefined;
	const legend = [...bands.map(({ name }) => name), ...(forecasts ? [t('report.chart.forecast')] : [])];
	const subtitle = [...facts, caps.day === cap ? [] : [t('report.chart.dailyCap', { count: caps.day ?? 0 })]].flatMap(
		(group) => rowsOf(group, 3),
	);
	const legendTop = 92 + subtitle.length * LINE;
	const gridTop = legendTop + 12 + rowsOf(legend, LEGEND_MARK).length * LEGEND_LINE;

	return {
		animation: false,
		backgroundColor: theme.page,
		title: {
			text: title,
			subtext: subtitle.map((row) => row.join(' · ')).join('\n'),
			left: 28,
			top: 22,
			itemGap: 14,
			textStyle: { color: theme.ink, fontSize: LETTERS.title, fontWeight: 'bold' },
			subtextStyle: { ...faint, lineHeight: LINE },
		},
		legend: {
			left: 28,
			right: 28,
			top: legendTop,
			padding: 0,
			itemGap: LEGEND_LINE - LETTERS.text,
			itemWidth: 28,
			itemHeight: 22,
			textStyle: text,
			data: legend,
		},
		grid: { left: 130, right: cap === undefined ? 40 : 172, top: gridTop, bottom: 112 },
		xAxis: {
			type: 'category',
			name: t('report.chart.day', { timeZone }),
			nameLocation: 'middle',
			nameGap: 56,
			nameTextStyle: faint,
			data: days.map(({ id }) => String(Number(id.slice(-2)))),
			axisTick: { show: false },
			axisLine: { lineStyle: { color: theme.faint } },
			axisLabel: { ...text, margin: 12, interval: (index, day) => index === 0 || Number(day) % 5 === 0 },
		},
		yAxis: {
			type: 'value',
			show: highest > 0 || cap !== undefined,
			name: t('report.chart.calls'),
			nameLocation: 'middle',
			nameGap: 90,
			nameTextStyle: faint,
			minInterval: 1,
			...(highest === 0 && !cap && { max: 5 }),
			axisLabel: { ...text, formatter: (value: number) => short.format(value) },
			splitLine: { lineStyle: { color: theme.rule } },
		},
		series: [
			...bands.map(
				({ name, colour, calls }): BarSeriesOption => ({
					type: 'bar',
					name,
					stack: 'calls',
					barCategoryGap: '22%',
					// A seam in the page's colour parts bands for those to whom their colours are alike.
					itemStyle: { color: colour, borderColor: theme.page, borderWidth: 1 },
					emphasis: { disabled: true },
					data: calls.map(seen),
				}),
			),
			...(forecasts
				? [
						{
							type: 'bar',
							name: t('report.chart.forecast'),
							stack: 'calls',
							itemStyle: { color: theme.coming, borderColor: theme.faint, borderType: 'dashed', borderWidth: 1 },
							emphasis: { disabled: true },
							data: coming.map(seen),
						} satisfies BarSeriesOption,
					]
				: []),
			...(cap === undefined ? [] : [capLine(t, cap, days.length, theme)]),
		],
		graphic:
			report.totals.calls > 0
				? []
				: [
						{
							type: 'text',
							left: 'center',
							top: 'middle',
							style: {
								text: t('report.chart.empty', { month: monthName(t, month) }),
								fill: theme.faint,
								font: `${LETTERS.title}px sans-serif`,
							},
						},
					],
	};
}

/** An empty bar would show its border. */
const seen = (calls: number) => calls || null;

/** Breaks a row of things, with `gap` characters between each two, into as many as the picture's width takes. */
function rowsOf(things: readonly string[], gap: number): string[][] {
	const rows: string[][] = [];
	let used = Infinity;
	for (const thing of things) {
		used += thing.length + gap;
		if (used - gap <= LINE_CHARACTERS) {
			rows.at(-1)?.push(thing);
		} else {
			rows.push([thing]);
			used = thing.length + gap;
		}
	}
	return rows;
}

/** In two lines where one would run out of the picture. */
const narrow = (text: string) => (text.length > CAP_CHARACTERS ? text.replace(' ', '\n') : text);

/** The cap stands right of the bars, where it hides none; an unseen line at its height makes the axis reach up to it. */
const capLine = (t: Translate, cap: number, days: number, theme: typeof LIGHT): LineSeriesOption => ({
	type: 'line',
	name: 'cap',
	symbol: 'none',
	lineStyle: { opacity: 0 },
	data: Array<number>(days).fill(cap),
	markLine: {
		symbol: 'none',
		silent: true,
		animation: false,
		lineStyle: { color: theme.cap, width: 4, type: 'dashed' },
		label: {
			position: 'end',
			formatter: `${narrow(t('report.chart.capLine'))}\n${count(t, cap)}`,
			color: theme.cap,
			fontSize: LETTERS.text,
			lineHeight: LETTERS.text * 1.2,
			fontWeight: 'bold',
		},
		data: [{ yAxis: cap }],
	},
});
