/** A day or a month in which calls are counted, in a server's own time zone. */
export type Window = {
	/** `2026-11-20` for a day, `2026-11` for a month. */
	id: string;
	/** Unix milliseconds. */
	startsAt: number;
	/** When the next window begins and caps reset, in Unix milliseconds. */
	resetsAt: number;
};

export type Windows = { day: Window; month: Window };

/** The windows that were computed last, by time zone. There are some 600 zones, and a day of each changes once a day. */
const latest = new Map<string, Windows>();

/**
 * Returns the day and the month that contain an instant.
 *
 * @param at Unix milliseconds
 * @param timeZone IANA name; a day is as long as this zone makes it, so one with a clock change has 23 or 25 hours
 */
export function windowsAt(at: number, timeZone: string): Windows {
	const known = latest.get(timeZone);
	if (known && known.day.startsAt <= at && at < known.day.resetsAt) return known;
	const windows = computeWindows(at, timeZone);
	latest.set(timeZone, windows);
	return windows;
}

function computeWindows(at: number, timeZone: string): Windows {
	const today = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).toPlainDate();
	const month = today.toPlainYearMonth();
	const start = (date: Temporal.PlainDate) => date.toZonedDateTime(timeZone).epochMilliseconds;
	const firstOf = (each: Temporal.PlainYearMonth) => start(each.toPlainDate({ day: 1 }));
	return {
		day: { id: today.toString(), startsAt: start(today), resetsAt: start(today.add({ days: 1 })) },
		month: { id: month.toString(), startsAt: firstOf(month), resetsAt: firstOf(month.add({ months: 1 })) },
	};
}
