import type { Translate } from '../../i18n/translator.ts';
import { windowsAt } from '../windows.ts';

/** A day of a server's month: from `starts` to just before `ends`, Unix milliseconds. */
export type Day = { id: string; starts: number; ends: number };

/**
 * The days of a month as the counters' windows have them: as long as the zone makes them, and without those that it skipped.
 * @param month `2026-11`
 * @param timeZone IANA name
 * @throws RangeError with a sentence when that is no month
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

/** `November 2026` */
export const monthName = (t: Translate, month: string) =>
	inWords(t, firstOf(month), { month: 'long', year: 'numeric' });

/** `24 November` */
export const dayName = (t: Translate, day: string) =>
	inWords(t, Temporal.PlainDate.from(day), { day: 'numeric', month: 'long' });

const inWords = ({ language }: Translate, date: Temporal.PlainDate, parts: Intl.DateTimeFormatOptions) =>
	// As a point in time, since a date of Temporal’s own calendar is written as ISO does it.
	new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, { ...parts, timeZone: 'UTC' }).format(
		date.toZonedDateTime('UTC').epochMilliseconds,
	);

function firstOf(month: string): Temporal.PlainDate {
	if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) throw new RangeError('A month is written as year and month: 2026-11.');
	return Temporal.PlainDate.from(`${month}-01`);
}
