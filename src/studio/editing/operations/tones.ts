import { css, luma, mix } from '../colours.ts';
import { blurred, byte, type Grade, graded, mapped, mixed } from '../grade.ts';
import { inverse, oval } from '../masks.ts';
import type { Adjustment, LookName } from '../operation.ts';
import { drawing, layered, type Picture } from '../picture.ts';
import type { Circumstances, Painters } from './painter.ts';

/** The effect of one step of each adjustment, up and down. */
const adjustments: Readonly<Record<Adjustment, { up: Grade; down: Grade }>> = {
	brightness: { up: { gamma: 0.68, brightness: 1.08 }, down: { gamma: 1.25, brightness: 0.72 } },
	contrast: { up: { contrast: 1.45 }, down: { contrast: 0.62 } },
	saturation: { up: { saturation: 1.55 }, down: { saturation: 0.4 } },
	warmth: { up: { gains: [1.14, 1.02, 0.8] }, down: { gains: [0.84, 0.99, 1.18] } },
	shadows: { up: { gamma: 0.7, contrast: 1.1 }, down: { gamma: 1.2, contrast: 1.25 } },
	highlights: { up: { brightness: 1.2 }, down: { brightness: 0.86, gamma: 0.92 } },
	fade: { up: { fade: 0.5, saturation: 0.85 }, down: { contrast: 1.2 } },
};

type Look = { grade: Grade; finish?: (picture: Picture, circumstances: Circumstances) => Picture | Promise<Picture> };

const looks: Readonly<Record<LookName, Look>> = {
	greyscale: { grade: { saturation: 0, contrast: 1.06 } },
	noir: { grade: { saturation: 0, contrast: 1.75, brightness: 0.92 }, finish: (picture) => vignetted(picture, 0.8) },
	sepia: { grade: { saturation: 0, shadows: [86, 52, 22], highlights: [232, 188, 124], toning: 0.8, contrast: 0.95 } },
	vintage: {
		grade: {
			saturation: 0.68,
			gains: [1.08, 1, 0.84],
			fade: 0.5,
			contrast: 1.1,
			shadows: [44, 62, 92],
			highlights: [255, 214, 150],
			toning: 0.35,
		},
		finish: (picture, { random }) => grained(vignetted(picture, 0.55), 0.7, random),
	},
	cinematic: {
		grade: {
			contrast: 1.32,
			saturation: 0.92,
			brightness: 0.95,
			shadows: [0, 92, 120],
			highlights: [255, 168, 84],
			toning: 0.5,
		},
		finish: (picture) => vignetted(letterboxed(picture), 0.4),
	},
	dramatic: {
		grade: { contrast: 1.6, saturation: 1.15, brightness: 0.9, shadows: [20, 40, 80], toning: 0.35 },
		finish: async (picture) => vignetted(await localContrast(picture, 0.6), 0.75),
	},
	dreamy: {
		grade: {
			brightness: 1.06,
			saturation: 0.95,
			fade: 0.3,
			shadows: [120, 90, 170],
			highlights: [255, 214, 226],
			toning: 0.5,
		},
		finish: (picture) => glowing(picture, 1.1),
	},
	moody: {
		grade: { brightness: 0.72, saturation: 0.6, contrast: 1.2, shadows: [20, 52, 70], toning: 0.6 },
		finish: (picture) => vignetted(picture, 0.8),
	},
	cyberpunk: {
		grade: {
			contrast: 1.35,
			saturation: 1.3,
			brightness: 0.82,
			shadows: [60, 0, 150],
			highlights: [0, 235, 255],
			toning: 0.75,
		},
		finish: (picture) => glowing(picture, 0.8),
	},
	pastel: {
		grade: { saturation: 0.62, brightness: 1.18, gamma: 0.8, fade: 0.35, highlights: [255, 220, 230], toning: 0.3 },
	},
	cosy: {
		grade: { gains: [1.1, 0.98, 0.76], brightness: 0.97, saturation: 1.05, highlights: [255, 190, 110], toning: 0.35 },
		finish: (picture) => vignetted(picture, 0.6),
	},
	spooky: {
		grade: {
			brightness: 0.62,
			saturation: 0.45,
			contrast: 1.35,
			shadows: [60, 20, 90],
			highlights: [120, 220, 90],
			toning: 0.7,
		},
		finish: (picture) => vignetted(picture, 1),
	},
	romantic: {
		grade: { gains: [1.08, 0.97, 0.99], fade: 0.2, shadows: [120, 30, 80], highlights: [255, 190, 190], toning: 0.5 },
		finish: async (picture) => vignetted(await glowing(picture, 0.7), 0.3),
	},
	magical: {
		grade: { saturation: 1.2, contrast: 1.1, shadows: [60, 30, 160], highlights: [255, 200, 255], toning: 0.6 },
		finish: (picture) => glowing(picture, 1.1),
	},
	matrix: { grade: { saturation: 0, contrast: 1.4, brightness: 0.85, gains: [0.35, 1.15, 0.45] } },
	infrared: { grade: { hue: 165, saturation: 1.15, brightness: 1.08, highlights: [255, 220, 235], toning: 0.4 } },
	underwater: {
		grade: { gains: [0.52, 0.98, 1.12], brightness: 0.92, contrast: 0.9, saturation: 0.9 },
		finish: (picture, { random }) => caustics(picture, random),
	},
	'x-ray': {
		grade: {},
		finish: (picture) =>
			mapped(inverted(picture), [
				[4, 10, 24],
				[60, 120, 180],
				[235, 248, 255],
			]),
	},
	thermal: {
		grade: {},
		finish: async (picture) =>
			mapped(await blurred(picture, picture.width / 300), [
				[10, 0, 60],
				[110, 0, 150],
				[230, 50, 60],
				[255, 170, 20],
				[255, 255, 210],
			]),
	},
};

