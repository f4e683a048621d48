/**
 * Where a picture's file holds more than the picture: text, places, thumbnails, animation, what was hung on its end.
 * `exif` is apart from the rest, for it says which side is up. Ranges are `[from, to)`, in order.
 */
export type Parts = { extras: Range[]; exif: Range[]; end: number };

type Range = readonly [from: number, to: number];

/** The file without some of its ranges, and without what follows its end; the same bytes when there is nothing to leave out. */
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

/** The bytes with what reads numbers from them, not copied. */
export const reader = ({ buffer, byteOffset, byteLength }: Uint8Array) => new DataView(buffer, byteOffset, byteLength);

/** Bytes as text, one character each; shorter where the file ends. */
export const latin1 = (bytes: Uint8Array, from: number, to: number) =>
	Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1', from, to);
