import type { Metadata } from 'sharp';
import { MemoryBudget } from '../domain/queues.ts';
import { latin1, readJpegComponents } from './parts.ts';

/** The most that decoding takes at once. A picture that needs more alone is decoded smaller, or refused. */
const MAX_DECODING_BYTES = 128 * 1024 * 1024;

/**
 * The memory of this process for pictures: their files, and what decoding them takes. Work that needs both takes the files first, so that
 * nothing waits for files while it decodes, and no two pieces of work wait for each other.
 */
export const fileMemory = new MemoryBudget(32 * 1024 * 1024);
export const decodingMemory = new MemoryBudget(MAX_DECODING_BYTES);

/** What decoding takes for its rows, tables and threads, however large the picture is. */
const ROWS_BYTES = 24 * 1024 * 1024;

/**
 * Returns how much memory the decoding of a picture takes, known from its header. The figures are measured with libvips 8.18.
 * @param header of the first frame
 */
export function decodingOf(header: Metadata, bytes: Uint8Array) {
	const pixels = header.width * (header.pageHeight ?? header.height);
	const whole = wholeBytes(header, bytes, pixels);
	const perPixel = pixelBytes(header);
	const bytesFor = (scaledTo: number) => ROWS_BYTES + whole + perPixel * Math.min(pixels, scaledTo);
	const free = MAX_DECODING_BYTES - ROWS_BYTES - whole;
	return {
		pixels,
		/** The most pixels that it can be scaled to while it is decoded; 0 when it cannot be decoded at all. */
		maxPixels: free < 0 ? 0 : Math.min(pixels, perPixel === 0 ? pixels : Math.floor(free / perPixel)),
		/**
		 * Does work that decodes the picture and scales it to so many pixels, once there is memory for it.
		 * @param held what the work keeps besides, in bytes
		 */
		use<Result>(scaledTo: number, signal: AbortSignal | undefined, work: () => Promise<Result>, held = 0) {
			return decodingMemory.use(bytesFor(scaledTo) + held, signal, work);
		},
	};
}

/** Returns what the decoder holds of the whole picture, to whatever size it is scaled. Plain PNG and JPEG are read row by row. */
function wholeBytes({ format, isProgressive, channels, depth }: Metadata, bytes: Uint8Array, pixels: number) {
	switch (format) {
		case 'gif':
			return 5 * pixels;
		case 'webp':
			// A lossy picture is scaled row by row, unless it has transparency or is animated.
			return latin1(bytes, 12, 16) === 'VP8 ' ? 0 : 4 * pixels;
		case 'png':
			return isProgressive ? pixels * channels * sampleBytes(depth) : 0;
		case 'jpeg':
			// Several scans: 2 bytes for each coefficient.
			return isProgressive ? 2 * pixels * readJpegComponents(bytes) : 0;
		default:
			return 5 * pixels;
	}
}

/** Returns the bytes for each pixel of the scaled picture: none is held unless the decoder does, or it has to be rotated. */
function pixelBytes({ format, orientation = 1, channels, depth, hasAlpha }: Metadata): number {
	// Decoded and copied, and the PNG that is made of it.
	if (format === 'webp') return 11;
	if (orientation <= 1) return 0;
	return channels * sampleBytes(depth) * (hasAlpha ? 2 : 1.25);
}

const sampleBytes = (depth: string) => (depth === 'uchar' ? 1 : depth === 'ushort' ? 2 : 4);
