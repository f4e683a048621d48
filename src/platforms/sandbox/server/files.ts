import { randomBytes } from 'node:crypto';
import type { Picture, Poster, Upload } from '../../../domain/channel.ts';
import { RETENTION_MS } from '../../../domain/platform.ts';
import type { PlatformSpace } from '../../shared/space.ts';

export type StoreOptions = {
	space: PlatformSpace;
	/** How much is kept of what, and how long, in milliseconds. What is beyond is dropped, the oldest first. */
	bounds: typeof DEFAULT_BOUNDS;
	now: () => Date;
};

/** Messages in each channel and thread, threads in each channel, bytes of all files together. */
export const DEFAULT_BOUNDS = { messages: 1000, threads: 50, fileBytes: 512 * 2 ** 20, retentionMs: RETENTION_MS };

/** Returns a text for a time, such that texts are in the order of their times. */
const timeText = (at: number): string => at.toString(36).padStart(9, '0');

export type NewFile = { name: string; bytes: Uint8Array } & Partial<Pick<Picture, 'alt' | 'spoiler' | 'number'>>;

/** A stored file, as messages carry it. Its bytes are stored under `id`. */
export type StoredFile = Omit<NewFile, 'bytes'> & {
	/** Begins with the time at which it was saved, so that ids are in this order. */
	id: string;
	/** Derived from the bytes. */
	type: string;
	size: number;
	alt: string;
	/** Of a PNG, so that the page reserves its space before it has loaded. */
	width?: number;
	height?: number;
};

type FileId = Pick<StoredFile, 'id' | 'size'>;

/** The files of messages, as `ID:SIZE`. */
const FILES = 'files';
const MAX_FILES = 5000;

/**
 * Files, which are described in the messages that have them, and bounded in number and bytes. The bytes are stored first, so that a message
 * has all of its files; those of a message that was never stored expire. Changes are made one at a time, by the store of messages.
 */
export class FileStore {
	readonly #options: StoreOptions;
	readonly #space: PlatformSpace;

	constructor(options: StoreOptions) {
		this.#options = options;
		this.#space = options.space;
	}

	async read(id: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
		const bytes = await this.#space.files.get(id);
		return bytes && new Uint8Array(bytes);
	}

	/** Stores the bytes of files. They belong to no message yet. */
	async put(files: readonly NewFile[], keptMs = this.#options.bounds.retentionMs): Promise<StoredFile[]> {
		const stored: StoredFile[] = [];
		for (const { bytes, name, alt = '', spoiler, number } of files) {
			const id = timeText(this.#options.now().getTime()) + randomBytes(16).toString('base64url');
			await this.#space.files.put(id, bytes, keptMs);
			const described = { type: mediaTypeOf(bytes), size: bytes.length, ...pngSizeOf(bytes) };
			stored.push({ id, name: cleanName(name), alt, spoiler, number, ...described });
		}
		return stored;
	}

	/** Returns the part of a commit by which files belong to a message. */
	indexOf = (files: readonly FileId[]) => files.map(({ id, size }) => ({ index: FILES, member: `${id}:${size}` }));

	/** Removes files of a message or a command, unless they were dropped before. */
	async remove(files: readonly FileId[]): Promise<void> {
		for (const { id } of files) await this.#space.files.delete(id);
		if (files.length > 0) await this.#space.commit({ unindex: this.indexOf(files) });
	}

	/** Drops the files that have expired, and the oldest ones until the others are within the bounds. */
	async dropOldest(): Promise<void> {
		const { now, bounds } = this.#options;
		const oldestKept = timeText(now().getTime() - bounds.retentionMs);
		const members = await this.#space.members(FILES, { limit: 2 * MAX_FILES, descending: true });
		const files = members.map((member) => member.split(':')).map(([id = '', size]) => ({ id, size: Number(size) }));
		let bytes = 0;
		const kept = files.findIndex(({ id, size }, index) => {
			bytes += size;
			return id < oldestKept || index >= MAX_FILES || bytes > bounds.fileBytes;
		});
		if (kept >= 0) await this.remove(files.slice(kept));
	}

	/** Returns the file as the core reads it. Reading rejects when the file is gone by then. @param poster whose message shows it */
	upload(file: StoredFile, poster?: Poster): Upload {
		return {
			name: file.name,
			type: file.type,
			size: file.size,
			...(poster && { poster: async () => poster }),
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
}

/** Returns the last part of a path without control characters, at most 100 characters. */
function cleanName(name: string): string {
	const last = name.toWellFormed().split(/[/\\]/).at(-1) ?? '';
	const clean = last.replaceAll(/[\p{Cc}\p{Cf}]/gu, '').trim();
	return [...clean].slice(-100).join('') || 'file';
}

/** Returns the type of a picture that browsers show; everything else is bytes to download. */
export function mediaTypeOf(bytes: Uint8Array): string {
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
