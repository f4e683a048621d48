import { fromLab, type Lab, type Rgb, toLab } from '../colours.ts';
import { graded } from '../grade.ts';
import { feathered } from '../masks.ts';
import type { Mask, Picture } from '../picture.ts';
import { skyOf } from '../sky.ts';
import { subjectOf } from '../subject.ts';
import type { Painters } from './painter.ts';

/** A family of colours in OKLab: hue in degrees with its half width, and bounds of lightness and chroma. */
type Family = { hue: number; half: number; light?: [low: number, high: number]; chroma?: [low: number, high: number] };

const families: Readonly<Record<string, Family>> = {
	red: { hue: 23, half: 14 },
	orange: { hue: 57, half: 20 },
	gold: { hue: 85, half: 18 },
	yellow: { hue: 102, half: 20 },
	lime: { hue: 125, half: 18 },
	green: { hue: 142, half: 34 },
	olive: { hue: 112, half: 18, light: [0, 0.7] },
	mint: { hue: 160, half: 20, light: [0.7, 1] },
	teal: { hue: 205, half: 24 },
	turquoise: { hue: 190, half: 26 },
	'light blue': { hue: 235, half: 30, light: [0.6, 1] },
	blue: { hue: 252, half: 36 },
	navy: { hue: 268, half: 24, light: [0, 0.42] },
	indigo: { hue: 285, half: 18 },
	purple: { hue: 304, half: 24 },
	lavender: { hue: 300, half: 26, light: [0.6, 1] },
	magenta: { hue: 338, half: 20 },
	pink: { hue: 356, half: 24 },
	brown: { hue: 55, half: 26, light: [0, 0.62] },
	beige: { hue: 84, half: 26, light: [0.65, 1], chroma: [0.012, 0.09] },
	white: { hue: 0, half: 180, light: [0.86, 1], chroma: [0, 0.035] },
	silver: { hue: 0, half: 180, light: [0.6, 0.9], chroma: [0, 0.03] },
	grey: { hue: 0, half: 180, light: [0.32, 0.85], chroma: [0, 0.035] },
	black: { hue: 0, half: 180, light: [0, 0.3], chroma: [0, 0.05] },
};

export const recolour: Painters<'recolour' | 'only'> = {
	recolour: async (picture, { from, to, amount }, { sharp }) => {
		const selection = await selectionOf(picture, from);
		// The plain model feathers a little over the edge; the other keeps it.
		const mask = sharp ? selection : await feathered(selection, picture, Math.max(0.4, picture.width / 700));
		return moved(picture, mask, to, Math.min(1, amount));
	},
	only: async (picture, { colour }) => {
		const keep = colour === 'subject' ? (await subjectOf(picture)).mask : await selectionOf(picture, colour);
		return graded(
			picture,
			{ saturation: 0 },
			1,
			keep.map((value) => 255 - value),
		);
	},
};

/** Returns the mask of the named colour, region or subject. A colour that does not occur selects the nearest one. */
async function selectionOf(picture: Picture, name: string): Promise<Mask> {
	if (name === 'sky') return (await skyOf(picture)).mask;
	if (name === 'plants') return select(picture, { hue: 134, half: 28 });
	if (name === 'water')
		return select(picture, { hue: 235, half: 48 }, (_, y) => Math.min(1, Math.max(0, (y - 0.3) * 6)));
	const family = families[name];
	if (family) return select(picture, family);
	const { mask } = await subjectOf(picture);
	const main = mainFamily(picture, mask);
	return main ? within(select(picture, main), mask) : mask;
}

function within(selection: Mask, mask: Mask): Mask {
	return selection.map((value, at) => (value * mask[at]!) / 255);
}

export function select(picture: Picture, family: Family, where?: (x: number, y: number) => number): Mask {
	const { data, width, height } = picture;
	const { hue, half, light = [0, 1], chroma = [half >= 180 ? 0 : 0.035, 1] } = family;
	const mask = new Uint8Array(width * height);
	const lab: Lab = [0, 0, 0];
	for (let at = 0; at < mask.length; at++) {
		toLab(data[at * 4]!, data[at * 4 + 1]!, data[at * 4 + 2]!, lab);
		const c = Math.sqrt(lab[1] * lab[1] + lab[2] * lab[2]);
		let share = inside(lab[0], light, 0.08) * inside(c, chroma, 0.02);
		if (share > 0 && half < 180) share *= ease(1 - (turn(lab[1], lab[2], hue) - half) / (half * 0.4));
		if (share > 0 && where) share *= where((at % width) / width, Math.floor(at / width) / height);
		mask[at] = share * 255;
	}
	return mask;
}

