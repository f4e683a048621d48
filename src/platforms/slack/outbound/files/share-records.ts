import type { Keyv } from 'keyv';
import type { MessageBlocks } from '../../api/blocks.ts';
import type { MessageLocation } from '../../api/slack-message.ts';
import type { SentFile } from './file-uploader.ts';

/** The commits and indexes of the namespace that `Keyv` is of. */
export type IndexedSpace = {
	commit(change: {
		put?: readonly { key: string; value: unknown; ttlMs: number }[];
		remove?: readonly string[];
		index?: readonly { index: string; member: string; ttlMs: number }[];
		unindex?: readonly { index: string; member: string }[];
	}): Promise<unknown>;
	members(index: string, page: { after?: string; limit: number }): Promise<string[]>;
};

/** A message of files: its blocks, and a hash of the bytes of its files. */
export type FileMessage = { blocks: MessageBlocks['blocks']; hash: string };

export type StoredShare = {
	location: MessageLocation;
	files: readonly SentFile[];
	isShared?: true;
	/** The files are a message of their own. Its blocks are kept until it is posted. */
	message?: Partial<FileMessage>;
};

/** The keys of the messages whose files are not known to be shared. */
const INDEX = 'shares';
const PAGE = 100;

/** The records of files that are, or shall be, shared. */
export class ShareRecords {
	readonly #keyv: Keyv;
	readonly #space: IndexedSpace;
	readonly #ttlMs: number;

	/** @param ttlMs how long the files of a message are found; as long as its record */
	constructor(keyv: Keyv, space: IndexedSpace, ttlMs: number) {
		this.#keyv = keyv;
		this.#space = space;
		this.#ttlMs = ttlMs;
	}

	/** Records files that are to be shared. @param claim put at the same time */
	async begin(key: string, share: StoredShare, claim?: string): Promise<void> {
		const ttlMs = this.#ttlMs;
		const claims = claim === undefined ? [] : [{ key: claim, value: true, ttlMs }];
		await this.#space.commit({ put: [...this.#put(key, share), ...claims], index: [{ ...member(key), ttlMs }] });
	}

	/** Records that files are shared. */
	async end(key: string, share: Omit<StoredShare, 'isShared'>): Promise<void> {
		await this.#space.commit({ put: this.#put(key, { ...share, isShared: true }), unindex: [member(key)] });
	}

	/** Forgets the files of a message, which stay where they are. */
	async forget(key: string): Promise<void> {
		await this.#space.commit({ remove: [recordKey(key)], unindex: [member(key)] });
	}

	find(key: string): Promise<StoredShare | undefined> {
		return this.#keyv.get<StoredShare>(recordKey(key));
	}

	/** Yields the keys of files that are not known to be shared. */
	async *unshared(): AsyncGenerator<string, void, undefined> {
		for (let after: string | undefined; ; ) {
			const keys = await this.#space.members(INDEX, { limit: PAGE, ...(after !== undefined && { after }) });
			yield* keys;
			after = keys.at(-1);
			if (keys.length < PAGE) return;
		}
	}

	#put(key: string, value: StoredShare) {
		return [{ key: recordKey(key), value, ttlMs: this.#ttlMs }];
	}
}

const recordKey = (key: string) => `share:${key}`;
const member = (key: string) => ({ index: INDEX, member: key });
