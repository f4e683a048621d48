import { decodingMemory } from './decoding.ts';

/** What became of a background that should be transparent: the service drew it so, Easel cut it out, or it stayed. */
export type Background = 'native' | 'keyed' | 'kept';

/** Distances of colours in RGB: nearer ones are the background, those up to the second one an edge that shows some of it. */
const NEAR = 40;
const FAR = 160;

/** How many pixels an edge is wide. */
const EDGE = 3;

/** The least part of the border that must have the colour of the background. A subject may touch the border. */
const FLAT_BORDER = 0.85;

/** The least and the most of the picture that a background may be. Beyond, there is none, or no subject. */
const SHARE = { min: 0.01, max: 0.99 };

/** The bytes for each pixel: the picture twice, its depths, the places to visit, and the PNG. Larger pictures stay as they are. */
const PIXEL_BYTES = 16;
const MAX_PIXELS = 6_000_000;

/** What decoding and encoding take besides. */
const ROWS_BYTES = 24 * 1024 * 1024;

/**
 * Makes the background of a picture transparent, where it is one flat colour that reaches the border. The same colour within the subject
 * stays. A picture that has transparent pixels, or another background, is returned as it is. What it says of its making is kept (XMP).
 */
export async function cutOut(
	bytes: Uint8Array,
	signal?: AbortSignal,
): Promise<{ bytes: Uint8Array; background: Background }> {
	const { default: sharp } = await import('sharp');
	const { width, height, hasAlpha, xmpAsString } = await sharp(bytes).metadata();
	const pixels = width * height;
	if (pixels > MAX_PIXELS) return { bytes, background: 'kept' };
	return decodingMemory.use(ROWS_BYTES + PIXEL_BYTES * pixels, signal, async () => {
		if (hasAlpha && !(await sharp(bytes).stats()).isOpaque) return { bytes, background: 'native' };
		const decoded = sharp(bytes, { failOn: 'error' }).toColourspace('srgb').removeAlpha().ensureAlpha();
		const { data, info } = await decoded.raw().toBuffer({ resolveWithObject: true });
		if (!keyOut(data, info.width, info.height)) return { bytes, background: 'kept' };
		const picture = sharp(data, { raw: { width: info.width, height: info.height, channels: 4 } });
		const marked = xmpAsString ? picture.withXmp(xmpAsString) : picture;
		return { bytes: await marked.png().toBuffer(), background: 'keyed' };
	});
}

type Colour = readonly [red: number, green: number, blue: number];

/** Makes the flat background of RGBA pixels transparent, in place. Returns false, and changes nothing, where there is none. */
function keyOut(data: Uint8Array, width: number, height: number): boolean {
	const border = borderOf(width, height);
	const key = middleOf(data, border);
	const distance = (place: number) => distanceTo(key, data, place);
	const flat = border.filter((place) => distance(place) <= NEAR);
	if (flat.length < FLAT_BORDER * border.length) return false;
	// 1 is the background, more are the steps into an edge.
	const depths = new Uint8Array(width * height);
	const queue = new Uint32Array(width * height);
	let [read, written, background] = [0, 0, 0];
	const visit = (place: number, from: number) => {
		if (depths[place] !== 0) return;
		const far = distance(place);
		const isBackground = from <= 1 && far <= NEAR;
		if (!isBackground && (from > EDGE || far >= FAR)) return;
		depths[place] = isBackground ? 1 : from + 1;
		background += Number(isBackground);
		queue[written++] = place;
	};
	for (const place of flat) visit(place, 1);
	while (read < written) {
		const place = queue[read++] ?? 0;
		const from = depths[place] ?? 0;
		const x = place % width;
		if (x > 0) visit(place - 1, from);
		if (x < width - 1) visit(place + 1, from);
		if (place >= width) visit(place - width, from);
		if (place < width * (height - 1)) visit(place + width, from);
	}
	const share = background / depths.length;
	if (share < SHARE.min || share > SHARE.max) return false;
	for (const place of queue.subarray(0, written)) clear(data, place, key, depths[place] === 1 ? 0 : distance(place));
	return true;
}

/** Returns the places of the pixels at the border, each once. */
function borderOf(width: number, height: number): number[] {
	const across = Array.from({ length: width }, (_, x) => [x, x + width * (height - 1)]);
	const down = Array.from({ length: height }, (_, y) => [y * width, y * width + width - 1]);
	return [...new Set([...across, ...down].flat())];
}

/** Returns the median of each channel. */
const middleOf = (data: Uint8Array, places: readonly number[]): Colour => {
	const median = (channel: number) =>
		places.map((place) => data[place * 4 + channel] ?? 0).toSorted((one, other) => one - other)[places.length >> 1] ??
		0;
	return [median(0), median(1), median(2)];
};

/** Asked for every pixel: without a list or a function for each. */
function distanceTo([red, green, blue]: Colour, data: Uint8Array, place: number): number {
	const [r, g, b] = [
		red - (data[place * 4] ?? 0),
		green - (data[place * 4 + 1] ?? 0),
		blue - (data[place * 4 + 2] ?? 0),
	];
	return Math.sqrt(r * r + g * g + b * b);
}

/** Makes a pixel as transparent as its colour is near to the background, and takes the background's part out of its colour. */
function clear(data: Uint8Array, place: number, key: Colour, distance: number): void {
	const alpha = Math.min(Math.max((distance - NEAR) / (FAR - NEAR), 0), 1);
	for (const [channel, value] of key.entries()) {
		const mixed = data[place * 4 + channel] ?? 0;
		const own = alpha === 0 ? 0 : (mixed - (1 - alpha) * value) / alpha;
		data[place * 4 + channel] = Math.min(Math.max(Math.round(own), 0), 255);
	}
	data[place * 4 + 3] = Math.round(alpha * 255);
}
