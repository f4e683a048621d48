import type { Metadata } from 'sharp';
import { Budget } from './budget.ts';

/** The most that decoding takes at once. A picture that needs more alone is refused. */
export const MAX_DECODING_BYTES = 128 * 1024 * 1024;

/** Lets work wait for the memory that it takes, in bytes. */
export type Memory = Pick<Budget, 'use'>;

let memory: Memory = new Budget(MAX_DECODING_BYTES);

/** Decodes within the memory of the program that embeds the studio. */
export function shareMemory(shared: Memory): void {
	memory = shared;
}

/** The memory of this process for decoded pictures. */
export const decodingMemory: Memory = { use: (bytes, signal, work) => memory.use(bytes, signal, work) };

/** What decoding takes for its rows, tables and threads, however large the picture is. */
const ROWS_BYTES = 24 * 1024 * 1024;

/** How much memory the decoding of a picture takes, known from its header. The figures are measured with libvips 8.18. */
export type Decoding = {
	pixels: number;
	/** The most pixels that it can be scaled to while it is decoded; 0 when it cannot be decoded at all. */
	maxPixels: number;
	/** Returns the bytes that are taken while it is decoded and scaled to so many pixels. */
	bytesFor(pixels: number): number;
};

/** @param header of the first frame */
export function decodingOf(header: Metadata, bytes: Uint8Array): Decoding {
	const { format, isProgressive, orientation = 1, channels, depth, hasAlpha } = header;
	const pixels = header.width * (header.pageHeight ?? header.height);
	const sample = depth === 'uchar' ? 1 : depth === 'ushort' ? 2 : 4;
	// What the decoder holds of the whole picture, to whatever size it is scaled. Plain PNG and JPEG are read row by row, and so is WebP
	// that is lossy, unless it has transparency or is animated. A progressive JPEG takes 2 bytes for each coefficient.
	const isLossyWebp = Buffer.from(bytes.subarray(12, 16)).toString('latin1') === 'VP8 ';
	const whole = {
		gif: 5,
		webp: isLossyWebp ? 0 : 4,
		png: isProgressive ? channels * sample : 0,
		jpeg: isProgressive ? 2 * channels : 0,
	}[format as string];
	// Of the scaled picture: decoded and copied, or rotated.
	const each = format === 'webp' ? 11 : orientation <= 1 ? 0 : channels * sample * (hasAlpha ? 2 : 1.25);
	const fixed = ROWS_BYTES + pixels * (whole ?? 5);
	const free = MAX_DECODING_BYTES - fixed;
	return {
		pixels,
		maxPixels: free < 0 ? 0 : Math.min(pixels, each === 0 ? pixels : Math.floor(free / each)),
		bytesFor: (scaledTo) => fixed + each * Math.min(pixels, scaledTo),
	};
}
