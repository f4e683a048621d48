import { latin1, leaveOut } from './parts.ts';
import { PNG_SIGNATURE, readPngParts } from './png.ts';

/**
 * A PNG without its text, animation and whatever else is not the picture, for decoders that would unpack all of it: 771 kB of
 * text chunks take libvips 2.4 GB. Other files as they are; undefined for a PNG that ends too early.
 */
export function withoutPngText(bytes: Uint8Array): Uint8Array | undefined {
	if (latin1(bytes, 0, PNG_SIGNATURE.length) !== PNG_SIGNATURE) return bytes;
	const parts = readPngParts(bytes);
	return parts && leaveOut(bytes, parts.extras, parts.end);
}
