import type { Keyv } from 'keyv';
import type { Announcement, PostOptions } from '../../domain/channel.ts';
import type { Log } from '../../log.ts';

/** An answer that only its reader sees is edited while its request runs, and never found again. */
const FLEETING_MS = 3600_000;

type RecordsOptions<Entry> = {
	keyv: Keyv;
	/** Returns the platform's id of a message; undefined for a message that cannot be named. */
	idOf: (entry: Entry) => string | undefined;
	/** Tells whether the platform lets nobody edit the message after some minutes: it is found for an hour. */
	isFleeting: (entry: Entry) => boolean;
	/** How long another message is found after it was posted or edited; longer than any request takes. */
	ttlMs: number;
	log: Log;
};

/**
 * The messages of the bot, by the key that each was posted under. Buttons need no record: they arrive with their message. A failure of the
 * store is logged where the message is posted, or exists, all the same.
 */
export class MessageRecords<Entry> {
	protected readonly options: RecordsOptions<Entry>;
	/** In this process a message is found as soon as it is being saved. */
	readonly #unsaved = new Map<string, unknown>();

	constructor(options: RecordsOptions<Entry>) {
		this.options = options;
	}

	/** Returns the record of a key, whose message may not be posted yet. */
	async find(key: string, { withoutStore = false }: PostOptions = {}): Promise<Entry | undefined> {
		const found = this.#read<Entry>(`post:${key}`);
		return withoutStore ? this.#logged(found) : found;
	}

	/** Returns the key of a message by its id; undefined for messages that are not of the bot. */
	keyOf(id: string): Promise<string | undefined> {
		return this.#read<string>(`message:${id}`);
	}

	/** Stores that a message is about to be posted, so that another process can go on after a crash. */
	async announce(key: string, entry: Entry, { withoutStore = false }: PostOptions = {}): Promise<void> {
		const saving = this.#save(key, entry);
		await (withoutStore ? this.#logged(saving) : saving);
	}

	/** Returns what `announce` stores. */
	announcementOf(key: string, entry: Entry): Announcement {
		const space = this.options.keyv.namespace ?? '';
		return { put: this.#entriesOf(key, entry).map(({ ttl, ...one }) => ({ space, ...one, ttlMs: ttl })) };
	}

	/** Stores a posted message. Returns its record. */
	async save(key: string, entry: Entry): Promise<Entry> {
		await this.#logged(this.#save(key, entry));
		return entry;
	}

	async forget(key: string, entry: Entry): Promise<void> {
		const { keyv, idOf } = this.options;
		const id = idOf(entry);
		await keyv.delete(`post:${key}`);
		if (id !== undefined) await keyv.delete(`message:${id}`);
	}

	async #read<Value>(key: string): Promise<Value | undefined> {
		return (this.#unsaved.get(key) as Value | undefined) ?? this.options.keyv.get<Value>(key);
	}

	#entriesOf(key: string, entry: Entry): { key: string; value: unknown; ttl: number }[] {
		const { idOf, isFleeting, ttlMs } = this.options;
		const id = idOf(entry);
		const ttl = isFleeting(entry) ? Math.min(FLEETING_MS, ttlMs) : ttlMs;
		const post = { key: `post:${key}`, value: entry, ttl };
		return id === undefined ? [post] : [post, { key: `message:${id}`, value: key, ttl }];
	}

	async #save(key: string, entry: Entry): Promise<void> {
		const { keyv } = this.options;
		const entries = this.#entriesOf(key, entry);
		for (const one of entries) this.#unsaved.set(one.key, one.value);
		try {
			await keyv.setMany(entries);
		} finally {
			for (const one of entries) if (this.#unsaved.get(one.key) === one.value) this.#unsaved.delete(one.key);
		}
	}

	async #logged<Result>(work: Promise<Result>): Promise<Result | undefined> {
		return work.catch((err: unknown) => {
			this.options.log.error({ err }, 'The record of a message could not be read or saved');
			return undefined;
		});
	}
}
