import { setTimeout as sleep } from 'node:timers/promises';
import type { webApi } from '@slack/bolt';
import { request } from 'undici';
import type { Place, Reply } from '../../../domain/channel.ts';
import { quoted } from '../../../domain/text.ts';
import type { Slack } from '../slack.ts';
import { type Image, imagesIn, MENTION, type MessageBlocks, messageBlocksOf, plainBlocksOf } from './blocks.ts';
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
	return imagesIn((await messageAt(slack, message, maxWaitMs))?.blocks ?? []);
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
function plainIfRefused<Result>(body: MessageBlocks, write: (body: MessageBlocks) => Promise<Result>): Promise<Result> {
	// Slack refuses pictures that it has not processed yet with the same code.
	const isRefused = (error: unknown) => areBlocksRefused(error) && imagesIn(body.blocks).length === 0;
	return write(body).catch(orElse(isRefused, () => write({ ...body, blocks: plainBlocksOf(body.blocks) })));
}

const contentOf = ({ channel, thread }: MessageLocation, { text, blocks }: MessageBlocks) => ({
	...{ channel, text, thread_ts: thread as string },
	...(blocks.length > 0 && { blocks }),
});

const metadataOf = (key: string | undefined) =>
	key === undefined ? {} : { metadata: { event_type: KEY_EVENT, event_payload: { key } } };

/** Returns a message of a reply's text and buttons, with pictures that are uploaded already. */
export async function bodyOf(
	slack: Slack,
	server: string,
	{ text, notify, buttons = [] }: Reply,
	images: readonly Image[] = [],
): Promise<MessageBlocks> {
	return messageBlocksOf(await withNames(slack, server, text), images, buttons, notify);
}

/** Markup that notifies many people, or that is not Markdown. A zero-width space after `<` disables it. */
const SPECIAL_MENTION = /<(?=!(?:here|channel|everyone|subteam|date)\b)/g;

/**
 * Returns a Markdown text with names in place of mentions, so that they notify nobody. Slack's Markdown blocks do not document mentions by
 * id, and a mention of a person would notify them.
 */
async function withNames({ people }: Slack, server: string, text: string): Promise<string> {
	const names = await people.namesIn(server, text);
	const shown = (_: string, sign: string, id: string) => {
		const name = names.get(sign + id);
		if (sign !== '#') return `@${quoted(name ?? id)}`;
		// https://docs.slack.dev/interactivity/deep-linking
		return name ? `#${quoted(name)}` : `[#${id}](https://slack.com/app_redirect?channel=${id})`;
	};
	return text.replace(MENTION, shown).replace(SPECIAL_MENTION, '<\u200b');
}

const SILENCE_MS = 10_000;

/** Of the five replies that an address takes, so many are tried for one message. */
const MAX_URL_TRIES = 3;
/** How long one waits because Slack says so (429). */
const MAX_PAUSE_MS = 5000;

/** The person whose command, button or message is answered. */
export type SlackRequester = {
	user: string;
	/** Slack's address for replies, where the request came with one. */
	responseUrl?: string;
	/** The address came with a slash command: it replaces what was posted through it. That of a button replaces the button's message. */
	isCommand?: true;
	/** They are in a conversation between people, which nobody can invite the bot to. */
	isTalk?: boolean;
};

/** Posts a message that only the requester sees. Returns false when Slack accepts it in no way. It may come twice. */
export async function postEphemeral(
	slack: Slack,
	place: Place,
	reply: Reply,
	{ user, responseUrl }: SlackRequester,
): Promise<boolean> {
	const body = await bodyOf(slack, place.server, reply);
	const byUrl = async () => responseUrl !== undefined && respond(slack, responseUrl, 'post', body);
	const post = (accepted: MessageBlocks) =>
		slack.call(place.server, 'chat.postEphemeral', { ...contentOf(place, accepted), user });
	// The response URL works where the bot is not a member, but posts outside of the thread.
	if (place.thread === undefined && (await byUrl())) return true;
	try {
		await plainIfRefused(body, post);
		return true;
	} catch (err) {
		slack.log.debug({ err }, 'An ephemeral message could not be posted');
		return place.thread !== undefined && (await byUrl());
	}
}

/** Posts an ephemeral message of one sentence that links to a message, as far as Slack returns its address. */
export async function postLink(
	slack: Slack,
	place: Place,
	sentence: string,
	to: SlackMessage,
	requester: SlackRequester,
): Promise<void> {
	const address = await permalinkOf(slack, to).catch(() => undefined);
	await postEphemeral(slack, place, { text: address ? `[${sentence}](${address})` : sentence }, requester);
}

/**
 * Replies through the address that comes with a command or button: at most five within 30 minutes, also in channels that the bot is
 * not a member of. Returns false when the address takes no more. After a failure it is plain text, which Slack never refuses.
 * https://docs.slack.dev/interactivity/handling-user-interaction#message_responses
 *
 * @param reply `'post'` posts a message that only the requester sees; `'replace'` and `'delete'` are for the ephemeral message whose button
 * the address came with
 */
export async function respond(
	{ hosts, agent }: Slack,
	address: string,
	reply: 'post' | 'replace' | 'delete',
	{ text, blocks }: Partial<MessageBlocks> = {},
): Promise<boolean> {
	const url = URL.parse(address);
	if (!url || !hosts.mayCall(url)) return false;
	for (let tries = 1; tries <= MAX_URL_TRIES; tries++) {
		const shown = tries === 1 ? blocks : blocks && plainBlocksOf(blocks);
		const payload = {
			post: { response_type: 'ephemeral', replace_original: false, text, ...(shown?.length && { blocks: shown }) },
			replace: { replace_original: true, text, blocks: shown },
			delete: { delete_original: true },
		}[reply];
		const sent = { method: 'POST', dispatcher: agent, headersTimeout: SILENCE_MS, headers: JSON_TYPE } as const;
		const answer = await request(url, { ...sent, body: JSON.stringify(payload) }).catch(() => undefined);
		await answer?.body.dump().catch(() => {});
		if (answer?.statusCode === 200 || answer?.statusCode === 404) return answer.statusCode === 200;
		await sleep(Math.min(MAX_PAUSE_MS, 1000 * (Number(answer?.headers['retry-after']) || 0)));
	}
	return false;
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
