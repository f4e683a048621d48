import { crc32 } from 'node:zlib';

/**
 * The parts of a file that are not the picture: text, locations, thumbnails, animation, data after its end (`end`). `exif` is separate,
 * since it has the orientation, and `profile`, the colour profile. Ranges are `[from, to)`, in order.
 */
export type Sections = { extras: Range[]; exif: Range[]; profile: Range[]; end: number };

type Range = readonly [from: number, to: number];

/** Returns the file without these ranges and without what follows its end. Copies only when there are ranges. */
export function leaveOut(bytes: Uint8Array, ranges: readonly Range[], end: number): Uint8Array {
	if (ranges.length === 0) return bytes.subarray(0, end);
	const kept: Uint8Array[] = [];
	let at = 0;
	for (const [from, to] of ranges) {
		kept.push(bytes.subarray(at, from));
		at = to;
	}
	return Buffer.concat([...kept, bytes.subarray(at, end)]);
}

/** Returns a view that reads numbers from the bytes, without a copy. */
export const reader = ({ buffer, byteOffset, byteLength }: Uint8Array) => new DataView(buffer, byteOffset, byteLength);

/** Returns bytes as text, one character each; shorter where the file ends. */
export const latin1 = (bytes: Uint8Array, from: number, to: number) =>
	Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1', from, to);

/** PNG: a signature, then chunks of length, name, data and checksum. https://www.w3.org/TR/png-3/#5Chunk-layout */
export const PNG_SIGNATURE = '\x89PNG\r\n\x1a\n';

/** Chunks that affect how the picture looks. Text must go: each 8 kB of it can decompress to 8 MB when it is read. */
const VISUAL_CHUNKS = new Set(
	'IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD pHYs eXIf'.split(' '),
);

/** Reads width and height; undefined if the header is incomplete. */
function readPngSize(bytes: Uint8Array): Size | undefined {
	if (bytes.length < 33 || latin1(bytes, 12, 16) !== 'IHDR') return undefined;
	const view = reader(bytes);
	return { width: view.getUint32(16), height: view.getUint32(20) };
}

/** Returns undefined when the file ends before the picture does. */
export function readPngParts(bytes: Uint8Array): Sections | undefined {
	const parts: Sections = { extras: [], exif: [], profile: [], end: 0 };
	for (const { name, from, to } of pngChunks(bytes)) {
		if (to > bytes.length) return undefined;
		if (name === 'IEND') return { ...parts, end: to };
		if (name === 'eXIf') parts.exif.push([from, to]);
		else if (name === 'iCCP') parts.profile.push([from, to]);
		if (!VISUAL_CHUNKS.has(name)) parts.extras.push([from, to]);
	}
	return undefined;
}

/** A chunk of a PNG with its length and checksum: `[from, to)`. The last one may end after its file, and `data` is shorter then. */
type Chunk = { name: string; data: Uint8Array; from: number; to: number };

/** Yields the chunks of a PNG up to its end. */
export function* pngChunks(bytes: Uint8Array): Generator<Chunk> {
	const view = reader(bytes);
	let name = '';
	for (let from = PNG_SIGNATURE.length; from + 12 <= bytes.length && name !== 'IEND'; ) {
		name = latin1(bytes, from + 4, from + 8);
		const to = from + 12 + view.getUint32(from);
		yield { name, data: bytes.subarray(from + 8, to - 4), from, to };
		from = to;
	}
}

/** Returns a chunk: length, name, data and checksum. https://www.w3.org/TR/png-3/#5Chunk-layout */
export function pngChunk(name: string, data: Uint8Array): Uint8Array {
	const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
	const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
	length.writeUInt32BE(data.length);
	sum.writeUInt32BE(crc32(named));
	return Buffer.concat([length, named, sum]);
}

/** A part of a JPEG: 0xff, a marker and mostly a length; picture data is between them. https://www.w3.org/Graphics/JPEG/itu-t81.pdf (B.1) */
type Segment = { marker: number; from: number; to: number };

const END_OF_IMAGE = 0xd9;
export const START_OF_SCAN = 0xda;

