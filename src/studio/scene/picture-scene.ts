import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import sharp from 'sharp';
import { z } from 'zod';
import { decodingMemory } from '../../pictures/decoding.ts';
import {
	latin1,
	leaveOut,
	PNG_SIGNATURE,
	pngChunk,
	readPngParts,
	readPngSize,
	SCENE_START,
	sceneChunk,
} from '../../pictures/parts.ts';
import { type Scene, scene } from './scene.ts';

/** A scene, and the pixels that it was drawn with before its operations. */
export type DrawnScene = { scene: Scene; width: number; height: number };

/** Far more than the largest scene has as JSON, so that a hostile chunk inflates to no more. */
const MAX_JSON_BYTES = 64 * 1024;

/** The last chunk of a PNG, which has no data. */
const PNG_END_BYTES = 12;

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
	const parts = readPngParts(png);
	if (!parts) throw new Error('The drawn picture is not a whole PNG');
	const json = JSON.stringify({ ...drawn, pixels: await digest(png) } satisfies z.input<typeof content>);
	// A zTXt chunk holds Latin-1.
	const ascii = json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
	const [name, start] = [SCENE_START.slice(0, 4), Buffer.from(SCENE_START.slice(4), 'latin1')];
	const chunk = pngChunk(name, Buffer.concat([start, await promisify(deflate)(ascii)]));
	const end = parts.end - PNG_END_BYTES;
	return Buffer.concat([png.subarray(0, end), chunk, png.subarray(end, parts.end)]);
}

/**
 * Returns the scene of a picture that the studio drew.
 * @param bytes any file that can be decoded as a picture
 * @returns undefined without a scene, with a damaged one or one of another version, and when the pixels were changed
 */
export async function readScene(bytes: Uint8Array): Promise<DrawnScene | undefined> {
	if (latin1(bytes, 0, PNG_SIGNATURE.length) !== PNG_SIGNATURE) return undefined;
	const parts = readPngParts(bytes);
	const chunk = parts && sceneChunk(bytes, parts);
	if (!chunk) return undefined;
	try {
		const [from, to] = chunk;
		const data = bytes.subarray(from + 4 + SCENE_START.length, to - 4);
		const json = await promisify(inflate)(data, { maxOutputLength: MAX_JSON_BYTES });
		const { pixels, ...drawn } = content.parse(JSON.parse(json.toString('latin1')));
		return pixels === (await digest(bytes)) ? drawn : undefined;
	} catch {
		return undefined;
	}
}

/**
 * Returns a PNG without its text, animation and everything else that is not the picture, for decoders that would decompress all of it:
 * 771 kB of text chunks take libvips 2.4 GB. Other files are returned as they are, and undefined for a truncated PNG.
 */
export function withoutPngText(bytes: Uint8Array): Uint8Array | undefined {
	if (latin1(bytes, 0, PNG_SIGNATURE.length) !== PNG_SIGNATURE) return bytes;
	const parts = readPngParts(bytes);
	return parts && leaveOut(bytes, parts.extras, parts.end);
}

/** Returns the size of a picture and the SHA-256 of its pixels, which do not depend on its compression. */
async function digest(png: Uint8Array): Promise<string> {
	const bare = withoutPngText(png);
	const picture = sharp(bare, { limitInputPixels: MAX_SIDE ** 2 })
		.toColourspace('srgb')
		.ensureAlpha()
		.raw();
	const { width = 0, height = 0 } = readPngSize(png) ?? {};
	// Decoded, converted, and read.
	const { info, hash } = await decodingMemory.use(width * height * 4 * 3, undefined, async () => {
		const { data, info } = await picture.toBuffer({ resolveWithObject: true });
		// WebCrypto computes it off the main thread.
		return { info, hash: await crypto.subtle.digest('SHA-256', data as Uint8Array<ArrayBuffer>) };
	});
	return `${info.width}x${info.height} ${Buffer.from(hash).toString('hex')}`;
}
