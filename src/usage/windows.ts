/** A span of time that calls are counted in, in a server's own time zone. */
export type Window = {
	/** `2026-11-20` for a day, `2026-11` for a month. */
	id: string;
	/** When the next one starts, Unix milliseconds. */
	resetsAt: number;
};

/**
 * The day and the month that an instant falls in.
 * @param at Unix milliseconds
 * @param timeZone IANA name; days are as long as the zone makes them, also where clocks are changed
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
