import { luma } from '../colours.ts';
import { byte } from '../grade.ts';
import type { Picture } from '../picture.ts';

/** Black dots on paper whose size tells the lightness, on a grid turned by 30°. */
export function screened(picture: Picture, cell: number): Picture {
	const { data, width, height } = picture;
	const result = new Uint8Array(data);
	const [cos, sin] = [Math.cos(Math.PI / 6), Math.sin(Math.PI / 6)];
	for (let y = 0; y < height; y++) {
		for (let x = 0; x < width; x++) {
			const u = (x * cos + y * sin) / cell;
			const v = (y * cos - x * sin) / cell;
			const at = (y * width + x) * 4;
			const [cu, cv] = [Math.round(u), Math.round(v)];
			const px = Math.min(width - 1, Math.max(0, Math.round((cu * cos - cv * sin) * cell)));
			const py = Math.min(height - 1, Math.max(0, Math.round((cu * sin + cv * cos) * cell)));
			const from = (py * width + px) * 4;
			const dark = 1 - luma(data[from]!, data[from + 1]!, data[from + 2]!) / 255;
			const ink = byte((Math.sqrt(dark) * 0.78 - Math.hypot(u - cu, v - cv)) * cell * 255);
			for (let channel = 0; channel < 3; channel++) {
				const paper = [250, 246, 236][channel]!;
				const black = [24, 22, 30][channel]!;
				result[at + channel] = byte(paper + ((black - paper) * ink) / 255);
			}
		}
	}
	return { ...picture, data: result };
}

/** A printer's dots over the middle tones, at 30°. */
export function dotted(picture: Picture): Picture {
	const { data, width, height } = picture;
	const result = new Uint8Array(data);
	const turn = (Math.PI * 2) / Math.max(4, Math.max(width, height) / 150);
	for (let y = 0; y < height; y++) {
		for (let x = 0; x < width; x++) {
			const at = (y * width + x) * 4;
			const light = luma(data[at]!, data[at + 1]!, data[at + 2]!) / 255;
			const wave = Math.cos((x * 0.866 + y * 0.5) * turn) * Math.cos((y * 0.866 - x * 0.5) * turn);
			const ink = Math.min(1, Math.max(0, (wave - 0.2) * 4)) * 0.5 * Math.max(0, 1 - Math.abs(light - 0.45) * 1.7);
			for (let channel = 0; channel < 3; channel++) result[at + channel] = data[at + channel]! * (1 - ink);
		}
	}
	return { ...picture, data: result };
}

/** Irregular tiles of one colour each, parted by joints of `joint` pixels. */
export function cells(picture: Picture, random: () => number, size: number, joint: number): Picture {
	const { data, width, height } = picture;
	const [columns, rows] = [Math.ceil(width / size) + 2, Math.ceil(height / size) + 2];
	const xs = Float32Array.from(
		{ length: columns * rows },
		(_, at) => ((at % columns) - 0.5 + (random() - 0.5) * 0.8) * size,
	);
	const ys = Float32Array.from(
		{ length: columns * rows },
		(_, at) => (Math.floor(at / columns) - 0.5 + (random() - 0.5) * 0.8) * size,
	);
	const owner = new Int32Array(width * height);
	const seam = new Uint8Array(width * height);
	const sums = new Float64Array(columns * rows * 4);
	for (let y = 0; y < height; y++) {
		const row = Math.floor(y / size) + 1;
		for (let x = 0; x < width; x++) {
			const column = Math.floor(x / size) + 1;
			let [best, next, nearest] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0];
			for (let dy = -1; dy <= 1; dy++) {
				for (let dx = -1; dx <= 1; dx++) {
					const at =
						Math.min(rows - 1, Math.max(0, row + dy)) * columns + Math.min(columns - 1, Math.max(0, column + dx));
					if (at === nearest && best < Number.POSITIVE_INFINITY) continue;
					const away = Math.hypot(xs[at]! - x, ys[at]! - y);
					if (away < best) [next, best, nearest] = [best, away, at];
					else if (away < next) next = away;
				}
			}
			const at = y * width + x;
			owner[at] = nearest;
			seam[at] = next - best < joint ? 1 : 0;
			for (let channel = 0; channel < 3; channel++) sums[nearest * 4 + channel]! += data[at * 4 + channel]!;
			sums[nearest * 4 + 3]!++;
		}
	}
	const result = new Uint8Array(data);
	for (let at = 0; at < owner.length; at++) {
		const from = owner[at]! * 4;
		const shade = seam[at] ? (joint > 1 ? 0.08 : 0.72) : 1;
		for (let channel = 0; channel < 3; channel++) {
			result[at * 4 + channel] = byte((sums[from + channel]! / Math.max(1, sums[from + 3]!)) * shade);
		}
	}
	return { ...picture, data: result };
}

/** Torn lines, parted colours, scan lines. */
export function glitched(picture: Picture, amount: number, random: () => number): Picture {
	const { data, width, height } = picture;
	const result = new Uint8Array(data);
	const split = Math.max(1, Math.round((width / 90) * amount));
	let [left, shift] = [0, 0];
	for (let y = 0; y < height; y++) {
		if (left-- <= 0) {
			left = Math.floor(random() * (height / 14));
			shift = random() < 0.35 ? Math.round((random() - 0.5) * width * 0.16 * amount) : 0;
		}
		for (let x = 0; x < width; x++) {
			const from = (away: number) => (y * width + ((((x + shift + away) % width) + width) % width)) * 4;
			const at = (y * width + x) * 4;
			const scan = y % 4 < 2 ? 1 : 0.86;
			result[at] = data[from(split)]! * scan;
			result[at + 1] = data[from(0) + 1]! * scan;
			result[at + 2] = data[from(-split) + 2]! * scan;
		}
	}
	return { ...picture, data: result };
}
