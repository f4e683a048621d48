import type { Once } from '../../shared/once.ts';

/** Slack delivers an event again at once, after one and after five minutes. https://docs.slack.dev/apis/events-api/#retries */
const TTL_MS = 10 * 60_000;

/** Recognizes what was delivered before, to any process: the same event again, or the same message in another event. */
export class Dedupe {
	readonly #once: Once;

	constructor(once: Once) {
		this.#once = once;
	}

	/** Returns true the first time for an id. */
	first(id: string): Promise<boolean> {
		return this.#once(`seen:${id}`, TTL_MS);
	}
}
