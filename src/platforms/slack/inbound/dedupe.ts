import { LRUCache } from 'lru-cache';
import type { Log } from '../../../log.ts';
import type { Once } from '../../shared/once.ts';

/** Slack delivers an event again at once, after one and after five minutes. https://docs.slack.dev/apis/events-api/#retries */
const TTL_MS = 10 * 60_000;

/** The number of ids that are known while the store fails. */
const MAX_SEEN = 10_000;

/** Recognizes what was delivered before, to any process: the same event again, or the same message in another event. */
export class Dedupe {
	readonly #once: Once;
	readonly #log: Log;
	/** The ids that this process has seen. */
	readonly #seen = new LRUCache<string, true>({ max: MAX_SEEN, ttl: TTL_MS });

	/** Whether it was the first time for ids, as far as that was asked for beforehand. */
	readonly #found = new LRUCache<string, Promise<boolean>>({ max: MAX_SEEN, ttl: TTL_MS });

	constructor(once: Once, log: Log) {
		this.#once = once;
		this.#log = log;
	}

	/** Returns true the first time for an id. */
	first(id: string): Promise<boolean> {
		const found = this.#found.get(id) ?? this.#once(keyOf(id), TTL_MS);
		this.#found.delete(id);
		return found;
	}

	/**
	 * Finds out by another commit whether it is the first time for an id, which `first` returns then.
	 *
	 * @param commit makes a commit that is refused when the entry exists. Returns whether it was made
	 */
	firstBy(
		id: string,
		commit: (entry: { key: string; value: true; ttlMs: number }) => Promise<boolean>,
	): Promise<boolean> {
		const found = commit({ key: keyOf(id), value: true, ttlMs: TTL_MS });
		this.#found.set(id, found);
		return found;
	}

	/**
	 * As `first`, also while the store fails: then the first time in this process. For requests that the core itself does not handle
	 * twice, and that get a sentence about the store.
	 */
	async firstHere(id: string): Promise<boolean> {
		const isFirst = await this.first(id).catch((error: unknown) => {
			this.#log.error({ err: error }, 'Whether a message was delivered before could not be looked up');
			return !this.#seen.has(id);
		});
		if (isFirst) this.#seen.set(id, true);
		return isFirst;
	}
}

const keyOf = (id: string) => `seen:${id}`;
