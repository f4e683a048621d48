import type { Installation } from '../installation/installation.ts';
import type { CallWithRetry } from './call-with-retry.ts';
import { keyIn } from './message-metadata.ts';
import type { MessageLocation } from './slack-message.ts';

/** Clocks differ, and a message may be posted just after its process has ended. */
const CLOCK_SKEW_MS = 60_000;
const MAX_PAGES = 5;
const PAGE_SIZE = 100;

/** A message in a history. */
export type HistoryMessage = {
	ts?: string;
	user?: string;
	bot_id?: string;
	metadata?: { event_type?: string; event_payload?: object };
	streaming_state?: string;
	blocks?: readonly object[];
};

/** Whether a message is a stream of the bot without a key: it is open, or Slack has ended it before the bot did. */
export const isUnfinishedStream = (message: HistoryMessage, self: Installation | undefined): boolean =>
	message.streaming_state !== undefined &&
	keyIn(message) === undefined &&
	self !== undefined &&
	(message.user === self.botUser || message.bot_id === self.bot);

/** Finds a message among the newest of a channel or thread. Returns its `ts`. */
export async function findMessage(
	call: CallWithRetry,
	location: MessageLocation,
	since: number,
	matches: (message: HistoryMessage) => boolean,
): Promise<string | undefined> {
	const oldest = ((since - CLOCK_SKEW_MS) / 1000).toFixed(6);
	let cursor: string | undefined;
	for (let page = 0; page < MAX_PAGES; page++) {
		const { messages, next } = await readHistory(call, location, { oldest, ...(cursor && { cursor }) });
		const found = messages.find(matches);
		if (found?.ts) return found.ts;
		if (next === undefined) return undefined;
		cursor = next;
	}
	return undefined;
}

/** Reads one page of a channel or thread. `next` is the cursor of the next page. */
export async function readHistory(
	call: CallWithRetry,
	{ server, channel, thread }: MessageLocation,
	range: { oldest: string; latest?: string; cursor?: string },
): Promise<{ messages: readonly HistoryMessage[]; next: string | undefined }> {
	const query = { channel, ...range, inclusive: true, include_all_metadata: true, limit: PAGE_SIZE };
	const { messages = [], response_metadata } =
		thread === undefined
			? await call(server, 'conversations.history', (client) => client.conversations.history(query), {
					idempotent: true,
				})
			: await call(
					server,
					'conversations.replies',
					(client) => client.conversations.replies({ ...query, ts: thread }),
					{ idempotent: true },
				);
	return { messages: messages as HistoryMessage[], next: response_metadata?.next_cursor || undefined };
}
