import { randomBytes } from 'node:crypto';
import type { Keyv } from 'keyv';
import type { Upload } from '../../../domain/channel.ts';
import { RETENTION_MS } from '../../../domain/platform.ts';
import { KeyedQueue } from '../../../domain/queues.ts';

type Member = { index: string; member: string };

/** The part of a space of the store that the sandbox uses. A change is made as a whole; indexes are in the order of their members. */
export type SandboxSpace = {
	keyv: Keyv;
	commit(change: {
		add?: readonly { key: string; by: number }[];
		put?: readonly { key: string; value: unknown; ttlMs?: number }[];
		remove?: readonly string[];
		index?: readonly Member[];
		unindex?: readonly Member[];
	}): Promise<unknown>;
	members(
		index: string,
		page: { after?: string; before?: string; limit: number; descending?: boolean },
	): Promise<string[]>;
	files: {
		put(name: string, bytes: Uint8Array, ttlMs: number): Promise<void>;
		get(name: string): Promise<Uint8Array | undefined>;
		delete(name: string): Promise<boolean>;
	};
};

export type StoreOptions = {
	space: SandboxSpace;
	/** How much is kept of what, and how long, in milliseconds. What is beyond is dropped, the oldest first. */
	bounds: typeof DEFAULT_BOUNDS;
	now: () => Date;
};

/** Messages in each channel and thread, threads in each channel, bytes of all files together. */
export const DEFAULT_BOUNDS = { messages: 1000, threads: 50, fileBytes: 512 * 2 ** 20, retentionMs: RETENTION_MS };

/** Returns a text for a time, such that texts are in the order of their times. */
export const timeText = (at: number): string => at.toString(36).padStart(9, '0');

/** A stored file, as messages carry it. Its bytes are stored under `id`. */
export type StoredFile = {
	/** Begins with the time at which it was saved, so that ids are in this order. */
	id: string;
	name: string;
	/** Derived from the bytes. */
	type: string;
	size: number;
	alt: string;
	/** Covered until a person uncovers it. */
	spoiler?: true;
	/** See `Picture.number`. */
	number?: number;
	/** Of a PNG, so that the page reserves its space before it has loaded. */
	width?: number;
	height?: number;
};

/** How a picture is shown. */
type Presentation = { alt?: string; spoiler?: true | undefined; number?: number | undefined };

/** How long a file is kept that no message has yet. */
const PENDING_MS = 3600_000;

/** The files of messages, and those that no message has yet, as `ID:SIZE`. */
const ATTACHED = 'files';
const PENDING = 'pending';

/** A counter of the bytes of all files in both indexes. */
const BYTES = 'bytes';

const DROPPED_AT_ONCE = 20;

/**
 * Files of messages, bounded in bytes. Each is counted before its bytes are stored, and described after that, so that a file with a
 * description is complete.
 */
export class FileStore {
	readonly #options: StoreOptions;
	readonly #space: SandboxSpace;
	readonly #queue = new KeyedQueue();

	constructor(options: StoreOptions) {
		this.#options = options;
		this.#space = options.space;
	}

	describe(id: string): Promise<StoredFile | undefined> {
		return this.#space.keyv.get<StoredFile>(entryKey(id));
	}

