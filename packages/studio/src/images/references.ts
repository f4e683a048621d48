import { ApiError } from '../http/api-error.ts';
import { InputError, MAX_INPUT_BYTES, readInput } from '../input.ts';
import { withoutPngText } from '../png.ts';
import { type DrawnScene, readScene } from '../scene/picture-scene.ts';
import { readSource, type Source } from './marks.ts';

/** A picture as it comes: a file of a multipart body, or base64 with or without a data URL before it. */
export type Reference = File | string;

/** A picture that was brought, without text, its scene if it is one of the studio's own, and what its metadata says of its making. */
export type Picture = { bytes: Uint8Array; drawn: DrawnScene | undefined; source?: Source | undefined };

/** `data:image/png;base64,` with any parameters between. */
const DATA_URL = /^data:[^,;]{0,100}(?:;[^,;]{1,100}){0,5};base64,/i;

/**
 * Returns a picture that was brought, found sound.
 * @param name what to call it, as the person who brought it would: `image`, `image 2`
 * @throws ApiError 400 or 413
 */
export async function readReference(reference: Reference, name: string): Promise<Picture> {
	try {
		const brought = typeof reference === 'string' ? decode(reference) : new Uint8Array(await reference.arrayBuffer());
		// A file that is too large is refused by its own size, before it is truncated.
		const bytes = brought.length > MAX_INPUT_BYTES ? brought : withoutPngText(brought);
		if (!bytes) throw new InputError('The PNG file is damaged or cut off.');
		await readInput(bytes);
		const drawn = await readScene(brought);
		return { bytes, drawn, source: readSource(brought) ?? (drawn && 'algorithmicMedia') };
	} catch (error) {
		if (!(error instanceof InputError)) throw error;
		throw new ApiError(error.status, `${name}: ${error.message}`, { param: 'image', code: 'invalid_image' });
	}
}

function decode(text: string): Uint8Array {
	if (/^https?:/i.test(text)) {
		throw new InputError('Pictures are not fetched from addresses; send the picture itself as base64.');
	}
	// Three bytes are four characters; what is longer than any picture need not be decoded to be refused.
	if (text.length > MAX_INPUT_BYTES * 1.5) {
		throw new InputError(`The picture is larger than the ${MAX_INPUT_BYTES / 1024 / 1024} MB that are taken.`, 413);
	}
	try {
		// Without the regular expression's capture, so that no second copy of the text is made for a plain one.
		const prefix = DATA_URL.exec(text.slice(0, 1000))?.[0].length ?? 0;
		return Uint8Array.fromBase64(prefix ? text.slice(prefix) : text, { lastChunkHandling: 'loose' });
	} catch {
		throw new InputError('This is not valid base64.');
	}
}
