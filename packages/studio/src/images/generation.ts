import type { Artist, Size } from './artist.ts';
import { drawPicture, type Making, revisedPrompt } from './making.ts';

/** Draws a picture from words alone. */
export function generation(artist: Artist, prompt: string, size: Size, sharpText: boolean): Making {
	return async (variation, signal) => {
		const reading = await artist.read('prompt', [prompt, variation], signal);
		const scene = { ...reading.scene, sharpText };
		const png = await drawPicture(artist, { scene, ...size }, signal);
		return { png, revisedPrompt: revisedPrompt({ scene, notUnderstood: reading.notUnderstood }) };
	};
}
