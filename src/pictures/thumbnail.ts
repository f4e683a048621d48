/** The longer side, in pixels: about what lists show on screens of twice the density. */
const SIDE = 256;

/** Returns a small JPEG of a picture. */
export async function thumbnail(bytes: Uint8Array): Promise<Uint8Array> {
	const { default: sharp } = await import('sharp');
	const size = { width: SIDE, height: SIDE, fit: 'inside', withoutEnlargement: true } as const;
	return sharp(bytes).autoOrient().resize(size).flatten({ background: '#ffffff' }).jpeg().toBuffer();
}
