import { setTimeout as sleep } from 'node:timers/promises';
import type { Installations } from '../installation/installation.ts';
import { type Image, imagesIn, type MessageBlocks, plainBlocksOf } from './blocks.ts';
import type { CallWithRetry } from './calls.ts';
import {
	areBlocksRefused,
	codeOf,
	isMessageGone,
	isNotInChannel,
	isOutcomeUnknown,
	isRateLimited,
} from './slack-errors.ts';

/** The location of a message. */
export type MessageLocation = { server: string; channel: string; thread?: string | undefined };

/** A posted message. */
export type SlackMessage = MessageLocation & { ts: string };

/** Returns the thread of a message, which it may begin. */
export const threadOf = ({ ts, ...location }: SlackMessage): MessageLocation => ({
	...location,
	thread: location.thread ?? ts,
});

/** A message in a history. */
export type HistoryMessage = {
	ts?: string;
	user?: string;
	bot_id?: string;
	text?: string;
	metadata?: { event_type?: string; event_payload?: object };
	blocks?: readonly object[];
	files?: readonly { id?: string }[];
};

/** Identifies a message by the key it is posted under. https://docs.slack.dev/messaging/message-metadata */
const KEY_EVENT = 'easel_post';

/** Clocks differ, and a message may be posted just after its process has ended. */
const CLOCK_SKEW_MS = 60_000;
const MAX_PAGES = 5;
/** The first page is as small as unlisted apps get it. https://docs.slack.dev/apis/web-api/rate-limits */
const FIRST_PAGE_SIZE = 15;
const PAGE_SIZE = 100;
/** How long a search may wait for its first page, and for each further one, in milliseconds. Unlisted apps get one a minute. */
const MAX_FIRST_WAIT_MS = 90_000;
const MAX_WAIT_MS = 3000;

/** How often a message is posted again whose call had no answer and that is not found, and the pause before it is looked for. */
const MAX_REPEATS = 2;
const LOOK_AFTER_MS = 500;

/** Posts, changes and finds the bot's messages. All methods reject as the library does, unless they say otherwise. */
export class Messages {
	readonly #call: CallWithRetry;
	readonly #installations: Installations;

	constructor(call: CallWithRetry, installations: Installations) {
		this.#call = call;
		this.#installations = installations;
	}

	/**
	 * Posts a message. Joins a public channel first when the bot is not a member and may join. A message with a key is posted once, also
	 * when the answer to its call is lost.
	 *
	 * @param key what `findByKey` finds the message by
	 */
	async post(location: MessageLocation, body: MessageBlocks, key?: string): Promise<SlackMessage> {
		const since = Date.now();
		for (let repeats = 0, hasJoined = false; ; ) {
			try {
				return await plainIfRefused(body, (accepted) => this.#post(location, accepted, key));
			} catch (error) {
				if (isNotInChannel(error) && !hasJoined && (await this.#join(location))) hasJoined = true;
				else if (key !== undefined && isOutcomeUnknown(error) && repeats++ < MAX_REPEATS) {
					await sleep(LOOK_AFTER_MS);
					// Where the bot may not read, the message is not repeated.
					const posted = await this.findByKey(location, key, since).catch(() => Promise.reject(error));
					if (posted) return posted;
				} else throw error;
			}
		}
	}

	/**
	 * @param key what `findByKey` finds the message by. Without it, the message keeps what it has
	 * @param maxWaitMs how long the call may wait for Slack's rate limit
	 */
	async update(
		{ server, channel, ts }: SlackMessage,
		body: MessageBlocks,
		key?: string,
		maxWaitMs?: number,
	): Promise<void> {
		const options = { idempotent: true, ...(maxWaitMs !== undefined && { maxWaitMs }) };
		await plainIfRefused(body, ({ text, blocks }) => {
			const args = { channel, ts, text, blocks, ...metadataOf(key) };
			return this.#call(server, 'chat.update', (client) => client.chat.update(args), options);
		});
	}

	/** Resolves also when the message is gone already. */
	async remove({ server, channel, ts }: SlackMessage): Promise<void> {
		try {
			await this.#call(server, 'chat.delete', (client) => client.chat.delete({ channel, ts }), { idempotent: true });
		} catch (error) {
			if (!isMessageGone(error)) throw error;
		}
	}

	/** Posts a message that only one person sees, and that Slack does not keep. It may come twice: that is better than not at all. */
	async postEphemeral(location: MessageLocation, user: string, body: MessageBlocks): Promise<void> {
		await plainIfRefused(body, (accepted) => {
			const args = { ...contentOf(location, accepted), user };
			return this.#call(location.server, 'chat.postEphemeral', (client) => client.chat.postEphemeral(args), {
				idempotent: true,
			});
		});
	}

	/**
	 * Finds the message that was posted under a key.
	 *
	 * @param since Unix milliseconds before it was posted
	 */
	async findByKey(location: MessageLocation, key: string, since: number): Promise<SlackMessage | undefined> {
		const ts = await this.find(location, since, (message) => keyIn(message) === key);
		return ts === undefined ? undefined : { ...location, ts };
	}

	/**
	 * Finds a message of a channel or thread. Returns its `ts`, and undefined also when the rate limit requires too long a wait to read
	 * on: a message may then be posted twice, but people get their answer.
	 *
	 * @param since Unix milliseconds before it was posted
	 */
	async find(
		location: MessageLocation,
		since: number,
		matches: (message: HistoryMessage) => boolean,
	): Promise<string | undefined> {
		const oldest = ((since - CLOCK_SKEW_MS) / 1000).toFixed(6);
		let cursor: string | undefined;
		for (let page = 0; page < MAX_PAGES; page++) {
			const maxWaitMs = page === 0 ? MAX_FIRST_WAIT_MS : MAX_WAIT_MS;
			const read = await this.read(location, { oldest, ...(cursor && { cursor }) }, maxWaitMs).catch(unlessLimited);
			const found = read?.messages.find(matches);
			if (found?.ts) return found.ts;
			if (read?.next === undefined) return undefined;
			cursor = read.next;
		}
		return undefined;
	}

	/** Reads one page of a channel or thread. `next` is the cursor of the next page. */
	async read(
		{ server, channel, thread }: MessageLocation,
		range: { oldest?: string; latest?: string; cursor?: string },
		maxWaitMs?: number,
	): Promise<{ messages: readonly HistoryMessage[]; next: string | undefined }> {
		const limit = range.cursor === undefined ? FIRST_PAGE_SIZE : PAGE_SIZE;
		const query = { channel, ...range, inclusive: true, include_all_metadata: true, limit };
		const options = { idempotent: true, ...(maxWaitMs !== undefined && { maxWaitMs }) };
		const { messages = [], response_metadata } = await (thread === undefined
			? this.#call(server, 'conversations.history', (client) => client.conversations.history(query), options)
			: this.#call(
					server,
					'conversations.replies',
					(client) => client.conversations.replies({ ...query, ts: thread }),
					options,
				));
		return { messages: messages as HistoryMessage[], next: response_metadata?.next_cursor || undefined };
	}