/** Whether the marker starts a frame, which has the size. Three in this range mean something else. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** Reads width and height; undefined if the file ends before them. */
function readJpegSize(bytes: Uint8Array): Size | undefined {
	for (const { marker, from, to } of jpegSegments(bytes)) {
		if (!isFrame(marker)) continue;
		if (to - from < 9 || to > bytes.length) return undefined;
		const view = reader(bytes);
		return { width: view.getUint16(from + 7), height: view.getUint16(from + 5) };
	}
	return undefined;
}

/** Returns how many samples a pixel has, all components together: 3 at full resolution, 1.5 with halved colours. */
export function readJpegComponents(bytes: Uint8Array): number {
	for (const { marker, from, to } of jpegSegments(bytes)) {
		if (!isFrame(marker)) continue;
		const factors: number[][] = [];
		for (let at = from + 11; at + 1 < to; at += 3) {
			const factor = bytes[at] ?? 0;
			factors.push([factor >> 4, factor & 15]);
		}
		const most = Math.max(...factors.map(([across = 1]) => across)) * Math.max(...factors.map(([, down = 1]) => down));
		return factors.reduce((sum, [across = 1, down = 1]) => sum + (across * down) / most, 0);
	}
	return 4;
}

/** Returns undefined when the file ends before the picture does. */
export function readJpegParts(bytes: Uint8Array): Sections | undefined {
	const parts: Sections = { extras: [], exif: [], profile: [], end: 0 };
	for (const { marker, from, to } of jpegSegments(bytes)) {
		if (marker === END_OF_IMAGE) return { ...parts, end: to };
		const label = `${marker.toString(16)} ${latin1(bytes, from + 4, from + 16)}`;
		if (label.startsWith('e1 Exif\0')) parts.exif.push([from, to]);
		else if (label.startsWith('e2 ICC_PROFILE\0')) parts.profile.push([from, to]);
		// Data of applications and comments; JFIF, and Adobe's mark of how colours are stored, affect the look.
		else if (/^(?:e.|fe) /.test(label) && !/^(?:e0 JFIF\0|ee Adobe)/.test(label)) parts.extras.push([from, to]);
	}
	return undefined;
}

/** Yields segments, skipping picture data and stray bytes between segments. */
export function* jpegSegments(bytes: Uint8Array): Generator<Segment> {
	const view = reader(bytes);
	for (let at = 2; at + 1 < bytes.length; ) {
		const from = at;
		const marker = bytes[from + 1] ?? 0;
		// Picture data, and markers within it. They have no length.
		const isData = marker <= 1 || marker === 0xff || (marker >= 0xd0 && marker <= 0xd8);
		if (bytes[from] !== 0xff || isData) {
			at += 1;
		} else if (marker === END_OF_IMAGE) {
			yield { marker, from, to: from + 2 };
			return;
		} else {
			if (from + 4 > bytes.length) return;
			at = from + 2 + Math.max(2, view.getUint16(from + 2));
			yield { marker, from, to: at };
		}
	}
}

/** The text chunk in which the studio keeps the scene of a picture. https://www.w3.org/TR/png-3/#11zTXt */
const SCENE_START = 'zTXteasel-scene\0\0';

/** More than any scene needs, and too little to cost a reader memory. */
const MAX_SCENE_BYTES = 64 * 1024;

/** Returns the range of the scene's chunk among the extras of a PNG, length and checksum included; undefined without one. */
export const sceneChunk = (bytes: Uint8Array, { extras }: Sections): Range | undefined =>
	extras.find(
		([from, to]) =>
			to - from <= MAX_SCENE_BYTES && latin1(bytes, from + 4, from + 4 + SCENE_START.length) === SCENE_START,
	);

/**
 * The type of a file, and the stored size of its picture in pixels; 0 × 0 if its header has none. What cannot be read has a `kind`, by which
 * messages name it.
 */
export type Sniffed = Size & ({ type: ReadableType; kind?: undefined } | { type: string; kind: string });

/** In pixels. */
export type Size = { width: number; height: number };

/** Types of pictures that can be read. */
export type ReadableType = 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif';

