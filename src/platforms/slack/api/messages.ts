import { setTimeout as sleep } from 'node:timers/promises';
import type { webApi } from '@slack/bolt';
import type { Place } from '../../../domain/channel.ts';
import type { Slack } from '../slack.ts';
import { type Image, imagesIn, type MessageBlocks, plainBlocksOf } from './blocks.ts';
import {
	areBlocksRefused,
	hasCode,
	isMessageGone,
	isNotInChannel,
	isOutcomeUnknown,
	isRateLimited,
	isRefused,
	orElse,
	unless,
} from './slack-errors.ts';

export type MessageLocation = { server: string; channel: string; thread?: string | undefined };

export type SlackMessage = MessageLocation & { ts: string };

/** Returns a place in a channel or thread, which counts as no direct messages with the bot. */
export const placeIn = (server: string, channel: string, thread?: string): Place =>
	thread === undefined ? { platform: 'slack', server, channel } : { platform: 'slack', server, channel, thread };

/** Returns the place of one person's direct messages with the bot. */
export const directPlace = (server: string, channel: string): Place => ({ ...placeIn(server, channel), direct: true });

/**
 * Returns the thread that a message is a reply in. The first message of a thread has its own `ts` as `thread_ts`; it counts as a
 * message of the channel. https://docs.slack.dev/messaging/retrieving-messages#threading
 */
export const threadOf = ({ ts, thread_ts }: { ts?: unknown; thread_ts?: unknown }): string | undefined =>
	typeof thread_ts === 'string' && thread_ts !== ts ? thread_ts : undefined;

/** A message of a history. Its metadata come with the event that it was posted with. */
export type HistoryMessage = NonNullable<webApi.ConversationsHistoryResponse['messages']>[number];

/** Identifies a message by the key it is posted under. https://docs.slack.dev/messaging/message-metadata */
const KEY_EVENT = 'easel_post';

/** Clocks differ, and a message may be posted just after its process has ended. */
const CLOCK_SKEW_MS = 60_000;

/** A part of a history, and how long a call for it may wait for Slack's rate limit, in milliseconds. */
type Page = { limit: number; maxWaitMs?: number | undefined };

/** The first page is as small as unlisted apps get it, one a minute. https://docs.slack.dev/apis/web-api/rate-limits */
const FIRST_PAGE: Page = { limit: 15, maxWaitMs: 90_000 };
const FURTHER_PAGE: Page = { limit: 100, maxWaitMs: 3000 };
const SEARCHED_PAGES = [FIRST_PAGE, FURTHER_PAGE, FURTHER_PAGE, FURTHER_PAGE, FURTHER_PAGE];

/** How often a message is posted again whose call had no answer and that is not found, and the pause before it is looked for. */
const MAX_REPEATS = 2;
const LOOK_AFTER_MS = 500;

/**
 * Posts a message. Joins a public channel first when the bot is not a member and may join. A message with a key is posted once, also
 * when the answer to its call is lost.
 *
 * @param key what `findByKey` finds the message by
 */
export async function postMessage(
	slack: Slack,
	location: MessageLocation,
	body: MessageBlocks,
	key?: string,
): Promise<SlackMessage> {
	const since = Date.now();
	for (let repeats = 0, hasJoined = false; ; ) {
		try {
			return await plainIfRefused(body, async (accepted) => {
				const content = { ...contentOf(location, accepted), unfurl_links: false, unfurl_media: false };
				const { ts } = await slack.call(location.server, 'chat.postMessage', { ...content, ...metadataOf(key) });
				if (!ts) throw new Error('Slack posted a message without its timestamp');
				return { ...location, ts };
			});
		} catch (error) {
			if (isNotInChannel(error) && !hasJoined && (await joinChannel(slack, location))) hasJoined = true;
			else if (key !== undefined && isOutcomeUnknown(error) && repeats++ < MAX_REPEATS) {
				await sleep(LOOK_AFTER_MS);
				// Where the bot may not read, the message is not repeated.
				const posted = await findByKey(slack, location, key, since).catch(() => Promise.reject(error));
				if (posted) return posted;
			} else throw error;
		}
	}
}

/**
 * @param key what `findByKey` finds the message by. Without it, the message keeps what it has
 * @param maxWaitMs how long the call may wait for Slack's rate limit
 */
export async function updateMessage(
	slack: Slack,
	{ server, channel, ts }: SlackMessage,
	body: MessageBlocks,
	key?: string,
	maxWaitMs?: number,
): Promise<void> {
	await plainIfRefused(body, ({ text, blocks }) =>
		slack.call(server, 'chat.update', { channel, ts, text, blocks, ...metadataOf(key) }, maxWaitMs),
	);
}

/** Resolves also when the message is gone already. */
export async function removeMessage(slack: Slack, { server, channel, ts }: SlackMessage): Promise<void> {
	await slack.call(server, 'chat.delete', { channel, ts }).catch(unless(isMessageGone));
}

/**
 * Finds the message that was posted under a key.
 *
 * @param since Unix milliseconds before it was posted
 */
export async function findByKey(
	slack: Slack,
	location: MessageLocation,
	key: string,
	since: number,
): Promise<SlackMessage | undefined> {
	const hasKey = ({ metadata: { event_type, event_payload = {} } = {} }: HistoryMessage) =>
		event_type === KEY_EVENT && 'key' in event_payload && event_payload.key === key;
	const ts = await findMessage(slack, location, since, hasKey);
	return ts === undefined ? undefined : { ...location, ts };
}

