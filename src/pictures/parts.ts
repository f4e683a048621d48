/**
 * The parts of a file that are not the picture: text, locations, thumbnails, animation, data after its end (`end`). `exif` is separate,
 * since it has the orientation, and `profile`, the colour profile. Ranges are `[from, to)`, in order.
 */
export type Parts = { extras: Range[]; exif: Range[]; profile: Range[]; end: number };

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
