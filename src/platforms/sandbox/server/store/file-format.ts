/** Returns the last part of a path without control characters, at most 100 characters. */
export function cleanName(name: string): string {
	const last = name.toWellFormed().split(/[/\\]/).at(-1) ?? '';
	const clean = last.replaceAll(/[\p{Cc}\p{Cf}]/gu, '').trim();
	return [...clean].slice(-100).join('') || 'file';
}

/** Returns the type of a picture that browsers show; everything else is bytes to download. */
export function mediaTypeOf(bytes: Uint8Array): string {
	const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
	if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
	if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg';
	if (/^GIF8[79]a/.test(head)) return 'image/gif';
	if (/^RIFF.{4}WEBP/s.test(head)) return 'image/webp';
	return 'application/octet-stream';
}

/** Returns width and height from the header chunk of a PNG. https://www.w3.org/TR/png-3/#11IHDR */
export function pngSizeOf(bytes: Uint8Array): { width: number; height: number } | undefined {
	if (mediaTypeOf(bytes) !== 'image/png' || bytes.length < 24) return undefined;
	const view = new DataView(bytes.buffer, bytes.byteOffset);
	return { width: view.getUint32(16), height: view.getUint32(20) };
}
