import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { ChannelLimits } from '../../../domain/channel.ts';
import { KeyedQueue } from '../../../domain/queues.ts';

const MAX_KEYS = 1000;

/**
 * Delays edits to at most `count` in any window of `perMs`, in order. The clients of Discord and Slack do the same when the platform
 * answers 429, so that the core meets the same delay and loses no edit.
 */
export class EditLimiter {
	readonly #wait: (ms: number) => Promise<unknown>;
	readonly #now: () => number;
	readonly #queue = new KeyedQueue();
	/** The times of the last edits, by key. */
	readonly #times = new LRUCache<string, number[]>({ max: MAX_KEYS });

	/** @param now milliseconds of a monotonic clock */
	constructor(wait: (ms: number) => Promise<unknown> = sleep, now: () => number = () => performance.now()) {
		this.#wait = wait;
		this.#now = now;
	}

	/** Resolves when the next edit under this key may be made. */
	wait(key: string, { count, perMs }: ChannelLimits['edits']): Promise<void> {
		return this.#queue.run(key, async () => {
			const times = this.#times.get(key) ?? [];
			const earliest = times.at(-count);
			const dueMs = earliest === undefined ? 0 : earliest + perMs - this.#now();
			if (dueMs > 0) await this.#wait(dueMs);
			this.#times.set(key, [...times, this.#now()].slice(-count));
		});
	}
}
