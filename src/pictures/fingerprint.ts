import { decodingOf } from './decoding.ts';

/** The sides of the small picture whose neighbouring pixels are compared. */
const SIDE = 8;

/** A difference of neighbours below it may be one of the encoder's. */
const LEVELS = 2;

/** Pictures with fewer differences than this, such as a plain colour, look like many others. Of 128. */
const MIN_DIFFERENCES = 24;

/** The most bits in which the fingerprints of copies differ, of 64 in each direction. */
const MAX_DISTANCE = 6;

/**
 * Returns what is left of a picture when it is encoded again or scaled: whether each of 8 × 8 places is brighter than its neighbour, once
 * across and once down (difference hashes of 64 bits), as 32 hexadecimal digits. Undefined for pictures with so little in them that others
 * look the same. Cut, turned or mirrored copies have other fingerprints.
 * https://www.hackerfactor.com/blog/index.php?/archives/529-Kind-of-Like-That.html
 *
 * @throws when the picture cannot be decoded
 */
export async function fingerprint(picture: Uint8Array): Promise<string | undefined> {
	const { default: sharp } = await import('sharp');
	const decoding = decodingOf(await sharp(picture).metadata(), picture);
	const grey = async (width: number, height: number) => {
		const small = sharp(picture, { failOn: 'error' }).autoOrient().flatten({ background: '#808080' }).greyscale();
		return small.resize({ width, height, fit: 'fill', fastShrinkOnLoad: false }).raw().toBuffer();
	};
	return decoding.use(decoding.pixels, undefined, async () => {
		const [across, down] = [await grey(SIDE + 1, SIDE), await grey(SIDE, SIDE + 1)];
		const places = Array.from({ length: SIDE ** 2 }, (_, place) => [Math.floor(place / SIDE), place % SIDE] as const);
		const differences = [
			...places.map(([y, x]) => at(across, SIDE + 1, x, y) - at(across, SIDE + 1, x + 1, y)),
			...places.map(([y, x]) => at(down, SIDE, x, y) - at(down, SIDE, x, y + 1)),
		];
		if (differences.filter((one) => Math.abs(one) > LEVELS).length < MIN_DIFFERENCES) return undefined;
		const bits = differences.map((one) => Number(one > LEVELS)).join('');
		return BigInt(`0b${bits}`)
			.toString(16)
			.padStart(bits.length / 4, '0');
	});
}

const at = (grey: Uint8Array, width: number, x: number, y: number) => grey[y * width + x] ?? 0;

/** Tells whether two pictures are copies of each other, by their fingerprints. */
export const isCopy = (one: string, other: string): boolean =>
	distance(one.slice(0, 16), other.slice(0, 16)) <= MAX_DISTANCE &&
	distance(one.slice(16), other.slice(16)) <= MAX_DISTANCE;

/** Returns in how many bits two texts of hexadecimal digits of the same length differ. */
const distance = (one: string, other: string): number =>
	(BigInt(`0x${one}`) ^ BigInt(`0x${other}`)).toString(2).replaceAll('0', '').length;
