import { crc32 } from 'node:zlib';

/** A signature, then chunks of length, name, data and checksum. https://www.w3.org/TR/png-3/#5Chunk-layout */
const SIGNATURE = '\x89PNG\r\n\x1a\n';

/** Chunks that affect how the picture looks. Text must go: each 8 kB of it can decompress to 8 MB when it is read. */
const VISUAL_CHUNKS = new Set(
	'IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD pHYs eXIf'.split(' '),
);

/** A chunk with its length and checksum: `[from, to)`. */
export type Chunk = { name: string; data: Buffer; from: number; to: number };

/** Returns the chunks of a PNG up to its end; undefined for another file and a truncated one. */
export function pngChunks(bytes: Uint8Array): Chunk[] | undefined {
	const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const chunks: Chunk[] = [];
	for (let from = SIGNATURE.length; isPng(bytes) && from + 12 <= buffer.length; ) {
		const name = buffer.toString('latin1', from + 4, from + 8);
		const to = from + 12 + buffer.readUInt32BE(from);
		if (to > buffer.length) return undefined;
		chunks.push({ name, data: buffer.subarray(from + 8, to - 4), from, to });
		if (name === 'IEND') return chunks;
		from = to;
	}
	return undefined;
}

const isPng = (bytes: Uint8Array) => Buffer.from(bytes.subarray(0, SIGNATURE.length)).toString('latin1') === SIGNATURE;

/** Returns a chunk with its length and checksum. */
export function pngChunk(name: string, data: Uint8Array): Buffer {
	const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
	const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
	length.writeUInt32BE(data.length);
	sum.writeUInt32BE(crc32(named));
	return Buffer.concat([length, named, sum]);
}

/**
 * Returns a PNG without its text, animation and everything else that is not the picture, for decoders that would decompress all of it:
 * 771 kB of text chunks take libvips 2.4 GB. Other files are returned as they are, and undefined for a truncated PNG.
 */
export function withoutPngText(bytes: Uint8Array): Uint8Array | undefined {
	if (!isPng(bytes)) return bytes;
	const chunks = pngChunks(bytes)?.filter(({ name }) => VISUAL_CHUNKS.has(name));
	return (
		chunks &&
		Buffer.concat([bytes.subarray(0, SIGNATURE.length), ...chunks.map(({ from, to }) => bytes.subarray(from, to))])
	);
}

/** Returns a PNG with another chunk after its header. */
export function withChunk(png: Uint8Array, chunk: Uint8Array): Uint8Array {
	const [header] = pngChunks(png) ?? [];
	if (!header) throw new Error('The drawn picture is not a whole PNG');
	return Buffer.concat([png.subarray(0, header.to), chunk, png.subarray(header.to)]);
}
