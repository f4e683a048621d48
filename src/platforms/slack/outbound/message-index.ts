import type { Keyv } from 'keyv';
import type { PostOptions } from '../../../domain/channel.ts';
import type { MessageHandle, Place } from '../../../domain/place.ts';
import type { Log } from '../../../log.ts';
import { createMessageRecords } from '../../shared/message-records.ts';
import type { Image } from '../api/blocks.ts';
import type { Messages, SlackMessage } from '../api/messages.ts';
import type { SentFile } from './files.ts';

/** A message of the bot. */
export type MessageRecord = {
	/** The channel that Slack has it in: for a private message, the direct messages with its reader. */
	channel: string;
	thread?: string;
	/** Undefined until it is posted, and always for an ephemeral message. */
	ts?: string;
	/** Unix milliseconds just before it was posted. */
	since: number;
	/** It can be neither edited nor found. https://docs.slack.dev/reference/methods/chat.postEphemeral */
	isEphemeral?: true;
	images?: readonly Image[];
	/** The id of its covered pictures, with which the id of the button that shows them ends. */
	covered?: string;
	/** Files in its thread, which are there once they are shared. */
	below?: readonly SentFile[];
	isShared?: true;
};

/** The indexes of the namespace that `Keyv` is of. */
export type IndexedSpace = {
	commit(change: {
		index?: readonly { index: string; member: string; ttlMs: number }[];
		unindex?: readonly { index: string; member: string }[];
	}): Promise<unknown>;
	members(index: string, page: { after?: string; limit: number }): Promise<string[]>;
};

/** The messages whose files are not known to be shared, each as `server key`. */
const UNSHARED = 'shares';
const PAGE = 100;

type MessageIndexOptions = { messages: Messages; keyv: Keyv; space: IndexedSpace; ttlMs: number; log: Log };

/** Messages of the bot by the key that they were posted under, also those of a process that crashed before it stored them. */
export class MessageIndex {
	readonly #messages: Messages;
	readonly #space: IndexedSpace;
	readonly #records;
	readonly #ttlMs: number;
	readonly #log: Log;

	/** @param options.ttlMs how long messages are found */
	constructor({ messages, keyv, space, ttlMs, log }: MessageIndexOptions) {
		this.#messages = messages;
		this.#space = space;
		this.#ttlMs = ttlMs;
		this.#log = log;
		this.#records = createMessageRecords<MessageRecord>(
			keyv,
			({ channel, ts }) => (ts === undefined ? undefined : idOf(channel, ts)),
			({ isEphemeral }) => isEphemeral === true,
			ttlMs,
		);
	}

	/**
	 * Stores that a message is about to be posted, or its files to be shared, so that another process can go on after a crash.
	 *
	 * @param options.withoutStore a failure is logged, and the message is posted all the same
	 */
	async announce(
		server: string,
		key: string,
		record: MessageRecord,
		{ withoutStore }: PostOptions = {},
	): Promise<void> {
		if (withoutStore) return void (await this.save(key, record));
		await this.#records.save(key, record);
		if (record.below?.length)
			await this.#space.commit({ index: [{ index: UNSHARED, member: `${server} ${key}`, ttlMs: this.#ttlMs }] });
	}

	/** Stores a posted message. A failure of the store is logged: the message exists all the same. */
	async save(key: string, record: MessageRecord): Promise<MessageRecord> {
		await this.#records
			.save(key, record)
			.catch((err: unknown) => this.#log.error({ err }, 'A message could not be recorded'));
		return record;
	}

	/** Stores that the files of a message are shared, or never will be. */
	async endShare(server: string, key: string): Promise<void> {
		await this.#space
			.commit({ unindex: [{ index: UNSHARED, member: `${server} ${key}` }] })
			.catch((err: unknown) => this.#log.error({ err }, 'Files that were shared could not be recorded'));
	}

	/** Yields the messages whose files ended processes have not shared. */
	async *unshared(): AsyncGenerator<{ server: string; key: string }, void> {
		for (let after: string | undefined; ; ) {
			const members = await this.#space.members(UNSHARED, { limit: PAGE, ...(after !== undefined && { after }) });
			for (const member of members) {
				const [server = '', key = ''] = member.split(' ');
				yield { server, key };
			}
			after = members.at(-1);
			if (members.length < PAGE) return;
		}
	}

	/** Returns the record of a key, whose message may not be posted yet. */
	find(key: string): Promise<MessageRecord | undefined> {
		return this.#records.find(key);
	}

	/** Returns the key of a message; undefined for messages that are not of the bot. */
	keyOf(channel: string, ts: string): Promise<string | undefined> {
		return this.#records.keyOf(idOf(channel, ts));
	}

	/** Returns the handle of any message. Its key is the `ts` for messages that are not of the bot. */
	async handleOf(place: Place, ts: string): Promise<MessageHandle> {
		const { channel, thread } = place;
		const key = (await this.keyOf(channel, ts)) ?? ts;
		return { place, key, data: handleDataOf({ channel, ...(thread !== undefined && { thread }), ts, since: 0 }) };
	}

	/** Returns the pictures that a message shows to all readers: none if some are covered. */
	async publicImages(key: string): Promise<readonly Image[]> {
		const record = await this.find(key);
		return record?.covered === undefined ? (record?.images ?? []) : [];
	}

	forget(key: string, record: MessageRecord): Promise<void> {
		return this.#records.forget(key, record);
	}

	/** Searches Slack for a message whose `ts` was never stored. Returns undefined when it was not posted. */
	async locate(server: string, key: string, record: MessageRecord): Promise<MessageRecord | undefined> {
		if (record.ts !== undefined || record.isEphemeral) return record;
		const message = await this.#messages.findByKey({ ...record, server }, key, record.since);
		return message && this.save(key, { ...record, ts: message.ts });
	}
}

/** The id of a message that holds in all workspaces. */
const idOf = (channel: string, ts: string): string => `${channel}:${ts}`;

/** Returns the message of a record; undefined for one that is ephemeral, or not posted yet. */
export const messageOf = (server: string, { channel, thread, ts }: MessageRecord): SlackMessage | undefined =>
	ts === undefined ? undefined : { server, channel, thread, ts };

/** Returns what a message handle stores besides place and key. */
export const handleDataOf = ({ channel, thread, ts }: MessageRecord, responseUrl?: string): Record<string, string> => ({
	channel,
	...(thread !== undefined && { thread }),
	...(ts !== undefined && { ts }),
	...(responseUrl !== undefined && { responseUrl }),
});

/** Returns the record that `handleDataOf` was given; undefined when the data identify no message. */
export function recordFromHandle(data: Record<string, string> = {}): MessageRecord | undefined {
	const { channel, thread, ts, responseUrl } = data;
	if (channel === undefined || (ts === undefined && responseUrl === undefined)) return undefined;
	const location = { channel, since: 0, ...(thread !== undefined && { thread }) };
	return ts === undefined ? { ...location, isEphemeral: true } : { ...location, ts };
}
