import type { CallKind, Debit, Job } from '../domain/job.ts';
import { type Change, DAY_MS, type Space } from '../store/store.ts';

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

/** The part of a server's settings that decides its windows. */
export type Zone = {
	timeZone: string;
	/** The zone that holds until a change of it begins, at Unix milliseconds. */
	previousZone?: { timeZone: string; until: number };
	/** Windows of stores in which a change of the zone held at once: ids of later windows ended in the number of changes. */
	carried?: { changes: number; day: Window; month: Window };
};

/** Returns the time zone in which a server counts at an instant, in Unix milliseconds. */
export const zoneAt = ({ timeZone, previousZone }: Zone, at: number): string =>
	previousZone && at < previousZone.until ? previousZone.timeZone : timeZone;

/** Returns the day and the month that a server counts calls in at an instant, in Unix milliseconds. */
export function serverWindows(zone: Zone, at: number): Windows {
	const { carried } = zone;
	const windows = windowsAt(at, zoneAt(zone, at));
	if (!carried) return windows;
	const windowOf = (period: keyof Windows): Window =>
		at < carried[period].resetsAt
			? carried[period]
			: { ...windows[period], id: `${windows[period].id}.${carried.changes}` };
	return { day: windowOf('day'), month: windowOf('month') };
}

/** The counters: calls, chat turns, and what calls cost, in micro-USD. */
const KINDS = ['count', 'chat', 'usd'] as const;

/** Returns the kind of call that a limit, a job or a receipt is about. */
export const callKindOf = ({ what = 'pictures' }: { what?: CallKind }): CallKind => what;

/** Returns the key of a counter. Ids of servers and people may hold any character, so a key is compared, never split. */
export const counterKey = (kind: (typeof KINDS)[number], ...parts: readonly string[]): string =>
	[kind, ...parts].join(':');

/** Further counters of a server, whose windows are those of UTC: the operator's, and what is spent beyond the plan. */
const FURTHER = [
	{ owner: counterKey('count', 'operator', 'server', ''), ending: '.utc' },
	{ owner: counterKey('count', 'beyond', ''), ending: '.beyond' },
];
const OF_MONEY = '.usd';

/**
 * Returns where a counter is stored: an entry has what was counted for an owner in a month, by the ids of the windows, and the money beside
 * the calls. The further counters of a server are beside the server's own.
 */
export function counterField(name: string): { key: string; field: string } {
	const hasMoney = isMoney(name);
	const counted = hasMoney ? counterKey('count', name.slice('usd:'.length)) : name;
	const end = counted.lastIndexOf(':');
	const [owner, window] = [counted.slice(0, end), counted.slice(end + 1)];
	const further = FURTHER.find((each) => owner.startsWith(each.owner));
	const of = further ? counterKey('count', owner.slice(further.owner.length), 'server') : owner;
	const field = window + (further?.ending ?? '') + (hasMoney ? OF_MONEY : '');
	return { key: `used:${of}:${window.slice(0, '2026-11'.length)}`, field };
}

/** Returns the key of the counter in a field; the inverse of `counterField`. */
export function counterName(entry: string, field: string): string {
	const hasMoney = field.endsWith(OF_MONEY);
	const window = hasMoney ? field.slice(0, -OF_MONEY.length) : field;
	const owner = entry.slice('used:'.length, -':2026-11'.length);
	const further = FURTHER.find(({ ending }) => window.endsWith(ending));
	const name = further
		? further.owner + owner.slice('count:'.length, -'server'.length) + window.slice(0, -further.ending.length)
		: `${owner}:${window}`;
	return hasMoney ? counterKey('usd', name.slice('count:'.length)) : name;
}

/** Tells whether a counter is one of money. */
export const isMoney = (key: string): boolean => key.startsWith('usd:');

