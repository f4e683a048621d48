import { randomBytes } from 'node:crypto';
import type { Keyv } from 'keyv';
import type { Upload } from '../../../../domain/reply.ts';
import { cleanName, mediaTypeOf, pngSizeOf } from './file-format.ts';

/** A stored file, as messages carry it. Its bytes are stored under `id`. */
export type StoredFile = {
	id: string;
	name: string;
	/** Derived from the bytes. */
	type: string;
	size: number;
	alt: string;
	/** Covered until a person uncovers it. */
	spoiler?: true;
	/** Of a PNG, so that the page reserves its space before it has loaded. */
	width?: number;
	height?: number;
};

/** How a picture is shown. */
type Presentation = { alt?: string; spoiler?: true | undefined };

/** Keeps values small enough for any store of keyv. A multiple of 3, so that the base64 of a chunk has no padding. */
const CHUNK_BYTES = 768 * 1024;

/** Files in keyv. The chunks are written before the description, so that a file with a description is complete. */
export class FileStore {
	readonly #keyv: Keyv;

	constructor(keyv: Keyv) {
		this.#keyv = keyv;
	}

	describe(id: string): Promise<StoredFile | undefined> {
		return this.#keyv.get<StoredFile>(`file:${id}`);
	}

	/** Returns undefined when the file is gone. */
	async read(id: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
		const file = await this.describe(id);
		if (!file) return undefined;
		const bytes = new Uint8Array(file.size);
		for (const [index, key] of chunkKeys(file).entries()) {
			const chunk = await this.#keyv.get<string>(key);
			if (chunk === undefined) return undefined;
			bytes.set(Buffer.from(chunk, 'base64'), index * CHUNK_BYTES);
		}
		return bytes;
	}

	async save(name: string, bytes: Uint8Array, { alt = '', spoiler }: Presentation = {}): Promise<StoredFile> {
		const file: StoredFile = {
			id: randomBytes(16).toString('base64url'),
			name: cleanName(name),
			type: mediaTypeOf(bytes),
			size: bytes.length,
			alt,
			...(spoiler && { spoiler }),
			...pngSizeOf(bytes),
		};
		for (const [index, key] of chunkKeys(file).entries()) {
			const start = index * CHUNK_BYTES;
			const chunk = Buffer.from(bytes.buffer, bytes.byteOffset + start, Math.min(CHUNK_BYTES, bytes.length - start));
			await this.#keyv.set(key, chunk.toString('base64'));
		}
		await this.#keyv.set(`file:${file.id}`, file);
		return file;
	}

	async remove(file: StoredFile): Promise<void> {
		await this.#keyv.delete(`file:${file.id}`);
		for (const key of chunkKeys(file)) await this.#keyv.delete(key);
	}

	/** Returns the file as the core reads it. Reading rejects when the file is gone by then. */
	upload(file: StoredFile): Upload {
		return {
			name: file.name,
			type: file.type,
			size: file.size,
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

const chunkKeys = (file: StoredFile): string[] =>
	Array.from({ length: Math.ceil(file.size / CHUNK_BYTES) }, (_, index) => `chunk:${file.id}:${index}`);
