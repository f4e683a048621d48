import type { Keyv } from 'keyv';
import type { Log } from '../../../../log.ts';
import type { Once } from '../../../shared/once.ts';
import { codeOf, isOutcomeUnknown } from '../../api/slack-errors.ts';
import { type MessageLocation, type SlackMessage, threadOf } from '../../api/slack-message.ts';
import type { SentFile } from './file-uploader.ts';
import { type FileMessage, type IndexedSpace, ShareRecords, type StoredShare } from './share-records.ts';
import { claimOf, SingleShare } from './single-share.ts';
import type { SlackFiles } from './slack-files.ts';

/** A posted message of files. */
export type SharedMessage = { message: SlackMessage; files: readonly SentFile[]; hash: string };

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
	readonly #records: ShareRecords;
	readonly #single: SingleShare;
	readonly #log: Log;
	readonly #resuming = new Map<string, Promise<SharedMessage | undefined>>();

	constructor({ files, keyv, space, once, ttlMs, log }: FileSharesOptions) {
		this.#files = files;
		this.#records = new ShareRecords(keyv, space, ttlMs);
		this.#single = new SingleShare(files, once, ttlMs);
		this.#log = log;
	}

	/** Stores the files of a message, and posts or edits the message. The files are not shared yet. */
	async announce<Result>(
		key: string,
		location: MessageLocation,
		files: readonly SentFile[],
		write: () => Promise<Result>,
	): Promise<Result> {
		if (files.length === 0) return write();
		await this.#records.begin(key, { location, files });
		try {
			return await write();
		} catch (error) {
			if (!isOutcomeUnknown(error)) await this.forget(key);
			throw error;
		}
	}

	/** Shares the files of a posted message, unless another process has shared them. */
	async share(key: string, message: SlackMessage, files: readonly SentFile[]): Promise<void> {
		if (!isSome(files)) return;
		await this.#unlessRefused(key, () => this.#single.share({ location: threadOf(message), files }));
		// The record stays, so that `remove` finds the files.
		await this.#end(key, { location: message, files });
	}

	/** Posts a message of files. */
	async post(
		key: string,
		location: MessageLocation,
		files: readonly SentFile[],
		message: FileMessage,
	): Promise<SharedMessage> {
		if (!isSome(files)) throw new Error('A message of files has none');
		// With the claim on the upload of these files, which nobody else knows yet.
		await this.#records.begin(key, { location, files, message }, claimOf(files[0]));
		const { blocks, hash } = message;
		const share = { location, files, blocks };
		return this.#posted(key, share, hash, () => this.#single.shareClaimed(share));
	}

	/** Returns a message of files that was or shall be posted; undefined when none was stored. */
	resumePost(key: string): Promise<SharedMessage | undefined> {
		// The next start and the request's recovery come at the same time.
		const running = this.#resuming.get(key) ?? this.#resumePost(key).finally(() => this.#resuming.delete(key));
		this.#resuming.set(key, running);
		return running;
	}

	async #resumePost(key: string): Promise<SharedMessage | undefined> {
		const stored = await this.#records.find(key);
		if (!stored?.message || !isSome(stored.files)) return undefined;
		const { location, files, isShared } = stored;
		const { blocks, hash = '' } = stored.message;
		if (isShared) return { message: location as SlackMessage, files, hash };
		const share = { location, files, blocks };
		return this.#posted(key, share, hash, () => this.#single.share(share));
	}

	/** Shares the files of a message that was posted before, unless they are shared. */
	async resume(key: string, message: SlackMessage): Promise<void> {
		const stored = await this.#records.find(key);
		if (stored && !stored.isShared) await this.share(key, message, stored.files);
	}

	/** Shares the files that ended processes have left behind, and forgets those of messages that were never posted. */
	async resumeAll(locate: Locate): Promise<void> {
		for await (const key of this.#records.unshared())
			await this.#resumeStored(key, locate).catch((err: unknown) =>
				this.#log.warn({ err }, 'The files of a message could not be shared'),
			);
	}

	/** Deletes the files of a message, whether they are shared or not. */
	async remove(key: string): Promise<void> {
		const stored = await this.#records.find(key);
		if (!stored) return;
		const ids = stored.files.map(({ id }) => id);
		await this.#files.remove(stored.location.server, ids);
		await this.forget(key);
	}

	/** Forgets the files of a message, which stay where they are. */
	forget(key: string): Promise<void> {
		return this.#records.forget(key);
	}

	/** Posts a message of files and records it, without its text. */
	async #posted(
		key: string,
		{ location, files }: Pick<StoredShare, 'location' | 'files'>,
		hash: string,
		share: () => Promise<string>,
	): Promise<SharedMessage> {
		const message = { ...location, ts: await this.#unlessRefused(key, share) };
		await this.#end(key, { location: message, files, message: { hash } });
		return { message, files, hash };
	}

	async #resumeStored(key: string, locate: Locate): Promise<void> {
		const stored = await this.#records.find(key);
		if (stored?.message) return void (await this.resumePost(key));
		const message = stored && (await locate(messageKeyOf(key), stored.location));
		if (message) await this.share(key, message, stored.files);
		else await this.forget(key);
	}

	async #unlessRefused<Result>(key: string, share: () => Promise<Result>): Promise<Result> {
		try {
			return await share();
		} catch (error) {
			// Slack refuses these files for good.
			if (codeOf(error) !== undefined) await this.forget(key);
			throw error;
		}
	}

	async #end(key: string, share: Omit<StoredShare, 'isShared'>): Promise<void> {
		try {
			await this.#records.end(key, share);
		} catch (err) {
			this.#log.error({ err }, 'Files that were shared could not be recorded');
		}
	}
}

const isSome = (files: readonly SentFile[]): files is readonly [SentFile, ...SentFile[]] => files.length > 0;
