import type { Metadata } from 'sharp';
import { Budget } from './budget.ts';

/** The most that decoding takes at once. */
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

/** The most pixels of a picture that its decoder holds as a whole: with up to 8 bytes for each, in `MAX_DECODING_BYTES` (libvips 8.18). */
const MAX_WHOLE_PIXELS = 13_000_000;

/** Tells whether a picture takes too much memory, to whatever size it is scaled. Plain PNG and JPEG are read row by row. */
export function isTooLarge({ format, isProgressive, width, height, pageHeight = height }: Metadata): boolean {
	return (isProgressive || format === 'gif' || format === 'webp') && width * pageHeight > MAX_WHOLE_PIXELS;
}
