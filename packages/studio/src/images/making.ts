import type { Size } from '../drawing/compose.ts';
import type { Edit } from '../operations/operate.ts';
import { describe } from '../scene/captions/describe.ts';
import { clipped } from '../scene/captions/wording.ts';
import { type DrawnScene, writeScene } from '../scene/picture-scene.ts';
import type { Scene } from '../scene/scene.ts';
import type { Artist } from '../workers.ts';
import { marked, sourceOfEdit } from './marks.ts';
import type { Picture } from './references.ts';

/** A picture, and in words what was drawn and what was not understood. */
export type Made = { png: Uint8Array; revisedPrompt: string };

/** What a request asks for. */
export type Wish = { artist: Artist; prompt: string; size: Size; sharpText: boolean; signal: AbortSignal };

/** Makes one variation of what was asked for. */
export type Making = (variation: number, signal: AbortSignal) => Promise<Made>;

/** Draws a scene, and keeps it in the picture. */
async function drawPicture(artist: Artist, drawn: DrawnScene, signal: AbortSignal) {
	return marked(await writeScene(await artist.draw(drawn, signal), drawn), 'algorithmicMedia');
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
	const words = notUnderstood.slice(0, MAX_WORDS).map((word) => clipped(word, 40));
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
export const redrawing =
	(artist: Artist, drawn: DrawnScene, saying: Omit<Saying, 'scene'>): Making =>
	async (variation, signal) => {
		const scene = { ...drawn.scene, variation: drawn.scene.variation + variation };
		const png = await drawPicture(artist, { ...drawn, scene }, signal);
		return { png, revisedPrompt: revisedPrompt({ ...saying, scene }) };
	};

/** Changes the pixels of pictures. `impossible` is what only a scene could do. */
export const retouching =
	(
		{ artist, sharpText }: Wish,
		pictures: readonly Picture[],
		edit: Omit<Edit, 'pictures' | 'variation' | 'sharpText'>,
		{ impossible, ...saying }: Saying & { impossible: readonly string[] },
	): Making =>
	async (variation, signal) => {
		const files = pictures.map(({ bytes }) => bytes);
		const png = await artist.edit({ ...edit, pictures: files, variation, sharpText }, signal);
		const missing = impossible.length > 0 ? [`${ONLY_IN_SCENE}: ${impossible.join(', ')}`] : [];
		return {
			png: marked(png, sourceOfEdit(pictures.map(({ source }) => source))),
			revisedPrompt: revisedPrompt({ ...saying, missing }),
		};
	};

export const ONLY_IN_SCENE = 'Only possible in a scene that was drawn here';

/** Draws a picture from words alone. */
export const generation =
	({ artist, prompt, size, sharpText }: Wish): Making =>
	async (variation, signal) => {
		const { scene, notUnderstood } = await artist.read('prompt', [prompt, variation], signal);
		const drawn = { scene: { ...scene, sharpText }, ...size };
		return { png: await drawPicture(artist, drawn, signal), revisedPrompt: revisedPrompt({ scene, notUnderstood }) };
	};
