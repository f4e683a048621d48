import { type Window, type Windows, windowsAt } from './windows.ts';

/** A window that was running when the time zone of its server changed. It keeps its counters, and ends at a midnight of the new zone. */
type CarriedWindow = Window & {
	/** When it would have ended without any change, in Unix milliseconds. */
	dueAt: number;
};

export type CarriedWindows = {
	/** How often the zone has changed. It is part of the ids of later windows, so that they are never those of an earlier zone. */
	changes: number;
	day: CarriedWindow;
	month: CarriedWindow;
};

/** The part of a server's settings that decides its windows. */
export type Zone = { timeZone: string; carried?: CarriedWindows };

/** Returns the day and the month that a server counts calls in at an instant, in Unix milliseconds. */
export function serverWindows({ timeZone, carried }: Zone, at: number): Windows {
	const windows = windowsAt(at, timeZone);
	if (!carried) return windows;
	const windowOf = (period: keyof Windows): Window => {
		const { id, startsAt, resetsAt } = windows[period];
		if (at < carried[period].resetsAt) return carried[period];
		return { id: `${id}.${carried.changes}`, startsAt: Math.max(startsAt, carried[period].resetsAt), resetsAt };
	};
	return { day: windowOf('day'), month: windowOf('month') };
}

/**
 * Returns the windows that go on when the zone of a server changes. Each ends at the first midnight of the new zone that is neither
 * past nor earlier than the end that it had. A window is therefore never shorter than without any change, and a cap is never reset by
 * a change; a day lasts up to 24 hours longer (25 when clocks are set back).
 */
export function carryWindows(before: Zone, timeZone: string, at: number): CarriedWindows {
	const running = serverWindows(before, at);
	const carry = (period: keyof Windows): CarriedWindow => {
		const window: Window & Partial<CarriedWindow> = running[period];
		const dueAt = window.dueAt ?? window.resetsAt;
		return { ...window, dueAt, resetsAt: midnightFrom(Math.max(dueAt, at), timeZone) };
	};
	return { changes: (before.carried?.changes ?? 0) + 1, day: carry('day'), month: carry('month') };
}

/** Returns the first beginning of a day that is not before an instant. */
function midnightFrom(at: number, timeZone: string): number {
	const { day } = windowsAt(at, timeZone);
	return day.startsAt === at ? at : day.resetsAt;
}