export const tones: Painters<
	'adjust' | 'look' | 'tint' | 'hue' | 'duotone' | 'invert' | 'posterize' | 'threshold' | 'vignette' | 'glow' | 'grain'
> = {
	adjust: (picture, { what, amount }) =>
		graded(picture, amount > 0 ? adjustments[what].up : adjustments[what].down, Math.abs(amount)),
	look: async (picture, { name, amount }, circumstances) => {
		const { grade, finish } = looks[name];
		// A picture without colour has no “much more without colour”; half of it is a share.
		const full = graded(picture, grade, grade.saturation === 0 ? Math.min(1, amount) : Math.min(1.4, amount));
		return finish ? finish(full, circumstances) : full;
	},
	tint: (picture, { colour, amount }) => {
		const share = Math.min(0.9, 0.55 * amount);
		const recoloured = mapped(picture, [mix(colour, [0, 0, 0], 0.88), colour, mix(colour, [255, 255, 255], 0.88)]);
		return mixed(picture, recoloured, undefined, share);
	},
	hue: (picture, { degrees }) => graded(picture, { hue: degrees }),
	duotone: (picture, { dark, light }) =>
		mapped(graded(picture, { contrast: 1.2 }), [mix(dark, [0, 0, 0], 0.35), mix(dark, light, 0.5), light]),
	invert: (picture) => inverted(picture),
	posterize: (picture, { levels }) => {
		const table = Uint8Array.from({ length: 256 }, (_, value) =>
			byte((Math.min(levels - 1, Math.floor((value / 256) * levels)) / (levels - 1)) * 255),
		);
		return perChannel(graded(picture, { saturation: 1.15 }), table);
	},
	threshold: (picture) => {
		const middle = medianLuma(picture);
		return perChannel(
			graded(picture, { saturation: 0 }),
			Uint8Array.from({ length: 256 }, (_, value) => byte(127.5 + (value - middle) * 24)),
		);
	},
	vignette: (picture, { amount }) => vignetted(picture, 0.85 * amount),
	glow: (picture, { amount }) => glowing(picture, amount),
	grain: (picture, { amount }, { random }) => grained(picture, amount, random),
};

