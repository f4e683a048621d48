import { dollars } from '../../domain/money.ts';
import type { Translate } from '../../i18n/translator.ts';
import { dayName, monthName } from './calendar.ts';
import { count } from './figures.ts';
import type { Report } from './summary.ts';

/** What a chart says in letters: `title` and two groups of `facts` above it, `alt` to those who don't see it. */
export type ChartWords = { title: string; facts: string[][]; alt: string };

/** Enough for every command that we have; keeps alt text far below Slack's 1,000 characters. */
const NAMED_COMMANDS = 8;

export function wordsOf(t: Translate, report: Report): ChartWords {
	const { timeZone, commands, days, totals, caps } = report;
	const month = monthName(t, report.month);
	const less = [
		...(totals.failed > 0 ? [t('report.failed', { count: totals.failed })] : []),
		...(totals.unknown > 0 ? [t('report.unknown', { count: totals.unknown })] : []),
		...(totals.cost > 0 ? [t('report.overage', { amount: dollars(t, totals.cost) })] : []),
	];
	const summary = [
		t('report.calls', { count: totals.calls }),
		t('report.pictures', { count: totals.pictures }),
		...less,
	];
	const outlook = outlookOf(t, report);

	const busiest = days.reduce((most, day) => (day.calls > most.calls ? day : most), { id: '', calls: 0 });
	const byCommand = commands.slice(0, NAMED_COMMANDS).map(
		(command) =>
			`${command} ${count(
				t,
				days.reduce((sum, day) => sum + (day.byCommand.get(command) ?? 0), 0),
			)}`,
	);
	const alt = [
		t('report.alt.title', { month, timeZone }),
		totals.calls === 0 ? [t('report.alt.empty'), ...less].join(', ') : `${summary.join(', ')}; ${byCommand.join(', ')}`,
		...(busiest.calls > 0 ? [t('report.alt.busiest', { day: dayName(t, busiest.id), count: busiest.calls })] : []),
		...(caps.day === undefined ? [] : [t('report.chart.dailyCap', { count: caps.day })]),
		...outlook,
	];
	const between = t.language === 'ja' ? '。' : '. ';
	return {
		title: t('report.title', { month }),
		facts: [summary, outlook],
		alt: alt.join(between) + between.trim(),
	};
}

/** The rest of the month, and the cap over it. */
function outlookOf(t: Translate, { caps, forecast, days, totals }: Report): string[] {
	const cap = caps.month === undefined ? [] : [t('report.monthlyCap', { count: caps.month })];
	const last = days.at(-1);
	if (!forecast || !last || totals.calls === 0) return cap;
	const { calls, cost, spent } = forecast;
	const day = dayName(t, last.id);
	return [
		cost > 0
			? t('report.forecast.amount', {
					calls,
					day,
					amount: dollars(t, cost),
				})
			: t('report.forecast.calls', { calls, day }),
		...cap,
		...(spent ? [t('report.forecast.cap', { day: dayName(t, spent) })] : []),
	];
}
