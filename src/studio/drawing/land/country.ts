/** Open country: meadow, hills, mountains, forest, snowfield, in every season. */
import { adjust, type Hex, mix } from '../colour.ts';
import { type Frame, ground, hills, type Land, misty, type Ridge } from '../frame.ts';
import { lit } from '../light.ts';
import type { Random } from '../random.ts';
import { disc, fill, line, type Point, polygon, round } from '../svg.ts';
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

const spring: Greens = {
	ground: '#7fb069',
	far: '#6f9f8c',
	rock: '#7d86a0',
	leaf: ['#f2a7b8', '#f7c5cd', '#9cc56b'],
	needle: '#3f7d5c',
	trunk: '#6d4a3c',
	flower: ['#fff4f0', '#f59bb0', '#ffd86b'],
	kinds: ['round', 'round', 'birch'],
};
const summer: Greens = {
	ground: '#6ba15a',
	far: '#5a9080',
	rock: '#75809c',
	leaf: ['#4f8f4f', '#77a84a', '#3f7f5f'],
	needle: '#2c6350',
	trunk: '#5d4033',
	flower: ['#ffffff', '#ffd34f', '#ef6b5e'],
	kinds: ['pine', 'round', 'poplar'],
};
const autumn: Greens = {
	ground: '#c08a3e',
	far: '#a3765a',
	rock: '#857b8f',
	leaf: ['#d9642c', '#e8952f', '#b93f2e', '#efb544'],
	needle: '#5a6b45',
	trunk: '#4d342a',
	flower: ['#e8952f', '#b93f2e'],
	kinds: ['round', 'round', 'birch', 'poplar'],
};
const winter: Greens = {
	ground: '#eaf1fa',
	far: '#b9cbe2',
	rock: '#8c9cbb',
	leaf: ['#c9d8ea', '#dfe9f5'],
	needle: '#3d6473',
	trunk: '#54474f',
	flower: [],
	kinds: ['pine', 'pine', 'bare'],
};
const seasons = { spring, summer, autumn, winter };

