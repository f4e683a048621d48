import { latin1, PNG_SIGNATURE, reader, readJpegSize, readPngSize } from './parts.ts';

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
	['video/mp4', 'video', /^.{4}ftyp/s],
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
