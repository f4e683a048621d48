import { randomUUID } from 'node:crypto';

/** A file of a request. Its bytes are not copied. */
export type File = { name: string; bytes: Uint8Array };

/** The size of the chunks that a file is sent in, so that a slow connection does not buffer all of it. */
const CHUNK_BYTES = 64 * 1024;

/**
 * A multipart body with files (https://docs.discord.com/developers/reference#uploading-files). It sends the buffers of the files
 * themselves, while `FormData` would copy each into a blob, and again into the stream. It can be sent more than once, for retries.
 */
export class Multipart {
	readonly headers: Readonly<Record<string, string>>;
	readonly #parts: readonly Uint8Array[];

	constructor(payload: object, files: readonly File[]) {
		const boundary = `easel-${randomUUID()}`;
		const part = (disposition: string, type: string) =>
			`--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\nContent-Type: ${type}\r\n\r\n`;
		this.#parts = [
			Buffer.from(part('name="payload_json"', 'application/json') + JSON.stringify(payload)),
			...files.flatMap(({ name, bytes }, index) => [
				Buffer.from(`\r\n${part(`name="files[${index}]"; filename="${escapeName(name)}"`, typeOf(name))}`),
				bytes,
			]),
			Buffer.from(`\r\n--${boundary}--\r\n`),
		];
		const length = this.#parts.reduce((sum, { byteLength }) => sum + byteLength, 0);
		this.headers = {
			'Content-Type': `multipart/form-data; boundary=${boundary}`,
			'Content-Length': String(length),
		};
	}

	*[Symbol.iterator](): Iterator<Uint8Array> {
		for (const part of this.#parts)
			for (let start = 0; start < part.length; start += CHUNK_BYTES) yield part.subarray(start, start + CHUNK_BYTES);
	}
}

/** https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data */
const escapeName = (name: string) =>
	name.toWellFormed().replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');

const TYPES: Readonly<Record<string, string>> = {
	png: 'image/png',
	jpg: 'image/jpeg',
	jpeg: 'image/jpeg',
	webp: 'image/webp',
	gif: 'image/gif',
	csv: 'text/csv',
};

const typeOf = (name: string) => TYPES[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'application/octet-stream';
