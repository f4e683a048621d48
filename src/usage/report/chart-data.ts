import type { Translate } from '../../i18n/translator.ts';
import { monthName } from './calendar.ts';
import { type Band, bandsOf } from './chart-bands.ts';
import type { Theme } from './chart-style.ts';
import type { ChartText } from './chart-text.ts';
import { count } from './figures.ts';
import type { Report } from './summary.ts';

/** Bars of one colour. Those of a forecast have a dashed border. */
export type Series = Band & { isForecast?: boolean };

/** The contents of a chart, without their places. */
export type ChartData = {
	title: string;
	/** Groups of facts below the title. Each group begins a line. */
	facts: readonly string[][];
	/** Stacked, from the bottom up; one number for each day. */
	series: readonly Series[];
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
