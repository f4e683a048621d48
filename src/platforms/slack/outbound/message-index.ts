import type { PostOptions } from '../../../domain/channel.ts';
import type { Place } from '../../../domain/place.ts';
import type { Log } from '../../../log.ts';
import type { Image } from '../api/blocks.ts';
import { type MessageRecord, messageIdOf, type SlackMessageRecords } from '../api/message-records.ts';
import type { SlackApi } from '../api/slack-api.ts';
import { codeOf } from '../api/slack-errors.ts';
import type { SlackMessage } from '../api/slack-message.ts';

/** Messages of the bot by the key that they were posted under, also those of a process that crashed before it stored them. */
export class MessageIndex {
	readonly #api: SlackApi;
	readonly #records: SlackMessageRecords;
	readonly #log: Log;

	constructor(options: { api: SlackApi; records: SlackMessageRecords; log: Log }) {
		this.#api = options.api;
		this.#records = options.records;
		this.#log = options.log;
	}

	/**
	 * Stores that a message is about to be posted, so that another process can search for it after a crash.
	 *
	 * @param options.withoutStore a failure is logged, and the message is posted all the same
	 */
	async announce(key: string, record: MessageRecord, { withoutStore = false }: PostOptions = {}): Promise<void> {
		if (withoutStore) await this.save(key, record);
		else await this.#records.save(key, record);
	}

	/** Stores a posted message. A failure of the store is logged: the message exists all the same. */
	async save(key: string, record: MessageRecord): Promise<MessageRecord> {
		try {
			await this.#records.save(key, record);
		} catch (error) {
			this.#log.error({ err: error }, 'A message could not be recorded');
		}
		return record;
	}

	/** Returns the record of a key, whose message may not be posted yet. */
	find(key: string): Promise<MessageRecord | undefined> {
		return this.#records.find(key);
	}

	/** Returns the key of a message; undefined for messages that are not of the bot. */
	keyOf(channel: string, ts: string): Promise<string | undefined> {
		return this.#records.keyOf(messageIdOf(channel, ts));
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
	async locate(
		{ server }: Pick<Place, 'server'>,
		key: string,
		record: MessageRecord,
	): Promise<MessageRecord | undefined> {
		if (record.ts !== undefined || record.fleeting || record.ephemeralStatus) return record;
		const message = await this.#api.findByKey({ ...record, server }, key, record.since);
		return message && this.save(key, { ...record, ts: message.ts });
	}

	/** Returns the message of a key; undefined when it was not posted, or is ephemeral. */
	async messageOf(place: Pick<Place, 'server'>, key: string): Promise<SlackMessage | undefined> {
		const record = await this.find(key);
		const { channel, thread, ts } = (record && (await this.locate(place, key, record))) ?? {};
		return channel === undefined || ts === undefined ? undefined : { server: place.server, channel, thread, ts };
	}

	/** As `locate`. Where the bot may not read, the message counts as not posted, so that the person still gets a reply. */
	async locateIfReadable(place: Place, key: string, record: MessageRecord): Promise<MessageRecord | undefined> {
		try {
			return await this.locate(place, key, record);
		} catch (error) {
			if (codeOf(error) === undefined) throw error;
			return undefined;
		}
	}

	/** Returns whether Slack still has a message. Ephemeral ones count as existing, because they cannot be looked up. */
	async exists(place: Place, record: MessageRecord): Promise<boolean> {
		return record.ts === undefined || (await this.linkTo(place, record)) !== undefined;
	}

	/** Returns the address of a message; undefined when Slack no longer has it, or it is ephemeral. */
	async linkTo({ server }: Place, record: MessageRecord): Promise<string | undefined> {
		return record.ts === undefined ? undefined : this.#api.permalink({ ...record, server, ts: record.ts });
	}
}
