import type { Rgb } from '../colours.ts';
import { type Grade, graded, mixed, toned } from '../grade.ts';
import { feathered } from '../masks.ts';
import type { SceneName } from '../operation.ts';
import { drawing, layered, type Mask, type Picture } from '../picture.ts';
import { between, type Random } from '../random.ts';
import { skyOf } from '../sky.ts';
import { withMist, withThing } from './additions.ts';
import type { Painters } from './painter.ts';
import { moved, select } from './recolour.ts';
import { glowing, vignetted } from './tones.ts';

type Sky = { mask: Mask; found: boolean; horizon: number };

type Scene = {
	grade: Grade;
	/** The new sky, from the zenith to the horizon, and the strength of the change, 0–1. */
	sky?: { colours: readonly string[]; share: number };
	/** Lamps and windows stay lit. */
	lamps?: true;
	before?(picture: Picture, random: Random): Picture | Promise<Picture>;
	after?(picture: Picture, sky: Sky, random: Random, amount: number): Promise<Picture>;
};

export const scenes: Painters<'scene'> = {
	scene: async (picture, { name, amount }, { random }) => {
		const { grade, sky, lamps, before, after } = catalogue[name];
		const place = await skyOf(picture);
		const prepared = before ? await before(picture, random) : picture;
		let result = graded(prepared, grade, Math.min(1.25, 0.3 + 0.7 * amount));
		if (sky) result = await withSky(result, place, sky.colours, sky.share * Math.min(1.2, amount));
		if (lamps)
			result = mixed(
				result,
				graded(picture, { saturation: 1.3, gains: [1.1, 0.98, 0.75] }),
				await lampsOf(picture, place),
			);
		return after ? after(result, place, random, amount) : result;
	},
};

const greens = { hue: 128, half: 38 };

