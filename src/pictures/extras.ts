import { latin1, leaveOut } from './parts.ts';
import { PNG_SIGNATURE, readPngParts } from './png.ts';

/**
 * Returns a PNG without its text, animation and everything else that is not the picture, for decoders that would decompress all of it:
 * 771 kB of text chunks take libvips 2.4 GB. Other files are returned as they are, and undefined for a truncated PNG.
 */
export function withoutPngText(bytes: Uint8Array): Uint8Array | undefined {
	if (latin1(bytes, 0, PNG_SIGNATURE.length) !== PNG_SIGNATURE) return bytes;
	const parts = readPngParts(bytes);
	return parts && leaveOut(bytes, parts.extras, parts.end);
}
