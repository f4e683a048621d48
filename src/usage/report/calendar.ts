import type { Translate } from '../../i18n/translator.ts';
import { windowsAt } from '../windows.ts';

/** A day of a server's month, from `starts` until just before `ends`, in Unix milliseconds. */
export type Day = { id: string; starts: number; ends: number };

/**
 * Returns the days of a month as counters count them: as long as the zone makes them, without days that the zone skipped.
 *
 * @param month `2026-11`
 * @param timeZone IANA name
 * @throws RangeError when the month is written in another form
 */
export function daysOf(month: string, timeZone: string): Day[] {
	let starts = firstOf(month).toZonedDateTime(timeZone).epochMilliseconds;
	const days: Day[] = [];
	for (;;) {
		const window = windowsAt(starts, timeZone);
		if (window.month.id !== month) return days;
		days.push({ id: window.day.id, starts, ends: window.day.resetsAt });
		starts = window.day.resetsAt;
	}
}

/**
 * Returns when a month begins and ends in a time zone, in Unix milliseconds.
 *
 * @throws RangeError when the month is written in another form
 */
export function spanOf(month: string, timeZone: string): { from: number; to: number } {
	const first = firstOf(month);
	const start = (date: Temporal.PlainDate) => date.toZonedDateTime(timeZone).epochMilliseconds;
	return { from: start(first), to: start(first.add({ months: 1 })) };
}

/** Formats a month: `November 2026`. */
export const monthName = (t: Translate, month: string) =>
	formatDate(t, firstOf(month), { month: 'long', year: 'numeric' });

/** Formats a day without its year: `24 November`. */
export const dayName = (t: Translate, day: string) =>
	formatDate(t, Temporal.PlainDate.from(day), { day: 'numeric', month: 'long' });

const formatDate = ({ language }: Translate, date: Temporal.PlainDate, parts: Intl.DateTimeFormatOptions) =>
	// As an instant, because `Intl` formats a `PlainDate` of the ISO calendar as ISO 8601.
	new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, { ...parts, timeZone: 'UTC' }).format(
		date.toZonedDateTime('UTC').epochMilliseconds,
	);

function firstOf(month: string): Temporal.PlainDate {
	if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month))
		throw new RangeError('A month must be written as year and month: 2026-11.');
	return Temporal.PlainDate.from(`${month}-01`);
}
