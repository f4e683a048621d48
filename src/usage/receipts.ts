import { callKindOf, type Receipt } from '../domain/job.ts';
import type { ServerId } from '../domain/place.ts';
import { remainingMs } from '../store/collection.ts';
import { idOfMember, pagesOf, timedMember, timeKey } from '../store/pages.ts';
import { type Change, joinChanges, type Space } from '../store/store.ts';
import { totalsChange } from './totals.ts';
import { counterKey, windowsAt } from './windows.ts';

/** A span of time in Unix milliseconds; `to` is exclusive. */
export type Span = { from: number; to: number };

/**
 * Tells whether a receipt belongs to a call. Earlier versions wrote receipts without a command, for the calls that a counter had not seen
 * before it got a cap.
 */
const isOfCall = ({ command }: Receipt): boolean => command !== '';

export const receiptKey = ({ place, id }: { place: ServerId; id: string }) =>
	`receipt:${place.platform}:${place.server}:${id}`;

/** The index of a server's receipts of a month (UTC) by time. A member is the time of the reservation and the job's id. */
const receiptsIndex = ({ platform, server }: ServerId, month: string) => `receipts:${month}:${platform}:${server}`;

/** The index of the months (UTC) in which servers made calls, oldest first. */
export const MONTHS = 'months';

/** Tells whether reports contain a call. Chat turns have caps of their own, and count with their tokens alone. */
export const isReported = (receipt: Receipt): boolean =>
	callKindOf(receipt) === 'pictures' || receipt.tokens !== undefined;

/**
 * Returns the part of a settlement that stores the receipt of a call for `retentionMs`, in the indexes by which it is found, and counts the
 * call in the totals, which are permanent.
 */
export function receiptChange(receipt: Receipt, ttlMs: number): Change {
	const { place, id, at } = receipt;
	const month = monthOf(at);
	const day = dayOf(receipt);
	const kept = {
		put: [{ key: receiptKey(receipt), value: { ...receipt, day } satisfies Receipt, ttlMs }],
		index: [
			{ index: receiptsIndex(place, month), member: timedMember(at, id), ttlMs },
			{ index: MONTHS, member: `${month}:${place.platform}:${place.server}` },
		],
	};
	return joinChanges(kept, isReported(receipt) ? totalsChange(receipt, day) : {});
}

/** Returns the day of the server that counted a call: its counters end in it. */
function dayOf({ place: { platform, server }, debits, at }: Receipt): string {
	const own = (['count', 'chat'] as const).map((kind) => counterKey(kind, platform, server, ''));
	const days = debits.map(([key]) => (own.some((prefix) => key.startsWith(prefix)) ? DAY.exec(key)?.[1] : undefined));
	return days.find((day) => day !== undefined) ?? windowsAt(at, 'UTC').day.id;
}

/** The id of a day at the end of a counter's key; see `serverWindows`. */
const DAY = /:(\d{4}-\d{2}-\d{2})(?:\.\d+)?$/;

/** Returns what a member of `MONTHS` names. */
export function serverMonthOf(member: string): { server: ServerId; month: string } {
	const [month = '', platform = '', ...server] = member.split(':');
	return { month, server: { platform, server: server.join(':') } };
}

/** Yields the receipts of a server's calls that were reserved in a span, for pictures and for chat, oldest first. */
export async function* receiptsOf(space: Space, server: ServerId, span: Span): AsyncGenerator<Receipt> {
	const bounds = { after: timeKey(span.from), before: timeKey(span.to) };
	for (const month of monthsIn(span)) {
		for await (const members of pagesOf(space, receiptsIndex(server, month), bounds)) {
			const keys = members.map((member) => receiptKey({ place: server, id: idOfMember(member) }));
			for (const receipt of await space.keyv.getMany<Receipt>(keys)) if (receipt && isOfCall(receipt)) yield receipt;
		}
	}
}

/**
 * Commits a change of a server's receipts or totals, unless others are changed at the same time; then it is made again. Moderators may give
 * back a call while its person erases their data.
 *
 * @param changeOf returns undefined when there is nothing to change
 * @returns whether something was changed
 */
export async function changeAlone(
	space: Space,
	{ platform, server }: ServerId,
	changeOf: () => Promise<Change | undefined>,
): Promise<boolean> {
	const lock = `sums:${platform}:${server}`;
	for (;;) {
		const version = (await space.keyv.get<number>(lock)) ?? 0;
		const change = await changeOf();
		if (!change) return false;
		const add = [{ key: lock, by: 1, atMost: version + 1 }, ...(change.add ?? [])];
		if ((await space.commit({ ...change, add })) === 'done') return true;
	}
}

/** Changes a receipt. @param changeOf returns what it becomes, and what is added to counters in the same commit */
export const changeReceipt = (
	space: Space,
	key: string,
	server: ServerId,
	changeOf: (receipt: Receipt) => { receipt: Receipt; add?: Change['add'] } | undefined,
): Promise<boolean> =>
	changeAlone(space, server, async () => {
		const stored = await space.keyv.getRaw<Receipt>(key);
		const changed = stored?.value && changeOf(stored.value);
		if (!changed) return undefined;
		return { add: changed.add, put: [{ key, value: changed.receipt, ttlMs: remainingMs(stored) }] };
	});

/** Returns a month in UTC, such as `2026-11`. */
export const monthOf = (at: number): string => windowsAt(at, 'UTC').month.id;

/** Returns the months in UTC that a span touches. */
function monthsIn({ from, to }: Span): string[] {
	const months: string[] = [];
	let month = Temporal.PlainYearMonth.from(monthOf(from));
	for (; Temporal.PlainYearMonth.compare(month, monthOf(to)) <= 0; month = month.add({ months: 1 }))
		months.push(month.toString());
	return months;
}