/** Their first bytes, and the reader of their header. */
const READABLE: readonly [type: ReadableType, start: RegExp, readSize: (bytes: Uint8Array) => Size | undefined][] = [
	['image/png', new RegExp(`^${PNG_SIGNATURE}`), readPngSize],
	['image/jpeg', /^\xff\xd8\xff/, readJpegSize],
	['image/webp', /^RIFF.{4}WEBP/s, readWebpSize],
	['image/gif', /^GIF8[79]a/, readGifSize],
];

/** Other files that people send, so that a message can name them. */
const NAMED: readonly [type: string, kind: string, start: { test(text: string): boolean }][] = [
	['image/avif', 'avif', /^.{4}ftypavi[fs]/s],
	['image/heic', 'heic', /^.{4}ftyp(?:hei[cxmsf]|hev[cxms]|mif[12]|msf1)/s],
	// Sound alone is in such files as well.
	['video/mp4', 'video', /^.{4}ftyp(?!M4[AB])/s],
	['video/webm', 'video', /^\x1a\x45\xdf\xa3/],
	['image/jxl', 'jxl', /^(?:\xff\x0a|\0\0\0\x0cJXL )/],
	['image/jp2', 'jp2', /^\0\0\0\x0cjP {2}/],
	['image/tiff', 'tiff', /^(?:II\*\0|MM\0\*)/],
	['image/bmp', 'bmp', /^BM.{4}\0{4}/s],
	['image/vnd.adobe.photoshop', 'photoshop', /^8BPS/],
	['application/pdf', 'pdf', /^%PDF-/],
	['image/svg+xml', 'svg', { test: isSvg }],
];

/**
 * Detects the type of a file by its first bytes, since neither its name nor its declared type can be trusted. Reads only the header;
 * nothing is decoded, decompressed or copied. Never throws.
 */
export function sniff(bytes: Uint8Array): Sniffed | undefined {
	const start = latin1(bytes, 0, 1024);
	for (const [type, pattern, readSize] of READABLE) {
		if (pattern.test(start)) return { type, ...(readSize(bytes) ?? { width: 0, height: 0 }) };
	}
	const [type, kind] = NAMED.find(([, , pattern]) => pattern.test(start)) ?? [];
	return type && kind ? { type, kind, width: 0, height: 0 } : undefined;
}

/** What may come before the root of an SVG file, each with its end. */
const PROLOGUE = [
	[/<\?xml/iy, '>'],
	[/<!--/y, '-->'],
	[/<!DOCTYPE svg/iy, '>'],
] as const;

/** Tells whether a text begins an SVG file: each part before its root is skipped once, so that no text is read twice. */
function isSvg(start: string): boolean {
	const isAt = (pattern: RegExp, at: number) => {
		pattern.lastIndex = at;
		return pattern.test(start);
	};
	let at = start.startsWith('\xef\xbb\xbf') ? 3 : 0;
	for (;;) {
		while (isAt(/\s/y, at)) at++;
		const part = PROLOGUE.find(([opening]) => isAt(opening, at));
		if (!part) return isAt(/<svg[\s>]/iy, at);
		const end = start.indexOf(part[1], at + 4);
		if (end < 0) return false;
		at = end + part[1].length;
	}
}

/** https://www.w3.org/Graphics/GIF/spec-gif89a.txt, 18 */
function readGifSize(bytes: Uint8Array): Size | undefined {
	if (bytes.length < 10) return undefined;
	const view = reader(bytes);
	return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

/** Three kinds, each with its own header. https://developers.google.com/speed/webp/docs/riff_container */
function readWebpSize(bytes: Uint8Array): Size | undefined {
	if (bytes.length < 30) return undefined;
	const view = reader(bytes);
	switch (latin1(bytes, 12, 16)) {
		case 'VP8 ':
			return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
		case 'VP8L': {
			const bits = view.getUint32(21, true);
			return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
		}
		case 'VP8X':
			return { width: 1 + (view.getUint32(24, true) & 0xffffff), height: 1 + (view.getUint32(26, true) >>> 8) };
		default:
			return undefined;
	}
}