/** Degrees between a colour's hue and another. */
function turn(a: number, b: number, hue: number): number {
	const away = Math.abs(Math.atan2(b, a) * (180 / Math.PI) - hue) % 360;
	return away > 180 ? 360 - away : away;
}

/** 1 between the bounds, falling to 0 over `soft` outside of them. */
function inside(value: number, [low, high]: readonly [number, number], soft: number): number {
	return ease(1 - Math.max(low - value, value - high, 0) / soft);
}

function ease(value: number): number {
	return value <= 0 ? 0 : value >= 1 ? 1 : value * value * (3 - 2 * value);
}

/** The hue that most of the subject's colourful pixels have. */
function mainFamily({ data }: Picture, mask: Mask): Family | undefined {
	const votes = new Float64Array(24);
	const lab: Lab = [0, 0, 0];
	let total = 0;
	for (let at = 0; at < mask.length; at += 3) {
		if (mask[at]! < 128) continue;
		toLab(data[at * 4]!, data[at * 4 + 1]!, data[at * 4 + 2]!, lab);
		const c = Math.sqrt(lab[1] * lab[1] + lab[2] * lab[2]);
		total++;
		if (c > 0.05) votes[Math.floor(((Math.atan2(lab[2], lab[1]) / Math.PI + 1) * 12) % 24)]! += c;
	}
	const best = votes.indexOf(Math.max(...votes));
	if (votes[best]! < total * 0.008) return undefined;
	return { hue: (best + 0.5) * 15 - 180, half: 30 };
}

/** Moves the selected colours to `to`: its hue and chroma, with the differences of light and shade that were there. */
export function moved(picture: Picture, mask: Mask, to: Rgb, amount: number): Picture {
	const data = new Uint8Array(picture.data);
	const lab: Lab = [0, 0, 0];
	const target = toLab(...rounded(to), [0, 0, 0]);
	const targetChroma = Math.hypot(target[1], target[2]);
	let [weight, lightness, chroma] = [1e-6, 0, 0];
	for (let at = 0; at < mask.length; at++) {
		if (mask[at]! < 8) continue;
		toLab(data[at * 4]!, data[at * 4 + 1]!, data[at * 4 + 2]!, lab);
		weight += mask[at]!;
		lightness += mask[at]! * lab[0];
		chroma += mask[at]! * Math.hypot(lab[1], lab[2]);
	}
	const [meanLight, meanChroma] = [lightness / weight, chroma / weight];
	// Grey, black and white are told by their lightness alone; colours may keep more of the light that was there.
	const lift = (target[0] - meanLight) * (targetChroma < 0.04 ? 0.9 : 0.6);
	for (let at = 0; at < mask.length; at++) {
		const share = (mask[at]! / 255) * amount;
		if (share === 0) continue;
		toLab(data[at * 4]!, data[at * 4 + 1]!, data[at * 4 + 2]!, lab);
		const own = Math.hypot(lab[1], lab[2]);
		// Paler parts stay a little paler, but none loses its new colour.
		const depth = meanChroma > 0.03 ? 0.55 + 0.45 * Math.min(1.3, own / meanChroma) : 0.9;
		// Near white there is hardly any colour to see, near black neither.
		const l = Math.min(1, Math.max(0, lab[0] + lift));
		const room = Math.min(1, (1 - l) * 6 + 0.15) * Math.min(1, l * 5);
		fromLab(
			lab[0] + (l - lab[0]) * share,
			lab[1] + (target[1] * depth * room - lab[1]) * share,
			lab[2] + (target[2] * depth * room - lab[2]) * share,
			data,
			at * 4,
		);
	}
	return { ...picture, data };
}

function rounded([red, green, blue]: Rgb): [number, number, number] {
	return [Math.round(red), Math.round(green), Math.round(blue)];
}
