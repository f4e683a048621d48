import { migrate } from '../store/migrate.ts';
import type { Store } from '../store/store.ts';
import { markRestoredCalls } from '../usage/jobs.ts';
import { type CounterMismatch, findMismatches } from '../usage/verify.ts';
import { Conversations } from './chat/conversations.ts';

export type RestoredState = {
	/** Calls that had not been sent at the backup, and are now treated as sent. */
	markedCalls: number;
	/** Threads in which people waited for an answer at the backup. */
	droppedTurns: number;
	/** Counters that differ from their receipts, as they did in the backup. */
	mismatches: CounterMismatch[];
};

/**
 * Adapts a restored store to the time that has passed since its backup: no call is made that may have been made since then, and
 * data that was erased since then is erased again. Calling it again after a crash gives the same result.
 */
export async function adaptRestoredStore(
	store: Store,
	options: { retentionMs: number; now(): number },
): Promise<RestoredState> {
	await migrate(store, options);
	const markedCalls = await markRestoredCalls(store.space('ledger'));
	const droppedTurns = await dropWaitingTurns(new Conversations(store.space('chats'), options.retentionMs));
	const mismatches = await findMismatches(store.space('ledger'), options);
	return { markedCalls, droppedTurns, mismatches };
}

/** Messages that waited were probably answered after the backup. */
async function dropWaitingTurns(conversations: Conversations): Promise<number> {
	let dropped = 0;
	for await (const { place } of conversations.waiting()) {
		await conversations.waitNoLonger(place);
		dropped += 1;
	}
	return dropped;
}
