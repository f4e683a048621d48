/** Signature and the beginning of the IHDR chunk, up to the height. https://www.w3.org/TR/png-3/#11IHDR */
export const PNG_HEADER_BYTES = 24;

const SIGNATURE_AND_IHDR = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

/** Reads width and height of a PNG from its first bytes; undefined if it is not a PNG. */
export function readPngHeader(bytes: Uint8Array): { width: number; height: number } | undefined {
	const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, PNG_HEADER_BYTES));
	if (start.length < PNG_HEADER_BYTES || !start.subarray(0, 16).equals(SIGNATURE_AND_IHDR)) return undefined;
	const width = start.readUInt32BE(16);
	const height = start.readUInt32BE(20);
	return width > 0 && height > 0 ? { width, height } : undefined;
}
