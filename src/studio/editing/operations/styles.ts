import { luma } from '../colours.ts';
import { blurred, byte, graded, mapped, mixed } from '../grade.ts';
import { clouds, feathered, stretched } from '../masks.ts';
import type { StyleName } from '../operation.ts';
import { drawing, layered, type Mask, type Picture, pipeline, resized, settle } from '../picture.ts';
import type { Circumstances, Painters } from './painter.ts';
import { glowing, inverted } from './tones.ts';

type Style = (picture: Picture, amount: number, circumstances: Circumstances) => Picture | Promise<Picture>;

export const styles: Painters<'style'> = {
	style: async (picture, { name, amount }, circumstances) => {
		const scale = STYLE_SIDE / Math.max(picture.width, picture.height);
		if (scale >= 1) return manners[name](picture, amount, circumstances);
		const smaller = await resized(picture, picture.width * scale, picture.height * scale);
		return resized(await manners[name](smaller, amount, circumstances), picture.width, picture.height);
	},
};

/** Strokes and cells are drawn at most at this size and scaled up: no finer than a brush. */
const STYLE_SIDE = 1280;

const manners: Readonly<Record<StyleName, Style>> = {
	sketch: async (picture, amount) => hatched(await pencil(picture, 1.4 * amount), picture),
	blueprint: async (picture) => {
		const lines = mapped(inverted(await pencil(picture, 1.2)), [
			[18, 60, 130],
			[120, 170, 230],
			[244, 250, 255],
		]);
		const unit = Math.min(picture.width, picture.height) / 20;
		const path = [
			...Array.from({ length: Math.ceil(picture.width / unit) }, (_, index) => `M${index * unit} 0V${picture.height}`),
			...Array.from({ length: Math.ceil(picture.height / unit) }, (_, index) => `M0 ${index * unit}H${picture.width}`),
		].join('');
		const grid = await drawing(picture.width, picture.height, `<path d="${path}" stroke="rgba(200,225,255,.22)"/>`);
		return layered(lines, [{ picture: grid }]);
	},
	edges: async (picture, amount) =>
		grey(
			picture,
			(await outlines(picture, 2.2 * amount)).map((value) => 255 - value),
		),
	neon: async (picture, amount) => {
		const thin = await outlines(await blurred(picture, 0.8), 2.6 * amount);
		const tube = (await feathered(thin, picture, Math.max(0.8, Math.max(picture.width, picture.height) / 800))).map(
			(value) => byte(value * 2.2),
		);
		const vivid = graded(picture, { saturation: 3, brightness: 1.7, gamma: 0.45 });
		const dark = graded(picture, { brightness: 0.1, saturation: 0.8, shadows: [44, 10, 110], toning: 0.6 });
		return glowing(await glowing(mixed(dark, vivid, tube), 1.3), 1.3);
	},
	oil: async (picture, amount, { random }) => {
		const longer = Math.max(picture.width, picture.height);
		const painted = kuwahara(
			graded(picture, { saturation: 1.22, contrast: 1.1 }),
			Math.max(2, Math.round((longer / 190) * amount)),
		);
		// The brush leaves furrows: noise drawn out along a slant, lit from the side.
		const furrows = await clouds({ width: Math.ceil(picture.width / 5), height: picture.height }, random, 0.012);
		const drawn = await stretched(furrows, { width: Math.ceil(picture.width / 5), height: picture.height }, picture);
		return relief(relief(painted, 0.5), 0.55 * Math.min(1.4, amount), grey(painted, drawn));
	},
	watercolour: async (picture, _, { random }) => {
		const size = Math.max(2, Math.round(Math.max(picture.width, picture.height) / 170));
		const flat = kuwahara(graded(picture, { brightness: 1.12, gamma: 0.82, saturation: 1.15, fade: 0.2 }), size);
		const washed = await blurred(flat, 0.8);
		const rims = await outlines(flat, 0.9);
		const pigment = graded(washed, { brightness: 0.72, saturation: 1.2 }, 0.8, rims);
		const paper = await clouds(picture, random, 0.02);
		const blots = await clouds(picture, random, 0.5);
		const data = new Uint8Array(pigment.data);
		for (let at = 0; at < data.length; at++) {
			if (at % 4 === 3) continue;
			const wash = (blots[at >> 2]! - 128) * 0.13 + (paper[at >> 2]! - 128) * 0.07;
			data[at] = byte(data[at]! + wash);
		}
		return relief({ ...pigment, data }, 0.15);
	},
	cartoon: async (picture, amount) => {
		const flat = kuwahara(picture, Math.max(2, Math.round(Math.max(picture.width, picture.height) / 240)));
		const bands = stepped(graded(flat, { saturation: 1.4, brightness: 1.06 }), 7);
		const lines = await outlines(await blurred(flat, 1), 1.9 * amount);
		return graded(bands, { brightness: 0.1, saturation: 0.8 }, 1, harden(lines));
	},
	comic: async (picture, amount) => {
		const flat = kuwahara(graded(picture, { contrast: 1.3, saturation: 1.35 }), 3);
		const bands = stepped(flat, 5);
		const lines = harden(await outlines(await blurred(flat, 0.8), 2.2 * amount));
		return graded(dotted(bands), { brightness: 0.05, saturation: 0.5 }, 1, lines);
	},
	halftone: async (picture, amount) => {
		const cell = Math.max(3, (Math.max(picture.width, picture.height) / 95) * Math.sqrt(amount));
		return screened(picture, cell);
	},
	emboss: (picture) =>
		relief(
			grey(
				picture,
				lumaOf(picture).map((value) => 110 + value * 0.14),
			),
			3.2,
			picture,
		),
	mosaic: (picture, amount, { random }) => cells(picture, random, cellSize(picture, amount), 0.5),
	'stained glass': async (picture, amount, { random }) => {
		const glass = cells(
			graded(picture, { saturation: 1.6, contrast: 1.2, brightness: 1.1 }),
			random,
			cellSize(picture, 1.6 * amount),
			2.2,
		);
		return glowing(glass, 0.5);
	},
	glitch: (picture, amount, { random }) => glitched(picture, amount, random),
};

