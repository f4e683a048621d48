import sharp from 'sharp';

/** Raw noise of this size is a little below 10 MB as PNG. */
const SIDE = { width: 1800, height: 1840 };

/** Returns a PNG of nearly 10 MB that nothing compresses. */
export async function noise(): Promise<Buffer> {
	const { width, height } = SIDE;
	const raw = Buffer.alloc(width * height * 3);
	for (let at = 0; at + 4 <= raw.length; at += 4) raw.writeUInt32LE((Math.random() * 2 ** 32) >>> 0, at);
	return sharp(raw, { raw: { ...SIDE, channels: 3 } })
		.png({ compressionLevel: 0 })
		.toBuffer();
}
