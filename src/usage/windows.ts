/** A day or a month in which calls are counted, in a server's own time zone. */
export type Window = {
	/** `2026-11-20` for a day, `2026-11` for a month. */
	id: string;
	/** When the next window begins and caps reset, in Unix milliseconds. */
	resetsAt: number;
};

/**
 * Returns the day and the month that contain an instant.
 *
 * @param at Unix milliseconds
 * @param timeZone IANA name; a day is as long as this zone makes it, so one with a clock change has 23 or 25 hours
 */
export function windowsAt(at: number, timeZone: string): { day: Window; month: Window } {
	const today = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).toPlainDate();
	const month = today.toPlainYearMonth();
	const start = (date: Temporal.PlainDate) => date.toZonedDateTime(timeZone).epochMilliseconds;
	return {
		day: { id: today.toString(), resetsAt: start(today.add({ days: 1 })) },
		month: { id: month.toString(), resetsAt: start(month.add({ months: 1 }).toPlainDate({ day: 1 })) },
	};
}
