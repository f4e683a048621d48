/** Plants of each season, and woods. */

import type { Season } from '../../scene/names.ts';
import { adjust, type Hex, mix } from '../colour.ts';
import type { Frame, Ridge } from '../frame.ts';
import { lit } from '../light.ts';
import type { Random } from '../random.ts';
import { disc, fill, line, round } from '../svg.ts';
import table from './flora.json' with { type: 'json' };
import { type TreeKind, trees } from './trees.ts';

interface Greens {
	readonly ground: Hex;
	readonly far: Hex;
	readonly rock: Hex;
	readonly leaf: readonly [Hex, ...Hex[]];
	readonly needle: Hex;
	readonly trunk: Hex;
	readonly flower: readonly Hex[];
	readonly kinds: readonly [TreeKind, ...TreeKind[]];
}

const seasons = table as unknown as Readonly<Record<Season, Greens>>;
export const { winter } = seasons;

export function greens(frame: Frame): Greens {
	const { scene } = frame;
	if (scene.season) return seasons[scene.season];
	return scene.weather.includes('snow') || scene.place === 'snowfield' ? winter : seasons.summer;
}

/** Trees standing along a ridge, the far ones first; `clear` keeps a gap for the actors. */
export function wood(
	frame: Frame,
	options: {
		ridge: Ridge;
		depth: number;
		height: number;
		spacing: number;
		kinds?: readonly TreeKind[];
		clear?: readonly [number, number];
		random: Random;
	},
): string {
	const { ridge, depth, height, spacing, clear, random } = options;
	const palette = greens(frame);
	const kinds = options.kinds ?? [random.pick(palette.kinds), palette.kinds[0]];
	const shadeSide = frame.luminary.at[0] > frame.width / 2 ? -1 : 1;
	const snowy = palette === winter;
	const strokes: string[] = [];
	for (let x = -spacing; x < frame.width + spacing; x += spacing * random.between(0.5, 1.5)) {
		const inside = clear && x > clear[0] && x < clear[1];
		const tall = height * random.between(0.62, 1.2) * (inside ? 0.4 : 1);
		if (inside && random.chance(0.75)) continue;
		const kind = random.pick(kinds as [TreeKind, ...TreeKind[]]);
		const paths = trees[kind](
			random,
			round(x),
			round(ridge(x) + random.between(0, height * 0.1)),
			round(tall),
			shadeSide,
		);
		const local = kind === 'pine' ? palette.needle : random.pick(palette.leaf);
		const colour = lit(frame.light, adjust(local, { l: random.between(-0.03, 0.03) }), depth);
		const trunk = kind === 'birch' ? mix(palette.trunk, '#ffffff', 0.75) : palette.trunk;
		strokes.push(fill(paths.trunk, lit(frame.light, trunk, depth)));
		if (paths.crown) strokes.push(fill(paths.crown, colour));
		if (depth < 0.75 && paths.shade) strokes.push(fill(paths.shade, mix(colour, frame.light.deep, 0.28)));
		if (snowy && depth < 0.8 && paths.top) strokes.push(fill(paths.top, lit(frame.light, '#ffffff', depth), 0.92));
	}
	return strokes.join('');
}

/** Grass, flowers or stones scattered over the near ground. */
export function tufts(frame: Frame, ridge: Ridge, random: Random, colour: Hex, flowers: readonly Hex[]): string {
	const blades: string[] = [];
	const blossoms = new Map<Hex, string>();
	const count = Math.min(260, 90 * (frame.width / 1000));
	for (let index = 0; index < count; index++) {
		const x = random.between(0, frame.width);
		const down = random.next();
		const y = ridge(x) + 14 + down * (frame.height - ridge(x));
		const size = 10 + down * 26;
		blades.push(
			`M${round(x)} ${round(y)}q${round(-size * 0.1)} ${round(-size * 0.5)} ${round(-size * 0.35)} ${round(-size * 0.8)}M${round(x)} ${round(y)}v${round(-size)}M${round(x)} ${round(y)}q${round(size * 0.1)} ${round(-size * 0.5)} ${round(size * 0.4)} ${round(-size * 0.75)}`,
		);
		if (flowers.length > 0 && random.chance(0.5)) {
			const flower = random.pick(flowers as [Hex, ...Hex[]]);
			blossoms.set(flower, (blossoms.get(flower) ?? '') + disc(x, y - size, 2.5 + down * 4));
		}
	}
	const petals = [...blossoms].map(([flower, path]) => fill(path, lit(frame.light, flower))).join('');
	return line(blades.join(''), colour, 3, 0.55) + petals;
}

/** Dark trees at the edges, nearer than everything else, that make the view a window. */
export function framing(frame: Frame, tall: number, kind: TreeKind, colour: Hex, random: Random): string {
	const size = Math.min(tall, frame.height * 0.72) * (kind === 'round' ? 0.6 : 1);
	const dark = mix(colour, frame.light.deep, 0.15);
	return [-0.03, 1.03, random.pick([0.06, 0.94])]
		.map((at, index) => {
			const height = size * (index === 2 ? 0.5 : random.between(0.7, 1));
			const paths = trees[kind](random, frame.width * at, frame.height + 20, height, 1);
			return fill(paths.trunk + paths.crown, dark) + (paths.shade ? fill(paths.shade, frame.light.deep, 0.3) : '');
		})
		.join('');
}
