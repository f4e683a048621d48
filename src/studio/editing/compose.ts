import { workers } from './workers.ts';

export type ComposeRequest = {
	/** Two or three, in the order of “image 1”, “image 2”, “image 3”; upright by their EXIF, first frames. */
	images: readonly Uint8Array[];
	/** In natural language; see `readComposition`. */
	prompt: string;
	/** Pixels of the result; 1024 × 1024 when left out. */
	width?: number;
	height?: number;
	/** 0 for the first result; others differ a little. */
	variation: number;
	signal?: AbortSignal;
};

/**
 * Puts pictures together, off the main thread.
 * @returns a PNG of exactly `width` × `height`. Rejects when a picture can't be decoded, or with the signal's reason; no
 * prompt makes it fail.
 */
export function compose({
	images,
	prompt,
	width = 1024,
	height = 1024,
	variation,
	signal,
}: ComposeRequest): Promise<Uint8Array> {
	return workers.run({ do: 'compose', images, prompt, width, height, variation }, signal);
}