/**
 * Finds a message of a channel or thread. Returns its `ts`, and undefined also when the rate limit requires too long a wait to read
 * on: a message may then be posted twice, but people get their answer.
 *
 * @param since Unix milliseconds before it was posted
 */
export async function findMessage(
	slack: Slack,
	location: MessageLocation,
	since: number,
	matches: (message: HistoryMessage) => boolean,
): Promise<string | undefined> {
	const oldest = ((since - CLOCK_SKEW_MS) / 1000).toFixed(6);
	try {
		for await (const message of messagesOf(slack, location, { oldest }, SEARCHED_PAGES))
			if (matches(message)) return message.ts;
	} catch (error) {
		if (!isRateLimited(error)) throw error;
	}
	return undefined;
}

/** Yields the messages of a channel or thread, page by page. */
export async function* messagesOf(
	slack: Slack,
	{ server, channel, thread }: MessageLocation,
	range: { oldest?: string; latest?: string },
	pages: readonly Page[],
): AsyncGenerator<HistoryMessage, void> {
	let cursor: string | undefined;
	for (const { limit, maxWaitMs } of pages) {
		const query = { channel, ...range, limit, ...(cursor && { cursor }), inclusive: true, include_all_metadata: true };
		const { messages = [], response_metadata } = await (thread === undefined
			? slack.call(server, 'conversations.history', query, maxWaitMs)
			: slack.call(server, 'conversations.replies', { ...query, ts: thread }, maxWaitMs));
		yield* messages as HistoryMessage[];
		cursor = response_metadata?.next_cursor;
		if (!cursor) return;
	}
}

/**
 * Returns the pictures that a message of the bot shows.
 *
 * @param maxWaitMs how long the call may wait for Slack's rate limit
 */
export async function imagesOf(slack: Slack, message: SlackMessage, maxWaitMs?: number): Promise<readonly Image[]> {
	return imagesIn((await readContent(slack, message, maxWaitMs)).blocks);
}

/** Returns what a message of the bot shows now, see `imagesOf`; nothing where it is gone. */
export async function readContent(slack: Slack, message: SlackMessage, maxWaitMs?: number): Promise<MessageBlocks> {
	const { text = '', blocks = [] } = (await messageAt(slack, message, maxWaitMs)) ?? {};
	return { text, blocks: blocks as MessageBlocks['blocks'] };
}

/** Returns a message as it is now; undefined where it is gone. */
export async function messageAt(slack: Slack, { ts, ...location }: SlackMessage, maxWaitMs?: number) {
	const page = { limit: FIRST_PAGE.limit, maxWaitMs };
	for await (const message of messagesOf(slack, location, { oldest: ts, latest: ts }, [page]))
		if (message.ts === ts) return message;
	return undefined;
}

/** Returns the address of a message, or undefined when it is gone. */
export async function permalinkOf(slack: Slack, { server, channel, ts }: SlackMessage): Promise<string | undefined> {
	const found = slack.call(server, 'chat.getPermalink', { channel, message_ts: ts });
	return (await found.catch(unless(hasCode('message_not_found channel_not_found'))))?.permalink;
}

/** Tells whether every member of the workspace can see a channel; undefined when it cannot be read. */
export async function isPublic(slack: Slack, server: string, channel: string): Promise<boolean | undefined> {
	const info = await slack.call(server, 'conversations.info', { channel }).catch(unless(isRefused));
	return info && info.channel?.is_channel === true && info.channel.is_private !== true;
}

export async function openDirect(slack: Slack, server: string, user: string): Promise<string> {
	const { channel } = await slack.call(server, 'conversations.open', { users: user });
	if (!channel?.id) throw new Error('Slack opened no direct messages');
	return channel.id;
}

/** Joins a public channel where the scope was granted. Returns whether the bot is a member now. */
async function joinChannel(slack: Slack, { server, channel }: MessageLocation): Promise<boolean> {
	const scopes = (await slack.workspaces.of(server))?.scopes ?? [];
	if (!channel.startsWith('C') || !scopes.includes('channels:join')) return false;
	return slack.call(server, 'conversations.join', { channel }).then(
		() => true,
		() => false,
	);
}

/** Writes a message, as plain text where Slack refuses its Markdown. */
export function plainIfRefused<Result>(
	body: MessageBlocks,
	write: (body: MessageBlocks) => Promise<Result>,
): Promise<Result> {
	// Slack refuses pictures that it has not processed yet with the same code.
	const isRefused = (error: unknown) => areBlocksRefused(error) && imagesIn(body.blocks).length === 0;
	return write(body).catch(orElse(isRefused, () => write({ ...body, blocks: plainBlocksOf(body.blocks) })));
}

export const contentOf = ({ channel, thread }: MessageLocation, { text, blocks }: MessageBlocks) => ({
	...{ channel, text, thread_ts: thread as string },
	...(blocks.length > 0 && { blocks }),
});

const metadataOf = (key: string | undefined) =>
	key === undefined ? {} : { metadata: { event_type: KEY_EVENT, event_payload: { key } } };
