import { blurred, byte } from '../grade.ts';
import type { Picture } from '../picture.ts';
import { grey, lumaOf } from './brushes.ts';

/** Light divided by its inverted, blurred self: what is even turns white, edges and shadows stay as pencil. */
export async function pencil(picture: Picture, amount: number): Promise<Picture> {
	const values = lumaOf(picture);
	const soft = await blurred(grey(picture, values), Math.max(picture.width, picture.height) / 160);
	const drawn = values.map((value, at) => {
		const dodged = (value * 255) / Math.max(1, soft.data[at * 4]!);
		const tone = 255 - (255 - value) * 0.05;
		return byte(255 - (255 - Math.min(255, dodged)) * 1.5 * amount - (255 - tone));
	});
	return grey(picture, drawn);
}

/** Slanted strokes where the picture is dark, crossed where it is darkest; laid over `lines` by multiplying. */
export async function hatched(lines: Picture, picture: Picture): Promise<Picture> {
	const { width, height } = picture;
	const step = Math.max(3, Math.max(width, height) / 170);
	const tone = await blurred(grey(picture, lumaOf(picture)), step / 2);
	const stroke = (x: number, y: number, slope: number, wanted: number) => {
		const wave = Math.sin(((x + y * slope + Math.sin((y - x * slope) / (step * 9)) * step * 0.5) / step) * 2.4);
		return Math.min(1, Math.max(0, (wave + wanted * 1.9 - 0.95) * 2));
	};
	const data = new Uint8Array(lines.data);
	for (let y = 0; y < height; y++) {
		for (let x = 0; x < width; x++) {
			const at = (y * width + x) * 4;
			const dark = 1 - tone.data[at]! / 255;
			const first = dark > 0.2 ? stroke(x, y, 1.2, Math.min(0.62, (dark - 0.2) * 1.1)) * 0.34 : 0;
			const second = dark > 0.5 ? stroke(x, y, -0.8, Math.min(0.7, (dark - 0.5) * 1.6)) * 0.4 : 0;
			const left = (1 - first) * (1 - second);
			for (let channel = 0; channel < 3; channel++) data[at + channel] = data[at + channel]! * left;
		}
	}
	return { width, height, data };
}
