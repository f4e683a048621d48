import { randomUUID } from 'node:crypto';
import { ReadableStream } from 'node:stream/web';

/** A file of a request. Its bytes are sent from where they are. */
export type File = { name: string; bytes: Uint8Array };

/** Pieces that are written to the connection one by one, so that a slow one does not have all of them waiting in it. */
const PIECE_BYTES = 64 * 1024;

/**
 * A request's body as Discord takes files (https://docs.discord.com/developers/reference#uploading-files), over the very buffers
 * of the pictures: form data of the platform would copy each into a blob, and again into the stream. It can be sent more than once.
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
				Buffer.from(`\r\n${part(`name="files[${index}]"; filename="${escaped(name)}"`, typeOf(name))}`),
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

	stream(): ReadableStream<Uint8Array> {
		return ReadableStream.from(pieces(this.#parts));
	}
}

function* pieces(parts: readonly Uint8Array[]): Iterable<Uint8Array> {
	for (const part of parts)
		for (let start = 0; start < part.length; start += PIECE_BYTES) yield part.subarray(start, start + PIECE_BYTES);
}

/** https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data */
const escaped = (name: string) =>
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
