import type { Keyv } from 'keyv';
import type { Log } from '../../../../log.ts';
import type { Once } from '../../../shared/once.ts';
import type { MessageBlocks } from '../../api/blocks.ts';
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

/** A message of files: its blocks, and a hash of the bytes of its files. */
type FileMessage = { blocks: MessageBlocks['blocks']; hash: string };

type StoredShare = {
	location: MessageLocation;
	files: readonly SentFile[];
	isShared?: true;
	/** The files are a message of their own. Its blocks are kept until it is posted. */
	message?: Partial<FileMessage>;
};

/** A posted message of files. */
export type SharedMessage = { message: SlackMessage; files: readonly SentFile[]; hash: string };

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
/** Returns the key of the pictures of a message whose files they are. */
export const resultKey = (message: string) => `${message}/result`;
const messageKeyOf = (key: string) => key.slice(0, key.indexOf('/'));

/** Returns the message of a key; undefined when it was not posted. */
type Locate = (key: string, location: MessageLocation) => Promise<SlackMessage | undefined>;

/**
 * Files that are posted once, in the thread of a message or as a message of their own. They are stored before, so that the next start
 * shares them when a process ends in between. By then Slack has their bytes.
 */
export class FileShares {
	readonly #files: SlackFiles;
	readonly #keyv: Keyv;
	readonly #space: IndexedSpace;
	readonly #once: Once;
	readonly #ttlMs: number;
	readonly #log: Log;
	readonly #resuming = new Map<string, Promise<SharedMessage | undefined>>();

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
			if (!isOutcomeUnknown(error)) await this.forget(key);
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
			if (codeOf(error) !== undefined) await this.forget(key);
			throw error;
		}
		// The entry stays, so that `remove` finds the files.
		const done = { ...this.#put(key, { location: message, files, isShared: true }), unindex: member(key) };
		await this.#space
			.commit(done)
			.catch((err: unknown) => this.#log.error({ err }, 'Files that were shared could not be recorded'));
	}

	/** Posts a message of files. */
	async post(
		key: string,
		location: MessageLocation,
		files: readonly SentFile[],
		message: FileMessage,
	): Promise<SharedMessage> {
		const [first] = files;
		if (!first) throw new Error('A message of files has none');
		const index = member(key).map((each) => ({ ...each, ttlMs: this.#ttlMs }));
		const { put } = this.#put(key, { location, files, message });
		// With the claim on the upload of these files, which nobody else knows yet.
		await this.#space.commit({ put: [...put, { key: claimOf(first.id), value: true, ttlMs: this.#ttlMs }], index });
		return this.#posted(key, { location, files, message }, async () => {
			try {
				return await this.#files.share(location, files, message.blocks);
			} catch (error) {
				if (!isOutcomeUnknown(error)) throw error;
				return this.#shareAgain(location, files, first.id, message.blocks, error);
			}
		});
	}

	/** Returns a message of files that was or shall be posted; undefined when none was stored. */
	resumePost(key: string): Promise<SharedMessage | undefined> {
		// The next start and the request's recovery come at the same time.
		const running = this.#resuming.get(key) ?? this.#resumePost(key).finally(() => this.#resuming.delete(key));
		this.#resuming.set(key, running);
		return running;
	}

	async #resumePost(key: string): Promise<SharedMessage | undefined> {
		const stored = await this.#find(key);
		if (!stored?.message) return undefined;
		const { location, files, isShared, message } = stored;
		if (isShared) return { message: location as SlackMessage, files, hash: message.hash ?? '' };
		return this.#posted(key, stored, () => this.#shareOnce(location, files, files[0]?.id ?? '', message.blocks));
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
		await this.forget(key);
	}

	/** Records that a message of files is posted, without its text. */
	async #posted(
		key: string,
		{ location, files, message: { hash = '' } = {} }: StoredShare,
		share: () => Promise<string>,
	): Promise<SharedMessage> {
		try {
			const message = { ...location, ts: await share() };
			const done = { ...this.#put(key, { location: message, files, isShared: true, message: { hash } }) };
			await this.#space
				.commit({ ...done, unindex: member(key) })
				.catch((err: unknown) => this.#log.error({ err }, 'Files that were shared could not be recorded'));
			return { message, files, hash };
		} catch (error) {
			if (codeOf(error) !== undefined) await this.forget(key);
			throw error;
		}
	}

	async #resumeStored(key: string, locate: Locate): Promise<void> {
		const stored = await this.#find(key);
		if (stored?.message) return void (await this.resumePost(key));
		const message = stored && (await locate(messageKeyOf(key), stored.location));
		if (message) await this.share(key, message, stored.files);
		else await this.forget(key);
	}

	/** Only the process with the claim completes the upload, which is what shares the files. */
	async #shareOnce(
		location: MessageLocation,
		files: readonly SentFile[],
		id: string,
		blocks?: MessageBlocks['blocks'],
	): Promise<string> {
		return (await this.#once(claimOf(id), this.#ttlMs))
			? this.#files.share(location, files, blocks)
			: this.#shareAgain(location, files, id, blocks);
	}

	/** Shares files that may be shared already, or may be by a process that has ended before Slack got its call. */
	async #shareAgain(
		location: MessageLocation,
		files: readonly SentFile[],
		id: string,
		blocks?: MessageBlocks['blocks'],
		reason?: unknown,
	): Promise<string> {
		try {
			return await this.#files.whenShared(location, id);
		} catch (error) {
			const isAbsent = error instanceof FileNotReadyError || codeOf(error) !== undefined;
			if (!isAbsent || !(await this.#once(`${claimOf(id)}:again`, this.#ttlMs))) throw reason ?? error;
			return this.#files.share(location, files, blocks);
		}
	}

	/** Forgets the files of a message, which stay where they are. */
	forget(key: string): Promise<unknown> {
		return this.#space.commit({ remove: [storedAt(key)], unindex: member(key) });
	}

	#put(key: string, value: StoredShare) {
		return { put: [{ key: storedAt(key), value, ttlMs: this.#ttlMs }] };
	}

	#find(key: string): Promise<StoredShare | undefined> {
		return this.#keyv.get<StoredShare>(storedAt(key));
	}
}

const claimOf = (file: string) => `sharing:${file}`;
const storedAt = (key: string) => `share:${key}`;
const member = (key: string) => [{ index: INDEX, member: key }];
