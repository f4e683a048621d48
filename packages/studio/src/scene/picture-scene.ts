import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import sharp from 'sharp';
import { z } from 'zod';
import { decodingMemory } from '../budget.ts';
import { pngChunk, pngChunks, withChunk, withoutPngText } from '../png.ts';
import { type Scene, scene } from './scene.ts';

/** A scene, and the pixels that it was drawn with before its operations. */
export type DrawnScene = { scene: Scene; width: number; height: number };

/** Far more than the largest scene has as JSON, so that a hostile chunk inflates to no more. */
const MAX_JSON_BYTES = 64 * 1024;

/** How the text chunk begins that has the scene: its keyword, and the method of compression. https://www.w3.org/TR/png-3/#11zTXt */
const SCENE_START = 'easel-scene\0\0';

/** The longest side of a picture with a scene. */
const MAX_SIDE = 4096;

const side = z.int().min(1).max(MAX_SIDE);
const content = z.object({
	width: side,
	height: side,
	/** A digest of the picture's pixels, so that a chunk that was copied to other pixels does not count. */
	pixels: z.string().max(100),
	scene,
});

/** Returns the PNG with its scene in a text chunk, compressed. */
export async function writeScene(png: Uint8Array, drawn: DrawnScene): Promise<Uint8Array> {
	const json = JSON.stringify({ ...drawn, pixels: await digest(png) } satisfies z.input<typeof content>);
	// A zTXt chunk holds Latin-1.
	const ascii = json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
	const data = Buffer.concat([Buffer.from(SCENE_START, 'latin1'), await promisify(deflate)(ascii)]);
	return withChunk(png, pngChunk('zTXt', data));
}

/**
 * Returns the scene of a picture that the studio drew.
 * @param bytes any file that can be decoded as a picture
 * @returns undefined without a scene, with a damaged one or one of another version, and when the pixels were changed
 */
export async function readScene(bytes: Uint8Array): Promise<DrawnScene | undefined> {
	const chunk = pngChunks(bytes)?.find(
		({ name, data }) =>
			name === 'zTXt' &&
			data.length <= MAX_JSON_BYTES &&
			data.toString('latin1', 0, SCENE_START.length) === SCENE_START,
	);
	if (!chunk) return undefined;
	try {
		const json = await promisify(inflate)(chunk.data.subarray(SCENE_START.length), { maxOutputLength: MAX_JSON_BYTES });
		const { pixels, ...drawn } = content.parse(JSON.parse(json.toString('latin1')));
		return pixels === (await digest(bytes)) ? drawn : undefined;
	} catch {
		return undefined;
	}
}

/** Returns the size of a picture and the SHA-256 of its pixels, which do not depend on its compression. */
async function digest(png: Uint8Array): Promise<string> {
	const bare = withoutPngText(png);
	const picture = sharp(bare, { limitInputPixels: MAX_SIDE ** 2 })
		.toColourspace('srgb')
		.ensureAlpha()
		.raw();
	const { width, height } = await picture.metadata();
	// Decoded, converted, and read.
	const { info, hash } = await decodingMemory.use(width * height * 4 * 3, undefined, async () => {
		const { data, info } = await picture.toBuffer({ resolveWithObject: true });
		// WebCrypto computes it off the main thread.
		return { info, hash: await crypto.subtle.digest('SHA-256', data as Uint8Array<ArrayBuffer>) };
	});
	return `${info.width}x${info.height} ${Buffer.from(hash).toString('hex')}`;
}