export function greens(frame: Frame): Greens {
	const { scene } = frame;
	if (scene.season) return seasons[scene.season];
	return scene.weather.includes('snow') || scene.place === 'snowfield' ? winter : summer;
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

/** Peaks with a lit and a shaded face, and snow where they are high. */
export function peaks(
	frame: Frame,
	options: { base: number; height: number; width: number; depth: number; colour: Hex; snow: number; random: Random },
): string {
	const { base, height, width, depth, colour, snow, random } = options;
	const shadeRight = frame.luminary.at[0] < frame.width / 2;
	const body = misty(frame, colour, depth, 0.75);
	const side = mix(lit(frame.light, colour, depth), frame.light.deep, 0.3 * (1 - depth * 0.4));
	const white = lit(frame.light, '#ffffff', depth * 0.62);
	const drawn: { apex: number; svg: string }[] = [];
	for (let x = -width * 0.3; x < frame.width + width * 0.5; x += width * random.between(0.42, 0.75)) {
		const tall = height * random.between(0.55, 1.1);
		const half = width * random.between(0.5, 0.75) * (tall / height + 0.35);
		const top: Point = [x, base - tall];
		const flank = (s: number): Point[] =>
			[0.2, 0.4, 0.62, 0.82, 1].map((at) => [
				x + s * half * (at + random.between(-0.04, 0.04)),
				base - tall * (1 - at ** 0.92) + random.between(-12, 12),
			]);
		const [left, right] = [flank(-1), flank(1)];
		const spine: Point[] = [0.16, 0.32, 0.5, 0.7, 1].map((at, index) => [
			x + (index % 2 ? -1 : 1) * half * 0.1 * random.between(0.4, 1.5) + half * 0.1 * at,
			base - tall * (1 - at),
		]);
		const faces = shadeRight
			? polygon([top, ...right, ...spine.reverse()])
			: polygon([top, ...left, ...spine.reverse()]);
		let svg = fill(polygon([...left.reverse(), top, ...right, [x + half, base + 80], [x - half, base + 80]]), body);
		svg += fill(
			faces,
			frame.definitions.linear([
				[0, side, 0.85],
				[1, side, 0.05],
			]),
		);
		if (snow > 0) {
			const cap = tall * snow * random.between(0.75, 1.15);
			const reach = half * (cap / tall) ** 1.09;
			const edge: Point[] = [];
			for (let at = 1; at >= -1; at -= 0.28)
				edge.push([
					x + at * reach * 0.98,
					base - tall + cap * (0.62 + 0.38 * Math.abs(at)) + random.between(-1, 1) * cap * 0.22,
				]);
			const snowRight: Point[] = [top, ...edge.filter(([ex]) => (shadeRight ? ex >= x : ex <= x))];
			svg += fill(polygon([top, ...edge]), white);
			svg += fill(polygon(snowRight), mix(white, side, 0.42));
		}
		drawn.push({ apex: top[1], svg });
	}
	return drawn
		.sort((a, b) => a.apex - b.apex)
		.map(({ svg }) => svg)
		.join('');
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

interface Layout {
	readonly mountains: number;
	readonly woods: number;
}

const layouts: Record<string, Layout> = {
	meadow: { mountains: 0.35, woods: 0.4 },
	mountains: { mountains: 1, woods: 0.5 },
	forest: { mountains: 0.2, woods: 1 },
	snowfield: { mountains: 0.7, woods: 0.5 },
};

export function country(frame: Frame): Land {
	const { random: chance, horizon, height, light, scene } = frame;
	const random = chance.fork('country');
	const layout = layouts[scene.place ?? 'meadow'] ?? layouts['meadow']!;
	const palette = greens(frame);
	const deep = height - horizon;
	const back: string[] = [];
	if (layout.mountains > 0.3) {
		const tall = horizon * (0.24 + 0.52 * layout.mountains);
		back.push(
			peaks(frame, {
				base: horizon + 40,
				height: Math.min(tall, 760),
				width: 620,
				depth: 0.86,
				colour: palette.rock,
				snow: 0.34,
				random,
			}),
		);
		if (layout.mountains > 0.6)
			back.push(
				peaks(frame, {
					base: horizon + 60,
					height: Math.min(tall * 0.56, 460),
					width: 420,
					depth: 0.62,
					colour: palette.rock,
					snow: palette === winter ? 0.4 : 0.16,
					random,
				}),
			);
	} else {
		back.push(ground(frame, hills(random, horizon - 70, 70, 900), misty(frame, palette.far, 0.88)));
	}
	back.push(ground(frame, hills(random, horizon - 8, 46, 760), misty(frame, palette.far, 0.72)));
	const clear: [number, number] = [frame.width * 0.28, frame.width * 0.72];
	if (layout.woods > 0.3) {
		const far = hills(random, horizon + deep * 0.03, 20, 640);
		back.push(
			wood(frame, { ridge: far, depth: 0.66, height: 105 + layout.woods * 90, spacing: 30, random }),
			ground(frame, far, misty(frame, palette.ground, 0.62)),
		);
		const middle = hills(random, horizon + deep * 0.12, 24, 700);
		back.push(
			wood(frame, {
				ridge: middle,
				depth: 0.42,
				height: 150 + layout.woods * 190,
				spacing: layout.woods > 0.8 ? 62 : 120,
				random,
				clear: layout.woods > 0.8 ? [clear[0] + 60, clear[1] - 60] : clear,
			}),
		);
		back.push(ground(frame, middle, misty(frame, palette.ground, 0.42)));
	} else back.push(ground(frame, hills(random, horizon + deep * 0.1, 30, 600), misty(frame, palette.ground, 0.45)));
	const stage = hills(random, horizon + deep * 0.27, 20, 1100);
	if (layout.woods > 0.8)
		back.push(
			wood(frame, {
				ridge: stage,
				depth: 0.2,
				height: 420,
				spacing: 120,
				random,
				clear: [frame.width * 0.14, frame.width * 0.86],
			}),
		);
	const near = lit(light, palette.ground, 0.12);
	back.push(
		ground(
			frame,
			stage,
			frame.definitions.linear([
				[0, mix(near, light.glow, 0.22)],
				[0.4, near],
				[1, mix(near, light.deep, 0.35)],
			]),
		),
	);
	back.push(tufts(frame, stage, random, mix(near, light.deep, 0.4), palette.flower));
	const edge = hills(random, height - deep * 0.03, 18, 800);
	const choice = random.pick(palette.kinds);
	const kind = choice === 'poplar' || choice === 'birch' ? 'pine' : choice;
	const lip = mix(lit(light, palette.ground), light.deep, palette === winter ? 0.3 : 0.62);
	return {
		back: back.join(''),
		front:
			framing(frame, layout.woods > 0.8 ? 760 : 430, kind, lip, random) +
			ground(frame, edge, lip) +
			tufts(frame, (x) => edge(x) - 30, random, mix(lip, light.deep, 0.3), []),
		footing: (x, depth) => stage(x) + (height - stage(x)) * (0.5 - depth * 0.42),
		shadow: mix(near, light.deep, 0.62),
	};
}

/** Dark trees at the edges, nearer than everything else, that make the view a window. */
function framing(frame: Frame, tall: number, kind: TreeKind, colour: Hex, random: Random): string {
	const size = Math.min(tall, frame.height * 0.72);
	const dark = mix(colour, frame.light.deep, 0.15);
	return [-0.03, 1.03, random.pick([0.06, 0.94])]
		.map((at, index) => {
			const height = size * (index === 2 ? 0.5 : random.between(0.7, 1));
			const paths = trees[kind](random, frame.width * at, frame.height + 20, height, 1);
			return fill(paths.trunk + paths.crown, dark) + (paths.shade ? fill(paths.shade, frame.light.deep, 0.3) : '');
		})
		.join('');
}
