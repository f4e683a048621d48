import type { CropShape } from '../operation.ts';
import { type Box, crop, LONGEST_SIDE, type Picture, pipeline, resized, settle, whole } from '../picture.ts';
import type { Painters } from './painter.ts';

export const geometry: Painters<'crop' | 'zoom' | 'rotate' | 'flip' | 'resize'> = {
	crop: (picture, { shape }) => crop(picture, boxOf(picture, shape)),
	zoom: async (picture, { amount }) => {
		const share = 1 / (1 + 0.6 * amount);
		const box = centred(picture, picture.width * share, picture.height * share);
		return resized(crop(picture, box), picture.width, picture.height);
	},
	rotate,
	flip: (picture, { axis }) => {
		const image = pipeline(picture);
		return settle(axis === 'vertical' ? image.flip() : image.flop());
	},
	resize: (picture, operation) => {
		if (!('scale' in operation)) return resized(picture, operation.width, operation.height, 'cover');
		const scale = Math.min(operation.scale, LONGEST_SIDE / Math.max(picture.width, picture.height));
		return resized(picture, picture.width * scale, picture.height * scale);
	},
};

/** Quarter turns are exact. A slight turn is cut so that no corner is empty; a larger one has transparent corners. */
async function rotate(picture: Picture, { degrees }: { degrees: number }): Promise<Picture> {
	const turned = await settle(pipeline(picture).rotate(degrees, { background: { r: 0, g: 0, b: 0, alpha: 0 } }));
	const slight = Math.abs(degrees) <= 15 && degrees !== 0;
	const cut = slight ? crop(turned, centred(turned, ...insideTurned(picture, (degrees * Math.PI) / 180))) : turned;
	const scale = LONGEST_SIDE / Math.max(cut.width, cut.height);
	return scale < 1 ? resized(cut, cut.width * scale, cut.height * scale) : cut;
}

/** The largest upright box of the same shape inside a picture turned by `angle`. */
function insideTurned({ width, height }: Picture, angle: number): [number, number] {
	const [sin, cos] = [Math.abs(Math.sin(angle)), Math.abs(Math.cos(angle))];
	const scale = Math.min(width / (width * cos + height * sin), height / (width * sin + height * cos));
	return [width * scale - 2, height * scale - 2];
}

/** A box of about this size in the middle of a picture. */
export function centred(picture: Picture, width: number, height: number): Box {
	const size = { width: Math.min(picture.width, whole(width)), height: Math.min(picture.height, whole(height)) };
	return { left: (picture.width - size.width) >> 1, top: (picture.height - size.height) >> 1, ...size };
}

function boxOf(picture: Picture, shape: CropShape): Box {
	const { width, height } = picture;
	if (shape === 'content') return contentOf(picture);
	if ('ratio' in shape)
		return centred(picture, Math.min(width, height * shape.ratio), Math.min(height, width / shape.ratio));
	const left = Math.min(width - 1, Math.round(shape.left * width));
	const top = Math.min(height - 1, Math.round(shape.top * height));
	return {
		left,
		top,
		width: Math.max(1, Math.min(width - left, Math.round(shape.width * width))),
		height: Math.max(1, Math.min(height - top, Math.round(shape.height * height))),
	};
}

/** All rows and columns but the outer ones that are transparent or of the top left pixel's colour. */
export function contentOf({ data, width, height }: Picture, tolerance = 12): Box {
	const empty = (x: number, y: number) => {
		const at = (y * width + x) * 4;
		if (data[at + 3]! < 8) return true;
		return [0, 1, 2].every((channel) => Math.abs(data[at + channel]! - data[channel]!) <= tolerance) && data[3]! > 8;
	};
	const row = (y: number) => Array.from({ length: width }, (_, x) => x).every((x) => empty(x, y));
	const column = (x: number) => Array.from({ length: height }, (_, y) => y).every((y) => empty(x, y));
	let [left, top, right, bottom] = [0, 0, width - 1, height - 1];
	while (top < bottom && row(top)) top++;
	while (bottom > top && row(bottom)) bottom--;
	while (left < right && column(left)) left++;
	while (right > left && column(right)) right--;
	const nothing = top === bottom || left === right;
	return nothing
		? { left: 0, top: 0, width, height }
		: { left, top, width: right - left + 1, height: bottom - top + 1 };
}
