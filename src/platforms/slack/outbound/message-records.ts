import type { Keyv } from 'keyv';
import type { MessageHandle, Place } from '../../../domain/place.ts';
import type { Log } from '../../../log.ts';
import { MessageRecords } from '../../shared/message-records.ts';
import type { Image } from '../api/blocks.ts';
import type { SlackMessage } from '../api/messages.ts';
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

/** The namespace that `keyv` is of. */
export type IndexedSpace = {
	commit(change: {
		once?: string;
		put?: readonly { key: string; value: unknown; ttlMs?: number }[];
		remove?: readonly string[];
		index?: readonly { index: string; member: string; ttlMs: number }[];
		unindex?: readonly { index: string; member: string }[];
	}): Promise<unknown>;
	members(index: string, page: { after?: string; limit: number }): Promise<string[]>;
};

/** The messages whose files are not known to be shared, each as `server key`. */
const UNSHARED = 'shares';
/** More messages with files than an ended process has had under way. */
const MAX_UNSHARED = 1000;

/** Messages of the bot by the key that they were posted under, also those of a process that crashed before it stored them. */
export class SlackMessageRecords extends MessageRecords<MessageRecord> {
	readonly #keyv: Keyv;
	readonly #space: IndexedSpace;
	readonly #ttlMs: number;
	readonly #log: Log;

	/** @param ttlMs how long messages are found */
	constructor(keyv: Keyv, space: IndexedSpace, ttlMs: number, log: Log) {
		super({
			keyv,
			idOf: ({ channel, ts }) => (ts === undefined ? undefined : idOf(channel, ts)),
			isFleeting: ({ isEphemeral }) => isEphemeral === true,
			ttlMs,
			log,
		});
		this.#keyv = keyv;
		this.#space = space;
		this.#ttlMs = ttlMs;
		this.#log = log;
	}

	/** Stores that the files of a message are about to be shared, so that another process can do it after a crash. */
	async beginShare(server: string, key: string): Promise<void> {
		await this.#noteShare({ index: [{ index: UNSHARED, member: `${server} ${key}`, ttlMs: this.#ttlMs }] });
	}

	/** Stores that the files of a message are shared, or never will be. */
	async endShare(server: string, key: string): Promise<void> {
		await this.#noteShare({ unindex: [{ index: UNSHARED, member: `${server} ${key}` }] });
	}

	/** Goes on with the messages whose files ended processes may not have shared. Never rejects. */
	async resumeShares(resume: (server: string, key: string) => Promise<void>): Promise<void> {
		const warn = (err: unknown) => this.#log.warn({ err }, 'Files could not be shared');
		const members = await this.#space.members(UNSHARED, { limit: MAX_UNSHARED }).catch(warn);
		for (const member of members ?? []) {
			const [server = '', key = ''] = member.split(' ');
			await resume(server, key).catch(warn);
		}
	}

	/** A failure of the store is logged: the message is posted all the same. */
	async #noteShare(change: Parameters<IndexedSpace['commit']>[0]): Promise<void> {
		await this.#space
			.commit(change)
			.catch((err: unknown) => this.#log.error({ err }, 'Files of a message could not be recorded'));
	}

	/** Finds also the messages of a channel that has got another id since. */
	override async keyOf(id: string): Promise<string | undefined> {
		const key = await super.keyOf(id);
		if (key !== undefined) return key;
		const [channel = '', ts = ''] = id.split(':');
		const before = await this.#keyv.get<string>(`before:${channel}`);
		return before === undefined ? undefined : this.keyOf(idOf(before, ts));
	}

	/** Stores the new id of a channel. https://docs.slack.dev/reference/events/channel_id_changed */
	async rename(from: string, to: string): Promise<void> {
		await this.#keyv.set(`now:${from}`, to, this.#ttlMs);
		await this.#keyv.set(`before:${to}`, from, this.#ttlMs);
		// A channel may get an earlier id back.
		await this.#keyv.deleteMany([`now:${to}`, `before:${from}`]);
	}

	/** Returns the new id of a channel, if it has one. */
	renamed(channel: string): Promise<string | undefined> {
		return this.#keyv.get<string>(`now:${channel}`);
	}

	/** Returns the handle of any message. Its key is the `ts` for messages that are not of the bot. */
	async handleOf(place: Place, ts: string): Promise<MessageHandle> {
		const { channel, thread } = place;
		const key = (await this.keyOf(idOf(channel, ts))) ?? ts;
		return { place, key, data: handleDataOf({ channel, ...(thread !== undefined && { thread }), ts, since: 0 }) };
	}

	/** Returns the pictures that a message shows to all readers: none if some are covered. */
	async publicImages(key: string): Promise<readonly Image[]> {
		const record = await this.find(key);
		return record?.covered === undefined ? (record?.images ?? []) : [];
	}
}

/** The id of a message that holds in all workspaces. */
export const idOf = (channel: string, ts: string): string => `${channel}:${ts}`;

/** Returns the record of a message that is about to be posted. */
export const recordIn = ({ channel, thread }: Place): MessageRecord => ({ channel, thread, since: Date.now() });

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