const catalogue: Readonly<Record<SceneName, Scene>> = {
	night: {
		grade: {
			brightness: 0.36,
			saturation: 0.62,
			gains: [0.74, 0.9, 1.32],
			contrast: 1.08,
			shadows: [10, 24, 90],
			toning: 0.5,
		},
		sky: { colours: ['#040818', '#0b1640', '#22386f'], share: 0.86 },
		lamps: true,
		after: async (picture, sky, random, amount) => {
			const starry = await withThing(picture, 'stars', random, amount, undefined, sky.mask);
			const moonlit = await withThing(starry, 'moon', random, 1, undefined, sky.mask);
			return vignetted(moonlit, 0.3);
		},
	},
	'blue hour': {
		grade: { brightness: 0.62, saturation: 0.72, gains: [0.8, 0.92, 1.26], shadows: [24, 30, 110], toning: 0.5 },
		sky: { colours: ['#16285e', '#3f5fa8', '#b58aa8', '#f0b48c'], share: 0.74 },
		lamps: true,
	},
	sunset: {
		grade: {
			brightness: 0.84,
			gains: [1.2, 0.9, 0.72],
			contrast: 1.15,
			shadows: [70, 20, 90],
			highlights: [255, 150, 60],
			toning: 0.6,
		},
		sky: { colours: ['#3a2a70', '#a43c80', '#f2643c', '#ffc25c'], share: 0.78 },
		after: (picture, { horizon, mask }, random) =>
			sunOn(picture, between(random, 0.25, 0.75), horizon * 0.92, [255, 210, 120], mask),
	},
	'golden hour': {
		grade: {
			gains: [1.16, 1.02, 0.72],
			gamma: 0.92,
			contrast: 1.08,
			shadows: [92, 50, 30],
			highlights: [255, 206, 110],
			toning: 0.5,
		},
		sky: { colours: ['#9fc0d8', '#f6d9a0', '#ffd27a'], share: 0.45 },
		after: async (picture, { horizon }, random) =>
			glowing(await sunOn(picture, between(random, 0, 0.2), horizon * 0.7, [255, 214, 130]), 0.5),
	},
	dawn: {
		grade: {
			brightness: 0.94,
			saturation: 0.82,
			gains: [1.06, 0.96, 1.02],
			fade: 0.22,
			shadows: [70, 70, 150],
			highlights: [255, 190, 170],
			toning: 0.55,
		},
		sky: { colours: ['#6f86c8', '#c9a4d4', '#ffb7a4', '#ffe2b0'], share: 0.7 },
		after: async (picture, { horizon, mask }, random) =>
			withMist(
				await sunOn(picture, between(random, 0.3, 0.7), horizon * 0.96, [255, 226, 180], mask),
				random,
				0.42,
				horizon,
			),
	},
	day: {
		grade: { brightness: 1.1, gamma: 0.84, saturation: 1.22, gains: [1.04, 1.01, 0.95], contrast: 1.08 },
		sky: { colours: ['#2f86e0', '#7dbdf2', '#d3ecfb'], share: 0.5 },
		after: (picture, { mask }, random, amount) => withThing(picture, 'sun', random, amount, undefined, mask),
	},
	summer: {
		grade: { brightness: 1.07, gamma: 0.88, saturation: 1.3, gains: [1.07, 1.02, 0.88], contrast: 1.08 },
		sky: { colours: ['#1f7fe0', '#74bdf5', '#d8f0fc'], share: 0.5 },
		after: (picture, { mask }, random) => withThing(picture, 'sun', random, 1, undefined, mask),
	},
	spring: {
		before: (picture) => moved(picture, select(picture, greens), [134, 205, 92], 0.7),
		grade: { brightness: 1.08, gamma: 0.88, saturation: 1.12, highlights: [255, 226, 236], toning: 0.25 },
		sky: { colours: ['#6cb4ee', '#b5dcf6', '#f5eef2'], share: 0.4 },
		after: (picture, _, random, amount) => withThing(picture, 'flowers', random, amount),
	},
	autumn: {
		before: async (picture, random) => {
			const mask = await feathered(select(picture, greens), picture, Math.max(0.4, picture.width / 600));
			const first: Rgb = random() < 0.5 ? [186, 104, 40] : [198, 128, 44];
			return moved(picture, mask, first, 0.9);
		},
		grade: { gains: [1.08, 0.98, 0.86], saturation: 1.05, contrast: 1.06, shadows: [72, 40, 26], toning: 0.3 },
		after: (picture, _, random, amount) => withThing(picture, 'leaves', random, amount),
	},
	winter: {
		before: (picture) => frosted(picture),
		grade: {
			saturation: 0.66,
			gamma: 0.94,
			gains: [0.95, 1, 1.08],
			contrast: 1.1,
			shadows: [50, 80, 150],
			toning: 0.35,
		},
		sky: { colours: ['#9fb5cd', '#c6d4e1', '#e6ecf2'], share: 0.6 },
		after: async (picture, { horizon }, random, amount) =>
			withThing(await withMist(picture, random, 0.22 * amount, horizon), 'snow', random, amount),
	},
	rain: {
		grade: { saturation: 0.62, brightness: 0.78, gains: [0.92, 0.99, 1.08], contrast: 0.92, fade: 0.14 },
		sky: { colours: ['#5d6874', '#828d98', '#a7b0b8'], share: 0.72 },
		after: async (picture, { horizon }, random, amount) =>
			withThing(await withMist(picture, random, 0.42, horizon), 'rain', random, amount),
	},
	storm: {
		grade: { saturation: 0.5, brightness: 0.58, gains: [0.9, 0.98, 1.12], contrast: 1.15 },
		sky: { colours: ['#1c222c', '#39434f', '#69757f'], share: 0.8 },
		after: async (picture, { mask }, random, amount) => {
			const heavy = await withThing(picture, 'lightning', random, 1, undefined, mask);
			return vignetted(await withThing(heavy, 'rain', random, 1.2 * amount), 0.5);
		},
	},
	fog: {
		grade: { saturation: 0.55, contrast: 0.75, fade: 0.3, brightness: 1.02 },
		sky: { colours: ['#c3cbd2', '#d8dde2', '#e3e7ea'], share: 0.6 },
		after: (picture, { horizon }, random, amount) =>
			withMist(picture, random, 0.76 * amount, Math.min(0.75, horizon + 0.08)),
	},
	overcast: {
		grade: { saturation: 0.68, contrast: 0.88, brightness: 0.92, gains: [0.97, 1, 1.04] },
		sky: { colours: ['#8d98a3', '#b0b9c1', '#cfd5da'], share: 0.72 },
		after: (picture, { mask }, random, amount) => withThing(picture, 'clouds', random, 0.8 * amount, undefined, mask),
	},
};