	/**
	 * Returns the pictures that a message of the bot shows.
	 *
	 * @param maxWaitMs how long the call may wait for Slack's rate limit
	 */
	async imagesOf({ ts, ...location }: SlackMessage, maxWaitMs?: number): Promise<Image[]> {
		const { messages } = await this.read(location, { oldest: ts, latest: ts }, maxWaitMs);
		return imagesIn(messages.find((message) => message.ts === ts)?.blocks ?? []);
	}

	/** Returns the address of a message, or undefined when it is gone. */
	async permalink({ server, channel, ts }: SlackMessage): Promise<string | undefined> {
		const args = { channel, message_ts: ts };
		try {
			const options = { idempotent: true };
			return (await this.#call(server, 'chat.getPermalink', (client) => client.chat.getPermalink(args), options))
				.permalink;
		} catch (error) {
			if (isMessageGone(error) || codeOf(error) === 'channel_not_found') return undefined;
			throw error;
		}
	}

	/** Tells whether every member of the workspace can see a channel; undefined when it cannot be read. */
	async isPublic(server: string, channel: string): Promise<boolean | undefined> {
		try {
			const options = { idempotent: true };
			const info = await this.#call(
				server,
				'conversations.info',
				(client) => client.conversations.info({ channel }),
				options,
			);
			return info.channel?.is_channel === true && info.channel.is_private !== true;
		} catch (error) {
			if (codeOf(error) === undefined) throw error;
			return undefined;
		}
	}

	/** Returns the channel of the direct messages with a person. */
	async openDirect(server: string, user: string): Promise<string> {
		const options = { idempotent: true };
		const { channel } = await this.#call(
			server,
			'conversations.open',
			(client) => client.conversations.open({ users: user }),
			options,
		);
		if (!channel?.id) throw new Error('Slack opened no direct messages');
		return channel.id;
	}

	async #post(location: MessageLocation, body: MessageBlocks, key: string | undefined): Promise<SlackMessage> {
		const args = { ...contentOf(location, body), unfurl_links: false, unfurl_media: false, ...metadataOf(key) };
		const { server, channel } = location;
		const { ts } = await this.#call(server, 'chat.postMessage', (client) => client.chat.postMessage(args), { channel });
		if (!ts) throw new Error('Slack posted a message without its timestamp');
		return { ...location, ts };
	}

	/** Joins a public channel where the scope was granted. Returns whether the bot is a member now. */
	async #join({ server, channel }: MessageLocation): Promise<boolean> {
		const scopes = (await this.#installations.of(server))?.scopes ?? [];
		if (!channel.startsWith('C') || !scopes.includes('channels:join')) return false;
		return this.#call(server, 'conversations.join', (client) => client.conversations.join({ channel })).then(
			() => true,
			() => false,
		);
	}
}

/** Writes a message, as plain text where Slack refuses its Markdown. */
async function plainIfRefused<Result>(
	body: MessageBlocks,
	write: (body: MessageBlocks) => Promise<Result>,
): Promise<Result> {
	try {
		return await write(body);
	} catch (error) {
		// Slack refuses pictures that it has not processed yet with the same code.
		if (!areBlocksRefused(error) || imagesIn(body.blocks).length > 0) throw error;
		return write({ ...body, blocks: plainBlocksOf(body.blocks) });
	}
}

function unlessLimited(error: unknown): undefined {
	if (!isRateLimited(error)) throw error;
}

const contentOf = ({ channel, thread }: MessageLocation, { text, blocks }: MessageBlocks) => ({
	channel,
	text,
	...(blocks.length > 0 && { blocks }),
	...(thread !== undefined && { thread_ts: thread }),
});

const metadataOf = (key: string | undefined) =>
	key === undefined ? {} : { metadata: { event_type: KEY_EVENT, event_payload: { key } } };

/** Returns the key that a message was posted under; undefined for messages without one. */
function keyIn({ metadata }: HistoryMessage): string | undefined {
	const { key } = (metadata?.event_type === KEY_EVENT ? metadata.event_payload : {}) as { key?: unknown };
	return typeof key === 'string' ? key : undefined;
}
