import type { Installations } from '../installation/installation.ts';
import { type Image, imagesIn, type MessageBlocks } from './blocks.ts';
import type { CallWithRetry } from './call-with-retry.ts';
import { findMessage, readHistory } from './history.ts';
import { keyIn, metadataOf } from './message-metadata.ts';
import { codeOf, isMessageGone, isNotInChannel } from './slack-errors.ts';
import type { MessageLocation, SlackMessage } from './slack-message.ts';

/** Posts, changes and finds the bot's messages. All methods reject as the library does, unless they say otherwise. */
export class SlackApi {
	readonly #call: CallWithRetry;
	readonly #installations: Installations;

	constructor(call: CallWithRetry, installations: Installations) {
		this.#call = call;
		this.#installations = installations;
	}

	/**
	 * Posts a message. Joins a public channel first when the bot is not a member and may join.
	 *
	 * @param key what `findByKey` finds the message by
	 * @param maxWaitMs how long the call may wait for Slack's rate limit
	 * @throws LongWaitError when the rate limit requires a longer wait
	 */
	async post(location: MessageLocation, body: MessageBlocks, key?: string, maxWaitMs?: number): Promise<SlackMessage> {
		try {
			return await this.#post(location, body, key, maxWaitMs);
		} catch (error) {
			if (isNotInChannel(error) && (await this.#join(location))) return this.#post(location, body, key, maxWaitMs);
			throw error;
		}
	}

	/** @param key what `findByKey` finds the message by. Without it, the message keeps what it has */
	async update({ server, channel, ts }: SlackMessage, { text, blocks }: MessageBlocks, key?: string): Promise<void> {
		const metadata = key === undefined ? {} : { metadata: metadataOf(key) };
		await this.#call(
			server,
			'chat.update',
			(client) => client.chat.update({ channel, ts, text, blocks, ...metadata }),
			{
				idempotent: true,
			},
		);
	}

	/** Resolves also when the message is gone already. */
	async remove({ server, channel, ts }: SlackMessage): Promise<void> {
		try {
			await this.#call(server, 'chat.delete', (client) => client.chat.delete({ channel, ts }), { idempotent: true });
		} catch (error) {
			if (!isMessageGone(error)) throw error;
		}
	}

	/** Posts a message that only one person sees, and that Slack does not keep. */
	async postEphemeral(location: MessageLocation, user: string, body: MessageBlocks): Promise<void> {
		await this.#call(location.server, 'chat.postEphemeral', (client) =>
			client.chat.postEphemeral({ ...contentOf(location, body), user }),
		);
	}

	/**
	 * Finds the message that was posted under a key.
	 *
	 * @param since Unix milliseconds before it was posted
	 */
	async findByKey(location: MessageLocation, key: string, since: number): Promise<SlackMessage | undefined> {
		const ts = await findMessage(this.#call, location, since, (message) => keyIn(message) === key);
		return ts === undefined ? undefined : { ...location, ts };
	}

	/**
	 * Returns the pictures that a message of the bot shows.
	 *
	 * @param maxWaitMs how long the call may wait for Slack's rate limit
	 */
	async imagesOf({ ts, ...location }: SlackMessage, maxWaitMs?: number): Promise<Image[]> {
		const { messages } = await readHistory(this.#call, location, { oldest: ts, latest: ts }, maxWaitMs);
		return imagesIn(messages.find((message) => message.ts === ts)?.blocks ?? []);
	}

	/** Returns the address of a message, or undefined when it is gone. */
	async permalink({ server, channel, ts }: SlackMessage): Promise<string | undefined> {
		try {
			const { permalink } = await this.#call(
				server,
				'chat.getPermalink',
				(client) => client.chat.getPermalink({ channel, message_ts: ts }),
				{ idempotent: true },
			);
			return permalink;
		} catch (error) {
			if (isMessageGone(error) || codeOf(error) === 'channel_not_found') return undefined;
			throw error;
		}
	}

	/** Tells whether every member of the workspace can see a channel; undefined when it cannot be read. */
	async isPublic(server: string, channel: string): Promise<boolean | undefined> {
		try {
			const info = await this.#call(server, 'conversations.info', (client) => client.conversations.info({ channel }), {
				idempotent: true,
			});
			return info.channel?.is_channel === true && info.channel.is_private !== true;
		} catch (error) {
			if (codeOf(error) === undefined) throw error;
			return undefined;
		}
	}

	/** Returns the channel of the direct messages with a person. */
	async openDirect(server: string, user: string): Promise<string> {
		const { channel } = await this.#call(
			server,
			'conversations.open',
			(client) => client.conversations.open({ users: user }),
			{ idempotent: true },
		);
		if (!channel?.id) throw new Error('Slack opened no direct messages');
		return channel.id;
	}

	async #post(
		location: MessageLocation,
		body: MessageBlocks,
		key: string | undefined,
		maxWaitMs: number | undefined,
	): Promise<SlackMessage> {
		const { server, channel } = location;
		const { ts } = await this.#call(
			server,
			'chat.postMessage',
			(client) =>
				client.chat.postMessage({
					...contentOf(location, body),
					unfurl_links: false,
					unfurl_media: false,
					...(key !== undefined && { metadata: metadataOf(key) }),
				}),
			{ channel, ...(maxWaitMs !== undefined && { maxWaitMs }) },
		);
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

const contentOf = ({ channel, thread }: MessageLocation, { text, blocks }: MessageBlocks) => ({
	channel,
	text,
	...(blocks.length > 0 && { blocks }),
	...(thread !== undefined && { thread_ts: thread }),
});