/** Lays a gradient over the sky, down to its horizon. What structure the sky had shows through by the rest of `share`. */
async function withSky(picture: Picture, sky: Sky, colours: readonly string[], share: number): Promise<Picture> {
	const { width, height } = picture;
	const stops = colours.map(
		(colour, index) => `<stop offset="${(index / (colours.length - 1)) * sky.horizon}" stop-color="${colour}"/>`,
	);
	const gradient = await drawing(
		width,
		height,
		`<defs><linearGradient id="s" x2="0" y2="1">${stops.join('')}</linearGradient></defs><rect width="100%" height="100%" fill="url(#s)"/>`,
	);
	const strength = Math.min(1, share) * (sky.found ? 1 : 0.55);
	return toned(picture, gradient, sky.mask, strength);
}

/** A low sun and its glow, in the sky alone when its mask is given. */
async function sunOn(picture: Picture, x: number, y: number, [red, green, blue]: Rgb, mask?: Mask): Promise<Picture> {
	const { width, height } = picture;
	const unit = Math.min(width, height) / 100;
	const stop = (offset: number, opacity: number) =>
		`<stop offset="${offset}" stop-color="rgb(${red},${green},${blue})" stop-opacity="${opacity}"/>`;
	const place = `cx="${x * width}" cy="${y * height}"`;
	const glow = await drawing(
		width,
		height,
		`<defs><radialGradient id="g">${stop(0, 0.85)}${stop(0.25, 0.4)}${stop(1, 0)}</radialGradient></defs><circle ${place} r="${unit * 62}" fill="url(#g)"/>`,
	);
	const lit = await layered(picture, [{ picture: glow, blend: 'screen' }]);
	if (!mask) return lit;
	const disc = await drawing(width, height, `<circle ${place} r="${unit * 6}" fill="#fff2cc"/>`);
	return mixed(lit, await layered(lit, [{ picture: disc }]), mask);
}

/** Bright, warm spots that are not sky: windows, lamps, flames. */
async function lampsOf(picture: Picture, sky: Sky): Promise<Mask> {
	const warm = select(picture, { hue: 85, half: 32, light: [0.8, 1], chroma: [0.07, 1] });
	const alone = warm.map((value, at) => (value * (255 - (sky.found ? sky.mask[at]! : 0)) * 0.85) / 255);
	const share = alone.reduce((sum, value) => sum + value, 0) / 255 / alone.length;
	// A yellow field is no lamp.
	return share > 0.06 ? alone.fill(0) : feathered(alone, picture, Math.max(0.5, picture.width / 400));
}

/** Snow on what is green, brown and bright. */
async function frosted(picture: Picture): Promise<Picture> {
	const plants = select(picture, { hue: 118, half: 50, chroma: [0.03, 1] });
	const white = moved(picture, plants, [232, 240, 249], 0.8);
	const ground = select(picture, { hue: 66, half: 24, light: [0.35, 0.9], chroma: [0.02, 0.11] });
	return moved(white, ground, [226, 234, 244], 0.6);
}
