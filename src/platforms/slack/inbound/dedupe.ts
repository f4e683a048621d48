import type { Once } from '../../shared/once.ts';

/** What was delivered before. */
export type Dedupe = {
	/** True the first time for all of the names that one thing comes under: the event's id, its message. */
	first(...names: string[]): Promise<boolean>;
};

/** Slack delivers an event again at once, after a minute and after five. https://docs.slack.dev/apis/events-api/#retries */
const REMEMBERED_MS = 10 * 60_000;

/** What was delivered before, whichever process it came to: the same event again, and the same message by another event. */
export function createDedupe(once: Once): Dedupe {
	return {
		async first(...names) {
			const first = await Promise.all(names.map((name) => once(`seen:${name}`, REMEMBERED_MS)));
			return first.every(Boolean);
		},
	};
}
