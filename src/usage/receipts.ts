import { callKindOf, type Job, type Receipt } from '../domain/job.ts';
import type { Place, ServerId } from '../domain/place.ts';
import { idOfMember, pagesOf, timedMember, timeKey } from '../store/pages.ts';
import type { Space } from '../store/store.ts';
import { windowsAt } from './settings/windows.ts';

/** A span of time in Unix milliseconds; `to` is exclusive. */
export type Span = { from: number; to: number };

/**
 * Tells whether a receipt belongs to a call. Earlier versions wrote receipts without a command, for the calls that a counter had not seen
 * before it got a cap.
 */
export const isOfCall = ({ command }: Receipt): boolean => command !== '';

export const receiptKey = ({ place, id }: Pick<Job, 'place' | 'id'>) =>
	`receipt:${place.platform}:${place.server}:${id}`;

/** The index of a server's receipts of a month (UTC) by time. A member is the time of the reservation and the job's id. */
export const receiptsIndex = ({ platform, server }: ServerId, month: string) =>
	`receipts:${month}:${platform}:${server}`;

/** The index of the months of servers that have receipts, oldest first. */
export const MONTHS = 'months';

/** Tells whether reports contain a call. Chat turns have caps of their own, and count with their tokens alone. */
export const isReported = (receipt: Receipt): boolean =>
	callKindOf(receipt) === 'pictures' || receipt.tokens !== undefined;

/** Returns the entry of a receipt, and the members of the indexes by which it is found. */
export const receiptEntries = (receipt: Receipt) => ({
	put: [{ key: receiptKey(receipt), value: receipt }],
	index: [
		{ index: receiptsIndex(receipt.place, monthOf(receipt.at)), member: timedMember(receipt.at, receipt.id) },
		{ index: MONTHS, member: `${monthOf(receipt.at)}:${receipt.place.platform}:${receipt.place.server}` },
	],
});

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
			const keys = members.map((member) => receiptKey({ place: server as Place, id: idOfMember(member) }));
			for (const receipt of await space.keyv.getMany<Receipt>(keys)) if (receipt && isOfCall(receipt)) yield receipt;
		}
	}
}

/** Returns a month in UTC, such as `2026-11`. */
const monthOf = (at: number): string => windowsAt(at, 'UTC').month.id;

/** Returns the months in UTC that a span touches. */
function monthsIn({ from, to }: Span): string[] {
	const months: string[] = [];
	let month = Temporal.PlainYearMonth.from(monthOf(from));
	for (; Temporal.PlainYearMonth.compare(month, monthOf(to)) <= 0; month = month.add({ months: 1 }))
		months.push(month.toString());
	return months;
}
