import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';

/** Odd and hostile pictures, assembled by hand where no encoder would make them. */

export const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** https://www.w3.org/TR/png-3/#5Chunk-layout */
export function chunk(name: string, data: Uint8Array = new Uint8Array()): Buffer {
	const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
	return Buffer.concat([uint32(data.length), named, uint32(crc32(named))]);
}

export function uint32(...values: number[]): Buffer {
	const bytes = Buffer.alloc(4 * values.length);
	for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index);
	return bytes;
}

/** A grey PNG of any size, whose data is all zeros and compresses well. */
export function blankPng(width: number, height: number, dataHeight = height): Buffer {
	const header = Buffer.concat([uint32(width, height), Buffer.from([8, 0, 0, 0, 0])]);
	const data = deflateSync(Buffer.alloc((width + 1) * dataHeight), { level: 9 });
	return Buffer.concat([SIGNATURE, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND')]);
}

/** Inserts chunks after the header. */
export const withChunks = (png: Buffer, ...chunks: Uint8Array[]) =>
	Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)]);

/** Inserts a segment at the start of a JPEG. */
export function withSegment(jpeg: Buffer, marker: number, text: string): Buffer {
	const data = Buffer.from(text, 'latin1');
	const head = Buffer.from([0xff, marker, (data.length + 2) >> 8, (data.length + 2) & 0xff]);
	return Buffer.concat([jpeg.subarray(0, 2), head, data, jpeg.subarray(2)]);
}

/** Red above, blue below, without equal neighbours, so that it compresses badly and a cut shows. */
export function photo(width = 40, height = 30): Sharp {
	const pixels = Buffer.alloc(width * height * 3);
	for (let at = 0, seed = 1; at < pixels.length; at += 3) {
		seed = (seed * 48271) % 0x7fffffff;
		pixels.set(at < pixels.length / 2 ? [200, seed & 31, 0] : [0, seed & 31, 200], at);
	}
	return sharp(pixels, { raw: { width, height, channels: 3 } });
}

/** The mean colour of a part of a picture, in sRGB. */
export async function colourAt(bytes: Uint8Array, left: number, top: number): Promise<number[]> {
	const region = { left, top, width: 4, height: 4 };
	const spot = await sharp(bytes).toColourspace('srgb').removeAlpha().extract(region).toBuffer();
	return (await sharp(spot).stats()).channels.map(({ mean }) => Math.round(mean));
}