function cellSize({ width, height }: Picture, amount: number): number {
	return Math.max(3, (Math.max(width, height) / 46) * amount);
}

function lumaOf({ data }: Picture): Uint8Array {
	const values = new Uint8Array(data.length / 4);
	for (let at = 0; at < values.length; at++) values[at] = luma(data[at * 4]!, data[at * 4 + 1]!, data[at * 4 + 2]!);
	return values;
}

function grey(picture: Picture, values: Uint8Array): Picture {
	const data = new Uint8Array(picture.data);
	for (let at = 0; at < data.length; at += 4) data[at] = data[at + 1] = data[at + 2] = values[at >> 2]!;
	return { ...picture, data };
}

/** Light divided by its inverted, blurred self: what is even turns white, edges and shadows stay as pencil. */
async function pencil(picture: Picture, amount: number): Promise<Picture> {
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
async function hatched(lines: Picture, picture: Picture): Promise<Picture> {
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

/** Strength of edges (Sobel), 0–255. */
async function outlines(picture: Picture, gain: number): Promise<Mask> {
	const { width, height } = picture;
	const calm = Math.min(width, height) < 8 ? picture : await settle(pipeline(picture).median(3));
	const values = lumaOf(calm);
	const mask = new Uint8Array(width * height);
	for (let y = 1; y < height - 1; y++) {
		for (let x = 1; x < width - 1; x++) {
			const at = y * width + x;
			const [nw, n, ne] = [values[at - width - 1]!, values[at - width]!, values[at - width + 1]!];
			const [sw, s, se] = [values[at + width - 1]!, values[at + width]!, values[at + width + 1]!];
			const across = ne + 2 * values[at + 1]! + se - nw - 2 * values[at - 1]! - sw;
			const down = sw + 2 * s + se - nw - 2 * n - ne;
			mask[at] = byte((Math.sqrt(across * across + down * down) - 16) * 0.5 * gain);
		}
	}
	return mask;
}

function harden(mask: Mask): Mask {
	return mask.map((value) => byte((value - 36) * 3.4));
}

/** Lightness in steps, colours kept. */
function stepped(picture: Picture, steps: number): Picture {
	const data = new Uint8Array(picture.data);
	for (let at = 0; at < data.length; at += 4) {
		const light = Math.max(1, luma(data[at]!, data[at + 1]!, data[at + 2]!));
		const place = (light / 256) * steps;
		const band = Math.floor(place);
		// The border between two steps is a few levels wide, so that it isn't jagged.
		const eased = band + Math.min(1, Math.max(0, (place - band - 0.9) * 10));
		const factor = ((eased + 0.5) / steps) * (255 / light);
		for (let channel = 0; channel < 3; channel++) data[at + channel] = byte(data[at + channel]! * factor);
	}
	return { ...picture, data };
}

/**
 * Every pixel takes the mean of that of the four squares at it which is most even: flat patches with kept edges, like
 * brush strokes. Sums over squares come from summed areas, so that their size costs nothing.
 */
function kuwahara(picture: Picture, size: number): Picture {
	const { data, width, height } = picture;
	const stride = width + 1;
	const sums = [0, 1, 2, 3, 4].map(() => new Float64Array(stride * (height + 1)));
	const [reds, greens, blues, lights, squares] = sums as [
		Float64Array,
		Float64Array,
		Float64Array,
		Float64Array,
		Float64Array,
	];
	for (let y = 0; y < height; y++) {
		let [red, green, blue, light, square] = [0, 0, 0, 0, 0];
		for (let x = 0; x < width; x++) {
			const at = (y * width + x) * 4;
			const value = luma(data[at]!, data[at + 1]!, data[at + 2]!);
			red += data[at]!;
			green += data[at + 1]!;
			blue += data[at + 2]!;
			light += value;
			square += value * value;
			const to = (y + 1) * stride + x + 1;
			reds[to] = reds[to - stride]! + red;
			greens[to] = greens[to - stride]! + green;
			blues[to] = blues[to - stride]! + blue;
			lights[to] = lights[to - stride]! + light;
			squares[to] = squares[to - stride]! + square;
		}
	}
	const result = new Uint8Array(data);
	for (let y = 0; y < height; y++) {
		for (let x = 0; x < width; x++) {
			let least = Number.POSITIVE_INFINITY;
			const at = (y * width + x) * 4;
			for (let quarter = 0; quarter < 4; quarter++) {
				const x0 = Math.max(0, quarter & 1 ? x : x - size);
				const x1 = Math.min(width, (quarter & 1 ? x + size : x) + 1);
				const y0 = Math.max(0, quarter & 2 ? y : y - size) * stride;
				const y1 = Math.min(height, (quarter & 2 ? y + size : y) + 1) * stride;
				const count = ((x1 - x0) * (y1 - y0)) / stride;
				const mean = (lights[y1 + x1]! - lights[y0 + x1]! - lights[y1 + x0]! + lights[y0 + x0]!) / count;
				const variance =
					(squares[y1 + x1]! - squares[y0 + x1]! - squares[y1 + x0]! + squares[y0 + x0]!) / count - mean * mean;
				if (variance >= least) continue;
				least = variance;
				result[at] = (reds[y1 + x1]! - reds[y0 + x1]! - reds[y1 + x0]! + reds[y0 + x0]!) / count;
				result[at + 1] = (greens[y1 + x1]! - greens[y0 + x1]! - greens[y1 + x0]! + greens[y0 + x0]!) / count;
				result[at + 2] = (blues[y1 + x1]! - blues[y0 + x1]! - blues[y1 + x0]! + blues[y0 + x0]!) / count;
			}
		}
	}
	return { ...picture, data: result };
}

/** Lit from the top left, as if lightness were height: canvas, plaster, paper. */
function relief(picture: Picture, depth: number, heights = picture): Picture {
	const { width, height } = picture;
	const values = lumaOf(heights);
	const data = new Uint8Array(picture.data);
	for (let y = 1; y < height; y++) {
		for (let x = 1; x < width; x++) {
			const at = y * width + x;
			const light = Math.max(-60, Math.min(60, values[at]! - values[at - width - 1]!)) * depth;
			for (let channel = 0; channel < 3; channel++) data[at * 4 + channel] = byte(data[at * 4 + channel]! + light);
		}
	}
	return { ...picture, data };
}

/** Black dots on paper whose size tells the lightness, on a grid turned by 30°. */
function screened(picture: Picture, cell: number): Picture {
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
function dotted(picture: Picture): Picture {
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
function cells(picture: Picture, random: () => number, size: number, joint: number): Picture {
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
function glitched(picture: Picture, amount: number, random: () => number): Picture {
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