function perChannel(picture: Picture, table: Uint8Array): Picture {
	const data = new Uint8Array(picture.data);
	for (let at = 0; at < data.length; at++) if (at % 4 !== 3) data[at] = table[data[at]!]!;
	return { ...picture, data };
}

export function inverted(picture: Picture): Picture {
	return perChannel(
		picture,
		Uint8Array.from({ length: 256 }, (_, value) => 255 - value),
	);
}

function medianLuma({ data }: Picture): number {
	const counts = new Uint32Array(256);
	for (let at = 0; at < data.length; at += 4) counts[byte(luma(data[at]!, data[at + 1]!, data[at + 2]!))]!++;
	let seen = 0;
	for (const [value, count] of counts.entries()) {
		seen += count;
		if (seen >= data.length / 8) return value;
	}
	return 128;
}

export function vignetted(picture: Picture, amount: number): Picture {
	return graded(picture, { brightness: 0.25, saturation: 0.9 }, Math.min(1, amount), inverse(oval(picture, 0.5, 0.95)));
}

/** Light that spills from the bright parts. */
export async function glowing(picture: Picture, amount: number): Promise<Picture> {
	const light = graded(picture, { gamma: 1.6, saturation: 1.2, brightness: Math.min(1, 0.75 * amount) });
	const halo = await blurred(light, Math.max(picture.width, picture.height) / 45);
	return layered(picture, [{ picture: halo, blend: 'screen' }]);
}

/** Film grain: stronger in the middle tones, the same in all three colours. */
function grained(picture: Picture, amount: number, random: () => number): Picture {
	const data = new Uint8Array(picture.data);
	for (let at = 0; at < data.length; at += 4) {
		const light = data[at + 1]! / 255;
		const noise = (random() + random() - 1) * 62 * amount * (0.35 + 2.6 * light * (1 - light));
		for (let channel = 0; channel < 3; channel++) data[at + channel] = byte(data[at + channel]! + noise);
	}
	return { ...picture, data };
}

/** Stronger differences over middle distances: texture and drama, the way tone-mapped pictures have it. */
async function localContrast(picture: Picture, amount: number): Promise<Picture> {
	const soft = await blurred(picture, Math.max(picture.width, picture.height) / 40);
	const data = new Uint8Array(picture.data);
	for (let at = 0; at < data.length; at++) {
		if (at % 4 !== 3) data[at] = byte(data[at]! + (data[at]! - soft.data[at]!) * amount);
	}
	return { ...picture, data };
}

/** Black bars to 2.2 : 1, at most an eighth each. */
function letterboxed(picture: Picture): Picture {
	const bar = Math.round(Math.min(picture.height * 0.11, Math.max(0, (picture.height - picture.width / 2.2) / 2)));
	const data = new Uint8Array(picture.data);
	const row = picture.width * 4;
	for (let at = 0; at < data.length; at += 4) {
		const y = Math.floor(at / row);
		if (y < bar || y >= picture.height - bar) data.set([6, 6, 8, 255], at);
	}
	return { ...picture, data };
}

/** Light through moving water. */
async function caustics(picture: Picture, random: () => number): Promise<Picture> {
	const { width, height } = picture;
	const rays = Array.from({ length: 9 }, () => {
		const x = random() * width * 1.3;
		const spread = (0.03 + random() * 0.08) * width;
		const opacity = (0.05 + random() * 0.13).toFixed(3);
		return `<path d="M${x} 0h${spread}L${x - width * 0.25 + spread * 2.6} ${height}h${-spread * 2.6}z" fill="${css([210, 255, 250], Number(opacity))}"/>`;
	});
	const svg = await drawing(width, height, rays.join(''));
	return layered(picture, [{ picture: await blurred(svg, width / 70), blend: 'screen' }]);
}
