import { randomFillSync } from 'node:crypto';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { smallPng } from './service.ts';
import type { PictureFile } from './test-user.ts';

/** A small PNG of one colour. */
export const pngFile = async (colour = '#2980b9', name = 'picture.png'): Promise<PictureFile> => ({
	name,
	bytes: await smallPng(colour),
});

/** A picture with noise, which PNG compresses badly. */
export function noisyPng(side: number, compressionLevel = 6): Promise<Buffer> {
	const noise = { type: 'gaussian', mean: 128, sigma: 20 } as const;
	const picture = sharp({ create: { width: side, height: side, channels: 3, background: '#884422', noise } });
	return picture.png({ compressionLevel }).toBuffer();
}

/** A text file with the name of a picture. */
export const textFile: PictureFile = { name: 'fox.png', bytes: Buffer.from('This is a text, whatever its name says.') };

/** A JPEG that is cut off in the middle. */
export async function truncatedJpeg(): Promise<PictureFile> {
	const whole = await sharp(noise(128, 128), { raw: { width: 128, height: 128, channels: 3 } })
		.jpeg()
		.toBuffer();
	return { name: 'half.jpg', bytes: whole.subarray(0, whole.length / 2) };
}

/** An animation of a red and a blue frame. */
export async function animatedGif(): Promise<PictureFile> {
	const frames = ['#ff0000', '#0000ff'].map((background) => ({
		create: { width: 16, height: 16, channels: 3 as const, background },
	}));
	const pages = await Promise.all(frames.map((frame) => sharp(frame).png().toBuffer()));
	const bytes = await sharp(pages, { join: { animated: true } })
		.gif({ delay: [100, 100] })
		.toBuffer();
	return { name: 'moving.gif', bytes };
}

/** A PNG of 5 kB whose header claims 60,000 × 60,000 pixels. */
export async function pixelBomb(): Promise<PictureFile> {
	const bytes = Buffer.concat([await smallPng('#000000', 64, 64), Buffer.alloc(5000)]);
	bytes.writeUInt32BE(60_000, 16);
	bytes.writeUInt32BE(60_000, 20);
	bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
	return { name: 'bomb.png', bytes };
}

/** A PNG of more than 10 MB, which consists of noise. */
export async function hugePng(): Promise<PictureFile> {
	const bytes = await sharp(noise(2200, 2000), { raw: { width: 2200, height: 2000, channels: 3 } })
		.png({ compressionLevel: 0 })
		.toBuffer();
	return { name: 'huge.png', bytes };
}

const noise = (width: number, height: number) => randomFillSync(Buffer.alloc(width * height * 3));
