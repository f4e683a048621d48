import { latin1, type Parts, reader } from './parts.ts';

/** A part of a JPEG: 0xff, a marker and mostly a length; picture data is between them. https://www.w3.org/Graphics/JPEG/itu-t81.pdf (B.1) */
type Segment = { marker: number; from: number; to: number };

const END_OF_IMAGE = 0xd9;

/** Whether the marker starts a frame, which has the size. Three in this range mean something else. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

const isApplication = (marker: number) => marker >= 0xe0 && marker <= 0xef;
const COMMENT = 0xfe;

/** Reads width and height; undefined if the file ends before them. */
export function readJpegSize(bytes: Uint8Array): { width: number; height: number } | undefined {
	for (const { marker, from, to } of segments(bytes)) {
		if (!isFrame(marker)) continue;
		if (to - from < 9 || to > bytes.length) return undefined;
		const view = reader(bytes);
		return { width: view.getUint16(from + 7), height: view.getUint16(from + 5) };
	}
	return undefined;
}

/** Returns how many samples a pixel has, all components together: 3 at full resolution, 1.5 with halved colours. */
export function readJpegComponents(bytes: Uint8Array): number {
	for (const { marker, from, to } of segments(bytes)) {
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
export function readJpegParts(bytes: Uint8Array): Parts | undefined {
	const parts: Parts = { extras: [], exif: [], profile: [], end: 0 };
	for (const { marker, from, to } of segments(bytes)) {
		if (marker === END_OF_IMAGE) return { ...parts, end: to };
		const label = latin1(bytes, from + 4, from + 16);
		if (marker === 0xe1 && label.startsWith('Exif\0')) parts.exif.push([from, to]);
		else if (isProfile(marker, label)) parts.profile.push([from, to]);
		else if (marker === COMMENT || (isApplication(marker) && !affectsLook(marker, label))) {
			parts.extras.push([from, to]);
		}
	}
	return undefined;
}

const isProfile = (marker: number, label: string) => marker === 0xe2 && label.startsWith('ICC_PROFILE\0');

/** Whether the segment is JFIF, or Adobe's mark of how colours are stored. */
const affectsLook = (marker: number, label: string) =>
	(marker === 0xe0 && label.startsWith('JFIF\0')) || (marker === 0xee && label.startsWith('Adobe'));

/** Yields segments, skipping picture data and stray bytes between segments. */
function* segments(bytes: Uint8Array): Generator<Segment> {
	const view = reader(bytes);
	let at = 2;
	for (;;) {
		const from = bytes.indexOf(0xff, at);
		const marker = bytes[from + 1];
		if (from < 0 || marker === undefined) return;
		// Filler; a byte of picture data that is 0xff; markers within the data. They have no length.
		const isData = marker === 0xff || marker === 0 || marker === 1 || (marker >= 0xd0 && marker <= 0xd8);
		if (isData) {
			at = marker === 0xff ? from + 1 : from + 2;
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
