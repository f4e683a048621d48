import type { Keyv } from 'keyv';
import type { Log } from '../../../../log.ts';
import type { Once } from '../../../shared/once.ts';
import { codeOf, isOutcomeUnknown } from '../../api/slack-errors.ts';
import { type MessageLocation, type SlackMessage, threadOf } from '../../api/slack-message.ts';
import { FileNotReadyError } from './file-not-ready.ts';
import type { SentFile } from './file-uploader.ts';
import type { SlackFiles } from './slack-files.ts';

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

type StoredShare = { location: MessageLocation; files: readonly SentFile[]; isShared?: true };

/** The keys of the messages whose files are not known to be shared. */
const INDEX = 'shares';
const PAGE = 100;

type FileSharesOptions = {
	files: SlackFiles;
	keyv: Keyv;
	space: IndexedSpace;
	once: Once;
	/** How long the files of a message are found; as long as its record. */
	ttlMs: number;
	log: Log;
};

/** Returns the key of a message's files. */
export const filesKey = (message: string) => `${message}/files`;
/** Returns the key of the pictures that Slack could not show in a message. */
export const picturesKey = (message: string) => `${message}/pictures`;
const messageKeyOf = (key: string) => key.slice(0, key.indexOf('/'));

/** Returns the message of a key; undefined when it was not posted. */
type Locate = (key: string, location: MessageLocation) => Promise<SlackMessage | undefined>;

/**
 * Files that are posted in the thread of a message, once. They are stored before the message is posted, so that the next start shares
 * them when a process ends in between. By then Slack has their bytes.
 */
export class FileShares {
	readonly #files: SlackFiles;
	readonly #keyv: Keyv;
	readonly #space: IndexedSpace;
	readonly #once: Once;
	readonly #ttlMs: number;
	readonly #log: Log;

	constructor(options: FileSharesOptions) {
		this.#files = options.files;
		this.#keyv = options.keyv;
		this.#space = options.space;
		this.#once = options.once;
		this.#ttlMs = options.ttlMs;
		this.#log = options.log;
	}

	/** Stores the files of a message, and posts or edits the message. The files are not shared yet. */
	async announce<Result>(
		key: string,
		location: MessageLocation,
		files: readonly SentFile[],
		write: () => Promise<Result>,
	): Promise<Result> {
		if (files.length === 0) return write();
		const index = member(key).map((each) => ({ ...each, ttlMs: this.#ttlMs }));
		await this.#space.commit({ ...this.#put(key, { location, files }), index });
		try {
			return await write();
		} catch (error) {
			if (!isOutcomeUnknown(error)) await this.#forget(key);
			throw error;
		}
	}

	/** Shares the files of a posted message, unless another process has shared them. */
	async share(key: string, message: SlackMessage, files: readonly SentFile[]): Promise<void> {
		const [first] = files;
		if (!first) return;
		try {
			await this.#shareOnce(threadOf(message), files, first.id);
		} catch (error) {
			// Slack refuses these files for good.
			if (codeOf(error) !== undefined) await this.#forget(key);
			throw error;
		}
		// The entry stays, so that `remove` finds the files.
		const done = { ...this.#put(key, { location: message, files, isShared: true }), unindex: member(key) };
		await this.#space
			.commit(done)
			.catch((err: unknown) => this.#log.error({ err }, 'Files that were shared could not be recorded'));
	}

	/** Shares the files of a message that was posted before, unless they are shared. */
	async resume(key: string, message: SlackMessage): Promise<void> {
		const stored = await this.#find(key);
		if (stored && !stored.isShared) await this.share(key, message, stored.files);
	}

	/** Shares the files that ended processes have left behind, and forgets those of messages that were never posted. */
	async resumeAll(locate: Locate): Promise<void> {
		for (let after: string | undefined; ; ) {
			const keys = await this.#space.members(INDEX, { limit: PAGE, ...(after !== undefined && { after }) });
			for (const key of keys)
				await this.#resumeStored(key, locate).catch((err: unknown) =>
					this.#log.warn({ err }, 'The files of a message could not be shared'),
				);
			after = keys.at(-1);
			if (keys.length < PAGE) return;
		}
	}

	/** Deletes the files of a message, whether they are shared or not. */
	async remove(key: string): Promise<void> {
		const stored = await this.#find(key);
		if (!stored) return;
		await this.#files.remove(
			stored.location.server,
			stored.files.map(({ id }) => id),
		);
		await this.#forget(key);
	}

	async #resumeStored(key: string, locate: Locate): Promise<void> {
		const stored = await this.#find(key);
		const message = stored && (await locate(messageKeyOf(key), stored.location));
		if (message) await this.share(key, message, stored.files);
		else await this.#forget(key);
	}

	/** Only the process with the claim completes the upload, which is what shares the files. */
	async #shareOnce(thread: MessageLocation, files: readonly SentFile[], id: string): Promise<void> {
		if (await this.#once(`sharing:${id}`, this.#ttlMs)) return this.#files.share(thread, files);
		try {
			await this.#files.whenShared(thread, id);
		} catch (error) {
			const isAbsent = error instanceof FileNotReadyError || codeOf(error) !== undefined;
			if (!isAbsent || !(await this.#once(`sharing:${id}:again`, this.#ttlMs))) throw error;
			// The process with the claim ended before Slack got its call.
			await this.#files.share(thread, files);
		}
	}

	#forget(key: string): Promise<unknown> {
		return this.#space.commit({ remove: [storedAt(key)], unindex: member(key) });
	}

	#put(key: string, value: StoredShare) {
		return { put: [{ key: storedAt(key), value, ttlMs: this.#ttlMs }] };
	}

	#find(key: string): Promise<StoredShare | undefined> {
		return this.#keyv.get<StoredShare>(storedAt(key));
	}
}

const storedAt = (key: string) => `share:${key}`;
const member = (key: string) => [{ index: INDEX, member: key }];
