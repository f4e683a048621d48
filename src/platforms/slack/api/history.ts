import type { CallWithRetry } from './call-with-retry.ts';
import { LongWaitError } from './rate-limits/long-wait-error.ts';
import type { MessageLocation } from './slack-message.ts';

/** Clocks differ, and a message may be posted just after its process has ended. */
const CLOCK_SKEW_MS = 60_000;
const MAX_PAGES = 5;
/** The first page is as small as unlisted apps get it. https://docs.slack.dev/apis/web-api/rate-limits */
const FIRST_PAGE_SIZE = 15;
const PAGE_SIZE = 100;
/** How long a search may wait for its first page, and for each further one, in milliseconds. Unlisted apps get one a minute. */
const MAX_FIRST_WAIT_MS = 90_000;
const MAX_WAIT_MS = 3000;

/** A message in a history. */
export type HistoryMessage = {
	ts?: string;
	user?: string;
	bot_id?: string;
	metadata?: { event_type?: string; event_payload?: object };
	blocks?: readonly object[];
	files?: readonly { id?: string }[];
};

/**
 * Finds a message of a channel or thread. Returns its `ts`, and undefined also when the rate limit requires too long a wait to read
 * on: a message may then be posted twice, but people get their answer.
 *
 * @param since Unix milliseconds before it was posted
 */
export async function findMessage(
	call: CallWithRetry,
	location: MessageLocation,
	since: number,
	matches: (message: HistoryMessage) => boolean,
): Promise<string | undefined> {
	const oldest = ((since - CLOCK_SKEW_MS) / 1000).toFixed(6);
	let cursor: string | undefined;
	for (let page = 0; page < MAX_PAGES; page++) {
		const read = await readHistory(call, location, { oldest, ...(cursor && { cursor }) }, waitOf(page)).catch(
			unlessLongWait,
		);
		if (!read) return undefined;
		const { messages, next } = read;
		const found = messages.find(matches);
		if (found?.ts) return found.ts;
		if (next === undefined) return undefined;
		cursor = next;
	}
	return undefined;
}

const waitOf = (page: number) => (page === 0 ? MAX_FIRST_WAIT_MS : MAX_WAIT_MS);

function unlessLongWait(error: unknown): undefined {
	if (!(error instanceof LongWaitError)) throw error;
}

/** Reads one page of a channel or thread. `next` is the cursor of the next page. */
export async function readHistory(
	call: CallWithRetry,
	{ server, channel, thread }: MessageLocation,
	range: { oldest: string; latest?: string; cursor?: string },
	maxWaitMs?: number,
): Promise<{ messages: readonly HistoryMessage[]; next: string | undefined }> {
	const limit = range.cursor === undefined ? FIRST_PAGE_SIZE : PAGE_SIZE;
	const query = { channel, ...range, inclusive: true, include_all_metadata: true, limit };
	const options = { idempotent: true, ...(maxWaitMs !== undefined && { maxWaitMs }) };
	const { messages = [], response_metadata } =
		thread === undefined
			? await call(server, 'conversations.history', (client) => client.conversations.history(query), options)
			: await call(
					server,
					'conversations.replies',
					(client) => client.conversations.replies({ ...query, ts: thread }),
					options,
				);
	return { messages: messages as HistoryMessage[], next: response_metadata?.next_cursor || undefined };
}
