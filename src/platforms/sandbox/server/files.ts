import { randomBytes } from 'node:crypto';
import type { Keyv } from 'keyv';
import type { Upload } from '../../../domain/reply.ts';

/** A stored file, as messages carry it. Its bytes are under `id`. */
export type StoredFile = {
	id: string;
	name: string;
	/** Found from the bytes, never what somebody claimed. */
	type: string;
	size: number;
	alt: string;
	/** Covered until somebody wants to see it. */
	spoiler?: true;
	/** Of a PNG, so that the page keeps its place while it loads. */
	width?: number;
	height?: number;
};

/** A file that a person brings, under the name of its form part: an option's name, or `file`. */
export type Brought = { part: string; name: string; bytes: Uint8Array };

/** How a picture is shown. */
type Shown = { alt?: string; spoiler?: true | undefined };

export type SandboxFiles = ReturnType<typeof createFiles>;

/** Values stay small enough for any store behind keyv. A multiple of 3, so that the base64 of each has no padding. */
const CHUNK_BYTES = 768 * 1024;

/** File bytes in keyv: chunks first, then what describes them, so that a description means that all is there. */
export function createFiles(keyv: Keyv) {
	const describe = (id: string) => keyv.get<StoredFile>(`file:${id}`);
	const chunkKeys = (file: StoredFile) =>
		Array.from({ length: Math.ceil(file.size / CHUNK_BYTES) }, (_, index) => `chunk:${file.id}:${index}`);

	/** Undefined when the file is gone. */
	async function read(id: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
		const file = await describe(id);
		if (!file) return undefined;
		const bytes = new Uint8Array(file.size);
		for (const [index, key] of chunkKeys(file).entries()) {
			const chunk = await keyv.get<string>(key);
			if (chunk === undefined) return undefined;
			bytes.set(Buffer.from(chunk, 'base64'), index * CHUNK_BYTES);
		}
		return bytes;
	}

	return {
		describe,
		read,

		async save(name: string, bytes: Uint8Array, { alt = '', spoiler }: Shown = {}): Promise<StoredFile> {
			const file: StoredFile = {
				id: randomBytes(16).toString('base64url'),
				name: cleanName(name),
				type: mediaType(bytes),
				size: bytes.length,
				alt,
				...(spoiler && { spoiler }),
				...pngSize(bytes),
			};
			for (const [index, key] of chunkKeys(file).entries()) {
				const start = index * CHUNK_BYTES;
				const chunk = Buffer.from(bytes.buffer, bytes.byteOffset + start, Math.min(CHUNK_BYTES, bytes.length - start));
				await keyv.set(key, chunk.toString('base64'));
			}
			await keyv.set(`file:${file.id}`, file);
			return file;
		},

		async remove(file: StoredFile): Promise<void> {
			await keyv.delete(`file:${file.id}`);
			for (const key of chunkKeys(file)) await keyv.delete(key);
		},

		/** The file as the core takes it. Reading rejects when the file is gone meanwhile. */
		upload(file: StoredFile): Upload {
			return {
				name: file.name,
				type: file.type,
				size: file.size,
				async read(signal) {
					signal.throwIfAborted();
					const bytes = await read(file.id);
					signal.throwIfAborted();
					if (!bytes) throw new Error('The picture was deleted meanwhile.');
					return bytes;
				},
			};
		},
	};
}

/** The last part of a path without control characters, at most 100 characters. */
export function cleanName(name: string): string {
	const last = name.toWellFormed().split(/[/\\]/).at(-1) ?? '';
	const clean = last.replaceAll(/[\p{Cc}\p{Cf}]/gu, '').trim();
	return [...clean].slice(-100).join('') || 'file';
}

/** Only what a browser shows as a still picture gets its type; everything else is bytes to download. */
function mediaType(bytes: Uint8Array): string {
	const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
	if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
	if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg';
	if (/^GIF8[79]a/.test(head)) return 'image/gif';
	if (/^RIFF.{4}WEBP/s.test(head)) return 'image/webp';
	return 'application/octet-stream';
}

/** Width and height from the header chunk: https://www.w3.org/TR/png-3/#11IHDR */
function pngSize(bytes: Uint8Array): { width: number; height: number } | undefined {
	if (mediaType(bytes) !== 'image/png' || bytes.length < 24) return undefined;
	const view = new DataView(bytes.buffer, bytes.byteOffset);
	return { width: view.getUint32(16), height: view.getUint32(20) };
}