	/** Returns undefined when the file is gone. */
	async read(id: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
		const bytes = (await this.describe(id)) && (await this.#space.files.get(id));
		return bytes && new Uint8Array(bytes);
	}

	/** Saves a file for a message, which has to be posted within the hour. Drops the oldest files that exceed the bound. */
	async save(name: string, bytes: Uint8Array, { alt = '', spoiler, number }: Presentation = {}): Promise<StoredFile> {
		const { now, bounds } = this.#options;
		const file: StoredFile = {
			id: timeText(now().getTime()) + randomBytes(16).toString('base64url'),
			name: cleanName(name),
			type: mediaTypeOf(bytes),
			size: bytes.length,
			alt,
			...(spoiler && { spoiler }),
			...(number && { number }),
			...pngSizeOf(bytes),
		};
		const { keyv, commit, files } = this.#space;
		await commit({ add: [{ key: BYTES, by: file.size }], index: [{ index: PENDING, member: memberOf(file) }] });
		await this.#queue.run(BYTES, () => this.#dropOldest());
		await files.put(file.id, bytes, bounds.retentionMs);
		await keyv.set(entryKey(file.id), file, bounds.retentionMs);
		return file;
	}

	/** Returns the part of a commit that makes files belong to a message. */
	attachment(files: readonly StoredFile[]): { index: Member[]; unindex: Member[] } {
		const members = files.map(memberOf);
		return {
			index: members.map((member) => ({ index: ATTACHED, member })),
			unindex: members.map((member) => ({ index: PENDING, member })),
		};
	}

	/** Removes files, unless they were dropped before. */
	async remove(files: readonly StoredFile[]): Promise<void> {
		for (const file of files)
			await this.#queue.run(BYTES, async () => {
				if (await this.describe(file.id)) await this.#drop(memberOf(file));
			});
	}

	/** Returns the file as the core reads it. Reading rejects when the file is gone by then. */
	upload(file: StoredFile): Upload {
		return {
			name: file.name,
			type: file.type,
			size: file.size,
			// The address at the sandbox's own origin, which the page knows. Markdown ends an address at a parenthesis.
			link: async () => `/sandbox/files/${file.id}/${encodeURIComponent(file.name).replace(/[()]/g, '_')}?download`,
			read: async (signal) => {
				signal.throwIfAborted();
				const bytes = await this.read(file.id);
				signal.throwIfAborted();
				if (!bytes) throw new Error('The picture was deleted meanwhile.');
				return bytes;
			},
		};
	}

	/** Drops files that got no message or have expired, then the oldest ones until the others are within the bound. */
	async #dropOldest(): Promise<void> {
		const { now, bounds } = this.#options;
		for (const [index, keptMs] of [
			[PENDING, PENDING_MS],
			[ATTACHED, bounds.retentionMs],
		] as const) {
			const before = timeText(now().getTime() - keptMs);
			for (const member of await this.#space.members(index, { before, limit: DROPPED_AT_ONCE }))
				await this.#drop(member);
		}
		while (((await this.#space.keyv.get<number>(BYTES)) ?? 0) > bounds.fileBytes) {
			const [oldest] = await this.#space.members(ATTACHED, { limit: 1 });
			if (oldest === undefined) return;
			await this.#drop(oldest);
		}
	}

	async #drop(member: string): Promise<void> {
		const [id = '', size] = member.split(':');
		await this.#space.commit({
			add: [{ key: BYTES, by: -Number(size) }],
			remove: [entryKey(id)],
			unindex: [ATTACHED, PENDING].map((index) => ({ index, member })),
		});
		await this.#space.files.delete(id);
	}
}

const entryKey = (id: string) => `file:${id}`;
const memberOf = ({ id, size }: StoredFile) => `${id}:${size}`;

/** Returns the last part of a path without control characters, at most 100 characters. */
export function cleanName(name: string): string {
	const last = name.toWellFormed().split(/[/\\]/).at(-1) ?? '';
	const clean = last.replaceAll(/[\p{Cc}\p{Cf}]/gu, '').trim();
	return [...clean].slice(-100).join('') || 'file';
}

/** Returns the type of a picture that browsers show; everything else is bytes to download. */
function mediaTypeOf(bytes: Uint8Array): string {
	const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
	if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
	if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg';
	if (/^GIF8[79]a/.test(head)) return 'image/gif';
	if (/^RIFF.{4}WEBP/s.test(head)) return 'image/webp';
	return 'application/octet-stream';
}

/** Returns width and height from the header chunk of a PNG. https://www.w3.org/TR/png-3/#11IHDR */
function pngSizeOf(bytes: Uint8Array): { width: number; height: number } | undefined {
	if (mediaTypeOf(bytes) !== 'image/png' || bytes.length < 24) return undefined;
	const view = new DataView(bytes.buffer, bytes.byteOffset);
	return { width: view.getUint32(16), height: view.getUint32(20) };
}
