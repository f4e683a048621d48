import { crc32, deflateSync } from 'node:zlib';
import sharp, { type FormatEnum } from 'sharp';
import { onTestFinished } from 'vitest';
import { createStudio, type StudioOptions } from '../src/app.ts';
import { memoryCounters } from '../src/counters.ts';
import { listen } from '../src/listen.ts';
import type { Artist } from '../src/workers.ts';
import { workers } from '../src/workers.ts';

export const KEY = 'sk-test';

/** A studio at a port of its own until the test ends, and a client that knows no more than HTTP. */
export async function startStudio(options: Partial<StudioOptions> = {}) {
	const app = createStudio({ priceMills: 30, counters: memoryCounters(), msPerToken: 0, ...options });
	const { address: url, close } = await listen(app, { host: '127.0.0.1', port: 0 });
	onTestFinished(close);

	function call(path: string, init: RequestInit = {}) {
		const headers = { authorization: `Bearer ${KEY}`, ...init.headers };
		return fetch(url + path, { ...init, headers });
	}
	return {
		url,
		call,
		/** Plain objects go as JSON, forms as multipart. */
		post(path: string, body: unknown, init: RequestInit = {}) {
			if (body instanceof FormData) return call(path, { method: 'POST', body, ...init });
			const headers = { 'content-type': 'application/json' };
			return call(path, { method: 'POST', body: JSON.stringify(body), headers, ...init });
		},
		async used(): Promise<number> {
			const usage = (await (await call('/v1/usage')).json()) as { images: { used: number } };
			return usage.images.used;
		},
	};
}

export type ErrorBody = { error: { message: string; type: string; param: string | null; code: string | null } };

/** Returns the message of an error answer, after checking that it has the common shape and is one sentence. */
export async function refusalOf(answer: Response): Promise<{ status: number } & ErrorBody['error']> {
	const { error } = (await answer.json()) as ErrorBody;
	if (!/^[^\n]{5,400}\.$/.test(error.message)) throw new Error(`Not one sentence: ${error.message}`);
	return { status: answer.status, ...error };
}

export async function picturesOf(answer: Response): Promise<Uint8Array[]> {
	if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
	const { data } = (await answer.json()) as { data: { b64_json: string }[] };
	return data.map(({ b64_json }) => Uint8Array.fromBase64(b64_json));
}

/** An artist who paints flat pictures, and what was asked of it: for tests of what happens around the drawing. */
export function plainArtist(overrides: Partial<Artist> = {}) {
	const asked: { do: keyof Artist; [option: string]: unknown }[] = [];
	const paint = (request: (typeof asked)[number]) => {
		asked.push(request);
		return flatPicture(8, 8);
	};
	const artist: Artist = {
		read: workers.reading.run,
		draw: (drawn) => paint({ do: 'draw', ...drawn }),
		edit: (edit) => paint({ do: 'edit', ...edit }),
		...overrides,
	};
	return { asked, artist };
}

export function flatPicture(
	width: number,
	height: number,
	format: keyof FormatEnum = 'png',
): Promise<Buffer<ArrayBuffer>> {
	const background = 'teal';
	return sharp({ create: { width, height, channels: 3, background } })
		.toFormat(format)
		.toBuffer() as Promise<Buffer<ArrayBuffer>>;
}

/** A well-formed PNG of 5 kB that says it has 60,000 × 60,000 pixels. */
export function hugePng(): Buffer<ArrayBuffer> {
	const header = Buffer.alloc(13);
	header.writeUInt32BE(60_000, 0);
	header.writeUInt32BE(60_000, 4);
	header.set([8, 2], 8);
	const chunk = (type: string, data: Buffer) => {
		const body = Buffer.concat([Buffer.from(type), data]);
		const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
		length.writeUInt32BE(data.length);
		sum.writeUInt32BE(crc32(body));
		return Buffer.concat([length, body, sum]);
	};
	const rows = deflateSync(Buffer.alloc(5_000_000));
	const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
	return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]);
}
