import sharp from 'sharp';
import type { Picture } from '../src/operations/picture.ts';

/** A sky over grass with a red disc before it, as PNG: what most operations need to be seen. */
export function landscape(width = 96, height = 72): Promise<Uint8Array> {
	return svg(
		width,
		height,
		`<rect width="100%" height="60%" fill="#7db8ee"/><rect y="60%" width="100%" height="40%" fill="#5fa040"/><circle cx="50%" cy="70%" r="14%" fill="#d0202e"/>`,
	);
}

/** A picture of one colour. */
export function flat(colour: string, width = 64, height = 64): Promise<Uint8Array> {
	return svg(width, height, `<rect width="100%" height="100%" fill="${colour}"/>`);
}

/** A dark blue disc on a light ground. */
export function portrait(width = 80, height = 80): Promise<Uint8Array> {
	return svg(
		width,
		height,
		`<rect width="100%" height="100%" fill="#efe6d6"/><circle cx="50%" cy="50%" r="25%" fill="#20409a"/>`,
	);
}

export async function svg(width: number, height: number, inside: string): Promise<Uint8Array> {
	const document = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${inside}</svg>`;
	return sharp(Buffer.from(document)).png().toBuffer();
}

export type Colour = { red: number; green: number; blue: number; alpha: number };

/** The mean colour of a box of a picture, given as shares of it; the whole when left out. */
export async function meanOf(
	png: Uint8Array | Picture,
	[left, top, right, bottom]: readonly [number, number, number, number] = [0, 0, 1, 1],
): Promise<Colour> {
	const { data, width, height } = await pixelsOf(png);
	const sums = [0, 0, 0, 0];
	let count = 0;
	for (let y = Math.floor(top * height); y < Math.max(top * height + 1, bottom * height) && y < height; y++) {
		for (let x = Math.floor(left * width); x < Math.max(left * width + 1, right * width) && x < width; x++) {
			for (const channel of [0, 1, 2, 3]) sums[channel]! += data[(y * width + x) * 4 + channel]!;
			count++;
		}
	}
	const [red = 0, green = 0, blue = 0, alpha = 0] = sums.map((sum) => sum / count);
	return { red, green, blue, alpha };
}

export async function pixelsOf(png: Uint8Array | Picture): Promise<Picture> {
	if (!(png instanceof Uint8Array)) return png;
	const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
	return { data, width: info.width, height: info.height };
}

export function lightOf({ red, green, blue }: Colour): number {
	return 0.299 * red + 0.587 * green + 0.114 * blue;
}

/** Returns the distance of two colours, 0–441. */
export function apart(one: Colour, other: Colour): number {
	return Math.hypot(one.red - other.red, one.green - other.green, one.blue - other.blue);
}

/** Mean difference of two pictures of one size, 0–255. */
export async function difference(one: Uint8Array, other: Uint8Array): Promise<number> {
	const [first, second] = [await pixelsOf(one), await pixelsOf(other)];
	return first.data.reduce((sum, value, at) => sum + Math.abs(value - (second.data[at] ?? 0)), 0) / first.data.length;
}
