import type { Rgb } from '../colours.ts';
import { type Grade, graded, mapped } from '../grade.ts';
import type { Of } from '../operation.ts';
import { crop, layered, type Picture, pipeline, plain, resized, settle } from '../picture.ts';
import { pick } from '../random.ts';
import { centred } from './geometry.ts';
import type { Circumstances, Painters } from './painter.ts';

type Repeater = (picture: Picture, amount: number, circumstances: Circumstances) => Promise<Picture>;

export const repeats: Painters<'repeat'> = {
	repeat: (picture, { pattern, amount }, circumstances) => repeaters[pattern](picture, amount, circumstances),
};

const palettes: readonly (readonly [Rgb, Rgb, Rgb])[] = [
	[
		[40, 16, 110],
		[250, 60, 130],
		[255, 230, 90],
	],
	[
		[10, 60, 110],
		[30, 190, 200],
		[255, 246, 170],
	],
	[
		[110, 10, 60],
		[255, 120, 50],
		[130, 240, 210],
	],
	[
		[20, 80, 50],
		[120, 210, 80],
		[255, 170, 220],
	],
];

const repeaters: Readonly<Record<Of<'repeat'>['pattern'], Repeater>> = {
	kaleidoscope: async (picture) => kaleidoscope(crop(picture, centred(picture, side(picture), side(picture)))),
	mirror: async (picture) => {
		const half = Math.max(1, Math.floor(picture.width / 2));
		const left = crop(picture, { left: 0, top: 0, width: half, height: picture.height });
		const right = await settle(pipeline(left).flop());
		return layered(picture, [{ picture: left }, { picture: right, left: picture.width - half }]);
	},
	tiles: async (picture, amount) => grid(picture, amount > 1.3 ? 4 : amount < 0.8 ? 2 : 3, 0, (tile) => tile),
	'pop-art': async (picture, _, { random }) => {
		const start = Math.floor(random() * palettes.length);
		return grid(picture, 2, 0, (tile, index) =>
			mapped(graded(tile, { contrast: 1.7 }), palettes[(start + index) % palettes.length]!),
		);
	},
	collage: async (picture, _, { random }) => {
		const looks: readonly [Grade, ...Grade[]] = [
			{ saturation: 0 },
			{ hue: 40 },
			{ gains: [1.15, 1, 0.75] },
			{ hue: -60, saturation: 1.2 },
			{ contrast: 1.4 },
		];
		return grid(picture, 2, Math.max(1, Math.round(side(picture) * 0.02)), (tile, index) =>
			index === 0 ? tile : graded(tile, pick(random, looks)),
		);
	},
};

function side({ width, height }: Picture): number {
	return Math.min(width, height);
}

type Tiling = (tile: Picture, index: number) => Picture;

/** `count` × `count` small copies on white, in the size of the picture. */
async function grid(picture: Picture, count: number, gap: number, make: Tiling): Promise<Picture> {
	const { width, height } = picture;
	const [w, h] = [
		Math.max(1, Math.ceil((width - gap * (count + 1)) / count)),
		Math.max(1, Math.ceil((height - gap * (count + 1)) / count)),
	];
	const tile = await resized(picture, w, h);
	const layers = Array.from({ length: count * count }, (_, index) => ({
		picture: make(tile, index),
		left: gap + (index % count) * (w + gap),
		top: gap + Math.floor(index / count) * (h + gap),
	}));
	return layered(plain(width, height, [255, 255, 255]), layers);
}

/** Twelve mirrored wedges round the middle, filled from the upper part of a square picture. */
function kaleidoscope(picture: Picture): Picture {
	const { data, width, height } = picture;
	const result = new Uint8Array(data);
	const wedge = Math.PI / 6;
	const middle = (width - 1) / 2;
	for (let y = 0; y < height; y++) {
		for (let x = 0; x < width; x++) {
			const away = Math.hypot(x - middle, y - middle);
			const angle = (Math.atan2(y - middle, x - middle) + Math.PI * 2) % (wedge * 2);
			const folded = (angle > wedge ? wedge * 2 - angle : angle) - Math.PI / 2 - wedge / 2;
			const sx = Math.round(middle + Math.cos(folded) * away * 0.98);
			const sy = Math.round(middle * 1.15 + Math.sin(folded) * away * 0.98);
			const from = (mirrored(sy, height) * width + mirrored(sx, width)) * 4;
			const at = (y * width + x) * 4;
			for (let channel = 0; channel < 4; channel++) result[at + channel] = data[from + channel]!;
		}
	}
	return { ...picture, data: result };
}

/** A coordinate beyond the sides comes back as in a mirror. */
function mirrored(at: number, size: number): number {
	const period = Math.max(1, 2 * size - 2);
	const place = ((at % period) + period) % period;
	return place < size ? place : period - place;
}
