import { setTimeout as sleep } from 'node:timers/promises';
import type { Channel } from '../../domain/channel.ts';
import type { Place } from '../../domain/place.ts';
import type { Lease } from '../../usage/lease.ts';
import type { RequestOutcome } from '../request-outcome.ts';
import type { BotServices } from '../services.ts';
import type { Answering } from './answering.ts';
import { type Conversations, threadKey } from './conversations.ts';

/** However many keep writing, the first of them does not wait longer than so many pauses. */
const MOST_PAUSES = 4;

/** Whose turn it is in each thread: what people write is gathered, then answered. What idles is in the store alone. */
export type TurnScheduler = {
	/**
	 * Sees to it that what waits in a thread is answered. Resolves when all is, with how the last answer ended.
	 * @param waitMs for what else is written
	 * @param first comes before all that waits; not done where something goes on already
	 */
	attend(
		place: Place,
		channel: Channel,
		waitMs: number,
		first?: () => Promise<RequestOutcome>,
	): Promise<RequestOutcome>;
	/** Resolves or rejects once what goes on in a thread has ended; undefined when nothing does. */
	underWay(place: Place): Promise<RequestOutcome> | undefined;
	/** Resolves once nothing goes on any more that did in such threads. */
	over(matches: (place: Place) => boolean): Promise<void>;
	/** How many threads have something going on: all that is held in memory. */
	busy(): number;
};

/** A thread with something going on. */
type Busy = {
	place: Place;
	channel: Channel;
	/** Somebody has written since the last turn began. */
	again: boolean;
	/** When the next turn begins, and when at the latest; `performance.now()`. */
	due: number;
	latest: number;
	done: Promise<RequestOutcome>;
};

export function createTurnScheduler(parts: {
	services: Pick<BotServices, 'stopping'>;
	conversations: Conversations;
	answering: Pick<Answering, 'next'>;
	lease: Pick<Lease, 'processId'>;
	/** Milliseconds: see `attend`. */
	followUpMs: number;
}): TurnScheduler {
	const { services, conversations, answering, lease, followUpMs } = parts;
	const threads = new Map<string, Busy>();

	function attend(
		place: Place,
		channel: Channel,
		waitMs: number,
		first?: () => Promise<RequestOutcome>,
	): Promise<RequestOutcome> {
		const key = threadKey(place);
		const now = performance.now();
		const latest = now + followUpMs * MOST_PAUSES;
		const there = threads.get(key);
		if (there) {
			if (!there.again) there.latest = latest;
			Object.assign(there, { channel, again: true, due: Math.min(now + waitMs, there.latest) });
			return there.done;
		}
		// Whoever writes sees at once that it was heard; whether more comes is waited for.
		if (waitMs > 0) void channel.typing?.().catch(() => {});
		const busy = { place, channel, again: true, due: now + waitMs, latest } as Busy;
		threads.set(key, busy);
		busy.done = drive(busy, first).finally(() => threads.get(key) === busy && threads.delete(key));
		return busy.done;
	}

	async function drive(busy: Busy, first?: () => Promise<RequestOutcome>): Promise<RequestOutcome> {
		const { place } = busy;
		let ended = (await first?.()) ?? 'answered';
		while (busy.again) {
			await Promise.all([conversations.wait(place, lease.processId), quiet(busy)]);
			// After an answer one more look: what another process has heard meanwhile, it leaves to this one.
			for (let answered = true; busy.again || answered; ) {
				await quiet(busy);
				busy.again = false;
				const state = await answering.next(place, busy.channel);
				answered = state !== undefined;
				ended = state ?? ended;
			}
			// Whoever writes in this very moment sets `again` once more.
			await conversations.waitNoLonger(place);
		}
		threads.delete(threadKey(place));
		return ended;
	}

	async function quiet(busy: Busy) {
		for (let ms = 1; ms > 0 && !services.stopping.aborted; ) {
			ms = busy.due - performance.now();
			if (ms > 0) await sleep(ms, undefined, { signal: services.stopping }).catch(() => {});
		}
	}

	return {
		attend,
		underWay: (place) => threads.get(threadKey(place))?.done,
		async over(matches) {
			await Promise.allSettled([...threads.values()].filter(({ place }) => matches(place)).map(({ done }) => done));
		},
		busy: () => threads.size,
	};
}