/** Returns the day of the server that counted a call: its counters end in it. */
export function dayOf({ place: { platform, server }, debits, at }: Job): string {
	const own = (['count', 'chat'] as const).map((kind) => counterKey(kind, platform, server, ''));
	const days = debits.map(([key]) => (own.some((prefix) => key.startsWith(prefix)) ? DAY.exec(key)?.[1] : undefined));
	return days.find((day) => day !== undefined) ?? windowsAt(at, 'UTC').day.id;
}

/** The id of a day at the end of a counter's key; see `serverWindows`. */
const DAY = /:(\d{4}-\d{2}-\d{2})(?:\.\d+)?$/;

/** Returns how much the counters with these keys have counted. */
export async function readCounters({ keyv }: Space, counters: readonly { key: string }[]): Promise<number[]> {
	const fields = counters.map(({ key }) => counterField(key));
	const keys = [...new Set(fields.map(({ key }) => key))];
	const values = await keyv.getMany<Record<string, number>>(keys);
	return fields.map(({ key, field }) => values[keys.indexOf(key)]?.[field] ?? 0);
}

/** Tells whether a counter is one of a server's own caps in one of its windows. */
export const isServerCounter = (
	key: string,
	{ platform, server }: { platform: string; server: string },
	{ day, month }: Windows,
): boolean =>
	KINDS.some((kind) => key.startsWith(counterKey(kind, platform, server, ''))) &&
	(key.endsWith(`:${day.id}`) || key.endsWith(`:${month.id}`));

/** Time zones differ from UTC by up to 14 hours. */
const MARGIN_MS = 3 * DAY_MS;

/** Returns the step of a commit that changes a counter. A counter is kept as long as receipts of its month. */
export function counterStep(
	[key, by]: Debit,
	now: number,
	retentionMs: number,
	atMost?: number,
): NonNullable<Change['add']>[number] {
	const counter = counterField(key);
	const ttlMs = Math.max(DAY_MS, beginningOf(counter.key, 1) + MARGIN_MS + retentionMs - now);
	return { ...counter, by, ttlMs, atMost };
}

/** Returns when the window of a counter begins in UTC, or some months later. Its key ends in the id of a day or a month; see `serverWindows`. */
function beginningOf(key: string, months = 0): number {
	const [window = ''] = key.slice(key.lastIndexOf(':') + 1).split('.');
	const [year = 0, month = 1, day = 1] = window.split('-').map(Number);
	return Date.UTC(year, month - 1 + months, day);
}

/** A counter that differs from the sum of the calls that were taken from it. */
export type CounterMismatch = { key: string; counted: number; computed: number };

/**
 * Recomputes every counter of whose window all calls are still stored, and returns those that differ from the sum of the calls. The result
 * is exact only while no call is made.
 *
 * @param space the ledger's
 */
export async function findMismatches(
	space: Space,
	{ now, retentionMs }: { now(): number; retentionMs: number },
): Promise<CounterMismatch[]> {
	const computed = new Map<string, number>();
	for await (const [, value] of space.list('job:')) {
		const { outcome, debits } = value as Job;
		// A failed call was given back.
		if (outcome !== 'failed') for (const [key, by] of debits) computed.set(key, (computed.get(key) ?? 0) + by);
	}
	const counted = new Map<string, number>();
	for await (const [entry, value] of space.list('used:'))
		for (const [field, count] of Object.entries(value as Record<string, number>))
			counted.set(counterName(entry, field), count);
	const mismatches: CounterMismatch[] = [];
	for (const key of new Set([...counted.keys(), ...computed.keys()])) {
		const mismatch = { key, counted: counted.get(key) ?? 0, computed: computed.get(key) ?? 0 };
		if (mismatch.counted === mismatch.computed) continue;
		const entry = counterField(key).key;
		const { expires } = (await space.keyv.getRaw(entry)) ?? {};
		// When it expires tells for how long calls were stored when it was created: the operator may have raised that since.
		const storedMs = expires ? expires - beginningOf(entry, 1) - MARGIN_MS : Number.POSITIVE_INFINITY;
		if (beginningOf(key) - DAY_MS >= now() - Math.min(retentionMs, storedMs)) mismatches.push(mismatch);
	}
	return mismatches;
}
