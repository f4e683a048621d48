import { crc32 } from 'node:zlib';
import { latin1, type Parts, reader } from './parts.ts';

/** PNG: a signature, then chunks of length, name, data and checksum. https://www.w3.org/TR/png-3/#5Chunk-layout */
export const PNG_SIGNATURE = '\x89PNG\r\n\x1a\n';

/** Chunks that affect how the picture looks. Text must go: each 8 kB of it can decompress to 8 MB when it is read. */
const VISUAL_CHUNKS = new Set(
	'IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD pHYs eXIf'.split(' '),
);

/** Reads width and height; undefined if the header is incomplete. */
export function readPngSize(bytes: Uint8Array): { width: number; height: number } | undefined {
	if (bytes.length < 33 || latin1(bytes, 12, 16) !== 'IHDR') return undefined;
	const view = reader(bytes);
	return { width: view.getUint32(16), height: view.getUint32(20) };
}

/** Returns undefined when the file ends before the picture does. */
export function readPngParts(bytes: Uint8Array): Parts | undefined {
	const view = reader(bytes);
	const parts: Parts = { extras: [], exif: [], profile: [], end: 0 };
	for (let at = PNG_SIGNATURE.length; at + 12 <= bytes.length; ) {
		const name = latin1(bytes, at + 4, at + 8);
		const next = at + 12 + view.getUint32(at);
		if (next > bytes.length) return undefined;
		if (name === 'IEND') return { ...parts, end: next };
		if (name === 'eXIf') parts.exif.push([at, next]);
		else if (name === 'iCCP') parts.profile.push([at, next]);
		if (!VISUAL_CHUNKS.has(name)) parts.extras.push([at, next]);
		at = next;
	}
	return undefined;
}

/** Returns a chunk: length, name, data and checksum. https://www.w3.org/TR/png-3/#5Chunk-layout */
export function pngChunk(name: string, data: Uint8Array): Uint8Array {
	const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
	const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
	length.writeUInt32BE(data.length);
	sum.writeUInt32BE(crc32(named));
	return Buffer.concat([length, named, sum]);
}
