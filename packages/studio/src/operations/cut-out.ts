import sharp from 'sharp';
import { InputError } from '../input.ts';
import { type Picture, pipeline, settle } from './picture.ts';

/** How far a pixel may be from the background's colour, as the sum of the differences of red, green and blue. */
const NEAR = 60;

/** A background has this share of a picture at least, and leaves something of it. */
const [LEAST, MOST] = [0.12, 0.97];

/** Returns a picture whose background is transparent, cropped to what is left. @throws InputError when it has no background of one colour */
export async function cutOut(picture: Picture): Promise<Picture> {
	const outside = backgroundOf(picture);
	if (!outside) throw new InputError('The background is not of one colour, so it cannot be told from the rest.');
	const { width, height } = picture;
	const data = Uint8Array.from(picture.data);
	for (let at = 0; at < outside.length; at++) {
		const alpha = data[at * 4 + 3] ?? 0;
		// A softer edge where the background begins.
		const isEdge = outside[at - 1] || outside[at + 1] || outside[at - width] || outside[at + width];
		data[at * 4 + 3] = outside[at] ? 0 : isEdge ? Math.round(alpha * 0.6) : alpha;
	}
	return settle(pipeline({ data, width, height }).trim({ background: '#00000000', threshold: 0 }));
}

/** Tells whether a file has a background of one colour, by a small copy of it. */
export async function isOnPlain(bytes: Uint8Array): Promise<boolean> {
	const small = sharp(bytes, { autoOrient: true }).resize(96, 96, { fit: 'inside' }).toColourspace('srgb');
	return backgroundOf(await settle(small)) !== undefined;
}

/** Returns 1 for each pixel that belongs to the background: transparent, or of the colour of the corners and joined to the border. */
function backgroundOf({ data, width, height }: Picture): Uint8Array | undefined {
	const last = width * height - 1;
	const channel = (at: number, index: number) => data[at * 4 + index] ?? 0;
	const corners = [0, width - 1, last - width + 1, last];
	const [red, green, blue] = [0, 1, 2].map(
		(index) => corners.map((at) => channel(at, index)).sort((a, b) => a - b)[1] ?? 0,
	) as [number, number, number];
	const isLike = (at: number) =>
		channel(at, 3) < 20 ||
		Math.abs(channel(at, 0) - red) + Math.abs(channel(at, 1) - green) + Math.abs(channel(at, 2) - blue) < NEAR;
	if (corners.filter(isLike).length < 3) return undefined;
	const outside = new Uint8Array(width * height);
	const waiting: number[] = [];
	const visit = (x: number, y: number) => {
		const at = y * width + x;
		if (x < 0 || y < 0 || x >= width || y >= height || outside[at] || !isLike(at)) return;
		outside[at] = 1;
		waiting.push(at);
	};
	for (let x = 0; x < width; x++) for (const y of [0, height - 1]) visit(x, y);
	for (let y = 0; y < height; y++) for (const x of [0, width - 1]) visit(x, y);
	for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
		const [x, y] = [at % width, Math.floor(at / width)];
		for (const step of [-1, 1]) {
			visit(x + step, y);
			visit(x, y + step);
		}
	}
	const share = outside.reduce((sum, one) => sum + one, 0) / outside.length;
	return share < LEAST || share > MOST ? undefined : outside;
}
