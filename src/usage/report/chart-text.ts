import { dollars } from '../../domain/text.ts';
import type { Translate } from '../../i18n/translator.ts';
import { dayName, monthName } from './calendar.ts';
import { count } from './figures.ts';
import type { Report } from './summary.ts';

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
