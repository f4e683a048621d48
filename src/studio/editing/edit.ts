import { workers } from './workers.ts';

export type EditRequest = {
	/** PNG, JPEG, WebP or GIF; upright by its EXIF, first frame. */
	image: Uint8Array;
	/** In natural language; see `readInstruction`. */
	instruction: string;
	/** 0 for the first result; others differ a little. */
	variation: number;
	/** Crisper letters, and edges of the subject that are kept. */
	sharpText: boolean;
	signal?: AbortSignal;
};

/**
 * Edits a picture, off the main thread.
 * @returns a PNG, its longer side at most `LONGEST_SIDE`. Rejects when the picture can't be decoded, or with the signal's
 * reason; no instruction makes it fail.
 */
export function edit({ image, instruction, variation, sharpText, signal }: EditRequest): Promise<Uint8Array> {
	return workers.run({ do: 'edit', image, instruction, variation, sharp: sharpText }, signal);
}
