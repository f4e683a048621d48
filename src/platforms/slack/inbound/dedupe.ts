import type { Dedupe, Once } from '../parts.ts';

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
