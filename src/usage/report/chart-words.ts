import { dayName, monthName } from './calendar.ts';
import { count, usd } from './figures.ts';
import type { Report } from './summary.ts';

/** What a chart says in letters: `title` and two groups of `facts` above it, `alt` to those who don't see it. */
export type ChartWords = { title: string; facts: string[][]; alt: string };

/** Enough for every command that we have; keeps alt text far below Slack's 1,000 characters. */
const NAMED_COMMANDS = 8;

export function wordsOf(report: Report): ChartWords {
	const { month, timeZone, commands, days, totals, caps } = report;
	const title = `Calls per day, ${monthName(month)}`;
	const summary = [
		plural(totals.calls, 'call'),
		plural(totals.pictures, 'picture'),
		...(totals.failed > 0 ? [`${count(totals.failed)} failed`] : []),
		...(totals.unknown > 0 ? [`${count(totals.unknown)} with an unknown outcome`] : []),
		...(totals.cost > 0 ? [`${usd(totals.cost)} USD beyond the plan`] : []),
	];
	const outlook = outlookOf(report);

	const busiest = days.reduce((most, day) => (day.calls > most.calls ? day : most), { id: '', calls: 0 });
	const byCommand = commands
		.slice(0, NAMED_COMMANDS)
		.map((command) => `${command} ${count(days.reduce((sum, day) => sum + (day.byCommand.get(command) ?? 0), 0))}`);
	const alt = [
		`Bar chart: calls per day in ${monthName(month)} (${timeZone}), stacked by command`,
		totals.calls === 0
			? ['No calls were counted', ...summary.slice(2)].join(', ')
			: `${summary.join(', ')}; ${byCommand.join(', ')}`,
		...(busiest.calls > 0 ? [`Busiest day: ${dayName(busiest.id)} with ${count(busiest.calls)}`] : []),
		...(caps.day === undefined ? [] : [`Daily cap: ${count(caps.day)}`]),
		...outlook,
	];
	return { title, facts: [summary, outlook], alt: `${alt.join('. ')}.` };
}

/** The rest of the month, and the cap over it. */
function outlookOf({ caps, forecast, days, totals }: Report): string[] {
	const cap = caps.month === undefined ? [] : [`Monthly cap: ${count(caps.month)}`];
	const last = days.at(-1);
	if (!forecast || !last || totals.calls === 0) return cap;
	const spent = forecast.spent && `Used up by ${dayName(forecast.spent)}`;
	const cost = forecast.cost > 0 ? ` and ${usd(forecast.cost)} USD` : '';
	return [
		`At this pace ${count(forecast.calls)} ${forecast.calls === 1 ? 'call' : 'calls'}${cost} by ${dayName(last.id)}`,
		...cap,
		...(spent ? [spent] : []),
	];
}

const plural = (number: number, word: string) => `${count(number)} ${word}${number === 1 ? '' : 's'}`;
