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

	constructor(once: Once, log: Log) {
		this.#once = once;
		this.#log = log;
	}

	/** Returns true the first time for an id. */
	first(id: string): Promise<boolean> {
		return this.#once(`seen:${id}`, TTL_MS);
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
