import { blurred } from './effects.ts';
import { type Box, crop, LONGEST_SIDE, layered, type Picture, pipeline, resized, settle, whole } from './picture.ts';

/** Crops to a ratio of width by height, as large as fits, in the middle. */
export function cropTo(picture: Picture, ratio: number): Promise<Picture> {
	const { width, height } = picture;
	return crop(picture, centred(picture, Math.min(width, height * ratio), Math.min(height, width / ratio)));
}

/** A box of about this size in the middle of a picture. */
function centred(picture: Picture, width: number, height: number): Box {
	const size = { width: Math.min(picture.width, whole(width)), height: Math.min(picture.height, whole(height)) };
	return { left: (picture.width - size.width) >> 1, top: (picture.height - size.height) >> 1, ...size };
}

/** Enlarges the middle, or makes the picture smaller within out-of-focus surroundings; the size stays. */
export async function zoom(picture: Picture, factor: number): Promise<Picture> {
	const { width, height } = picture;
	if (factor >= 1)
		return resized(await crop(picture, centred(picture, width / factor, height / factor)), width, height);
	const inner = await resized(picture, width * factor, height * factor);
	const around = await blurred(picture, Math.max(width, height) / 30);
	return layered(around, [{ picture: inner, left: (width - inner.width) / 2, top: (height - inner.height) / 2 }]);
}

/** Quarter turns are exact. A slight turn is cropped so that no corner is empty; others have transparent corners. */
export async function rotate(picture: Picture, degrees: number): Promise<Picture> {
	const turned = await settle(pipeline(picture).rotate(degrees, { background: { r: 0, g: 0, b: 0, alpha: 0 } }));
	const slight = Math.abs(degrees) <= 15 && degrees !== 0;
	return fitting(
		slight ? await crop(turned, centred(turned, ...insideTurned(picture, (degrees * Math.PI) / 180))) : turned,
	);
}

/** The largest upright box of the same shape inside a picture turned by `angle`. */
function insideTurned({ width, height }: Picture, angle: number): [number, number] {
	const [sin, cos] = [Math.abs(Math.sin(angle)), Math.abs(Math.cos(angle))];
	const share = Math.min(width / (width * cos + height * sin), height / (width * sin + height * cos));
	return [width * share - 2, height * share - 2];
}

/** Scales by a factor, as far as `LONGEST_SIDE` allows. */
export function scaled(picture: Picture, factor: number): Promise<Picture> {
	const most = Math.min(factor, LONGEST_SIDE / Math.max(picture.width, picture.height));
	return resized(picture, picture.width * most, picture.height * most);
}

/** Scaled down where `growth` times its size would pass `LONGEST_SIDE`. */
export async function fitting(picture: Picture, growth = 1): Promise<Picture> {
	const most = LONGEST_SIDE / growth / Math.max(picture.width, picture.height);
	return most >= 1 ? picture : scaled(picture, most);
}
