import type { BarSeriesOption, LineSeriesOption } from 'echarts/charts';
import type { Translate } from '../../i18n/translator.ts';
import type { Band } from './chart-bands.ts';
import { FONT_SIZE, type Theme } from './chart-style.ts';
import { count } from './figures.ts';

/** The maximum length of a line of bold text at the right of the bars. */
const CAP_CHARACTERS = 10;

/** Calls per day of one band, stacked on the bands before it. */
export const bandSeries = ({ name, colour, calls }: Band, theme: Theme): BarSeriesOption => ({
	type: 'bar',
	name,
	stack: 'calls',
	barCategoryGap: '22%',
	// A seam in the page's colour separates bands for people who cannot distinguish their colours.
	itemStyle: { color: colour, borderColor: theme.page, borderWidth: 1 },
	emphasis: { disabled: true },
	data: calls.map(withoutBorderWhenEmpty),
});

/** Calls per day that are expected, stacked on those that were made. */
export const forecastSeries = (t: Translate, expected: readonly number[], theme: Theme): BarSeriesOption => ({
	type: 'bar',
	name: t('report.chart.forecast'),
	stack: 'calls',
	itemStyle: { color: theme.forecast, borderColor: theme.faint, borderType: 'dashed', borderWidth: 1 },
	emphasis: { disabled: true },
	data: expected.map(withoutBorderWhenEmpty),
});

/**
 * The daily cap, as a line with its label at the right of the bars. An invisible series at its height makes the axis
 * include it.
 */
export const capSeries = (t: Translate, cap: number, days: number, theme: Theme): LineSeriesOption => ({
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
			formatter: `${wrapOnce(t('report.chart.capLine'))}\n${count(t, cap)}`,
			color: theme.cap,
			fontSize: FONT_SIZE.text,
			lineHeight: FONT_SIZE.text * 1.2,
			fontWeight: 'bold',
		},
		data: [{ yAxis: cap }],
	},
});

/** ECharts draws the border of a bar of height 0. */
const withoutBorderWhenEmpty = (calls: number) => calls || null;

/** Wraps a text that would exceed the right edge of the chart. */
const wrapOnce = (text: string) => (text.length > CAP_CHARACTERS ? text.replace(' ', '\n') : text);
