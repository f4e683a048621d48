import type { Skill } from '../talk.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

const ASKED =
	/\bwhat(?:'s| is| was| will be)?\s+(?:the |today'?s |tomorrow'?s |yesterday'?s )?(?:day|date|time|year|month)\b|\bwhat (?:day|date|time|year|month) is\b|\bwhich (?:day|year|month)\b|\bwhat (?:day )?(?:is|was) (?:it )?(?:today|tomorrow|yesterday)\b|\btoday'?s date\b|\b(?:time|date) is it\b/i;

/** Tells the day and the time, in UTC: the person's time zone is not known. */
export const tellDate: Skill = ({ said, now }) => {
	if (!ASKED.test(said)) return undefined;
	if (/\btime\b/i.test(said)) return `It is ${now.toISOString().slice(11, 16)} UTC on ${day(now)}.`;
	if (/\btomorrow/i.test(said)) return `Tomorrow is ${day(new Date(now.getTime() + DAY_MS))} (UTC).`;
	if (/\byesterday/i.test(said)) return `Yesterday was ${day(new Date(now.getTime() - DAY_MS))} (UTC).`;
	return `Today is ${day(now)} (UTC).`;
};

function day(date: Date) {
	return new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' }).format(date);
}
