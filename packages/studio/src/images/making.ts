import { describe } from '../scene/captions/describe.ts';
import { type DrawnScene, writeScene } from '../scene/picture-scene.ts';
import type { Scene } from '../scene/scene.ts';
import type { Artist, Size } from '../workers.ts';
import { marked } from './marks.ts';

/** A picture, and in words what was drawn and what was not understood. */
export type Made = { png: Uint8Array; revisedPrompt: string };

/** Makes one variation of what was asked for. */
export type Making = (variation: number, signal: AbortSignal) => Promise<Made>;

/** Draws a scene, does its operations, and keeps the scene in the picture. */
export async function drawPicture(
	artist: Artist,
	{ scene, ...size }: DrawnScene,
	signal: AbortSignal,
): Promise<Uint8Array> {
	const drawn = await artist.draw(scene, size, signal);
	const { seed, operations, sharpText } = scene;
	const png =
		operations.length > 0 ? await artist.operate(drawn, operations, { seed, variation: 0, sharpText }, signal) : drawn;
	return marked(await writeScene(png, { scene, ...size }), 'algorithmicMedia');
}

type Saying = {
	/** What was changed, as sentences without full stops. */
	said?: readonly string[];
	/** The scene that was drawn; undefined for a picture without one. */
	scene?: Scene;
	/** What was not possible, as sentences without full stops. */
	missing?: readonly string[];
	notUnderstood: readonly string[];
};

/** The most words that are named as left out. */
const MAX_WORDS = 12;

/** Returns what an answer says of a picture: "Removed the horse. Drawn: the sea at dawn. Left out: a boat." */
export function revisedPrompt({ said = [], scene, missing = [], notUnderstood }: Saying): string {
	const words = notUnderstood
		.slice(0, MAX_WORDS)
		.map((word) => (word.length > 40 ? `${word.slice(0, 39).toWellFormed()}…` : word));
	return [
		...said,
		scene && `Drawn: ${describe(scene)}`,
		...missing,
		words.length > 0 && `Left out: ${words.join(', ')}`,
	]
		.filter((sentence) => typeof sentence === 'string' && sentence !== '')
		.map((sentence) => `${sentence}.`)
		.join(' ');
}

/** Draws a scene that was changed or put together, each variation in another arrangement. */
export function redrawing(artist: Artist, { scene, ...size }: DrawnScene, saying: Omit<Saying, 'scene'>): Making {
	return async (variation, signal) => {
		const varied = { ...scene, variation: scene.variation + variation };
		const png = await drawPicture(artist, { scene: varied, ...size }, signal);
		return { png, revisedPrompt: revisedPrompt({ ...saying, scene: varied }) };
	};
}

/** Draws a picture from words alone. */
export function generation(artist: Artist, prompt: string, size: Size, sharpText: boolean): Making {
	return async (variation, signal) => {
		const reading = await artist.read('prompt', [prompt, variation], signal);
		const scene = { ...reading.scene, sharpText };
		const png = await drawPicture(artist, { scene, ...size }, signal);
		return { png, revisedPrompt: revisedPrompt({ scene, notUnderstood: reading.notUnderstood }) };
	};
}
