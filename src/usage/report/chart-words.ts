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
		...(totals.failed > 0 ? [t('{count, number} failed', { count: totals.failed })] : []),
		...(totals.unknown > 0 ? [t('{count, number} with an unknown outcome', { count: totals.unknown })] : []),
		...(totals.cost > 0 ? [t('{amount} USD beyond the plan', { amount: dollars(t, totals.cost) })] : []),
	];
	const summary = [
		t('{count, plural, one {# call} other {# calls}}', { count: totals.calls }),
		t('{count, plural, one {# picture} other {# pictures}}', { count: totals.pictures }),
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
		t('Bar chart: calls per day in {month} ({timeZone}), stacked by command', { month, timeZone }),
		totals.calls === 0
			? [t('No calls were counted'), ...less].join(', ')
			: `${summary.join(', ')}; ${byCommand.join(', ')}`,
		...(busiest.calls > 0
			? [t('Busiest day: {day} with {count, number}', { day: dayName(t, busiest.id), count: busiest.calls })]
			: []),
		...(caps.day === undefined ? [] : [t('Daily cap: {count, number}', { count: caps.day })]),
		...outlook,
	];
	const between = t.language === 'ja' ? '。' : '. ';
	return {
		title: t('Calls per day, {month}', { month }),
		facts: [summary, outlook],
		alt: alt.join(between) + between.trim(),
	};
}

/** The rest of the month, and the cap over it. */
function outlookOf(t: Translate, { caps, forecast, days, totals }: Report): string[] {
	const cap = caps.month === undefined ? [] : [t('Monthly cap: {count, number}', { count: caps.month })];
	const last = days.at(-1);
	if (!forecast || !last || totals.calls === 0) return cap;
	const { calls, cost, spent } = forecast;
	const day = dayName(t, last.id);
	return [
		cost > 0
			? t('At this pace {calls, plural, one {# call} other {# calls}} and {amount} USD by {day}', {
					calls,
					day,
					amount: dollars(t, cost),
				})
			: t('At this pace {calls, plural, one {# call} other {# calls}} by {day}', { calls, day }),
		...cap,
		...(spent ? [t('Used up by {day}', { day: dayName(t, spent) })] : []),
	];
}
