/** The layers that places are made of, from the horizon to the lower edge: hills, rows of things on them, what is scattered over them. */
import type { Season } from '../../scene/names.ts';
import { type PropName, prop } from '../props/props.ts';
import { type Hex, mix } from '../tools/colour.ts';
import { type Frame, ground, hills, misty, type Ridge, shaded } from '../tools/frame.ts';
import { type Light, lit } from '../tools/light.ts';
import type { Random } from '../tools/random.ts';
import { disc, fill, line, path } from '../tools/svg.ts';
import table from './seasons.json' with { type: 'json' };

/** What grows in a season, and in which colours. */
export interface Greens {
	readonly ground: Hex;
	readonly far: Hex;
	readonly rock: Hex;
	readonly leaf: readonly [Hex, ...Hex[]];
	readonly needle: Hex;
	readonly trunk: Hex;
	readonly flower: readonly Hex[];
	readonly trees: readonly [PropName, ...PropName[]];
}

const seasons = table as unknown as Readonly<Record<Season, Greens>>;

/** A frame with what all layers of a place need. */
export interface View extends Frame {
	readonly greens: Greens;
	/** Of this place. */
	readonly chance: Random;
	/** Returns a height: 0 at the horizon, 1 at the lower edge. */
	readonly y: (at: number) => number;
}

export function viewOf(frame: Frame, name: string): View {
	const { scene, horizon, height, random } = frame;
	const isWhite = scene.weather.includes('snow') || scene.place === 'snowfield';
	return {
		...frame,
		greens: seasons[scene.season ?? (isWhite ? 'winter' : 'summer')],
		chance: random.fork(name),
		y: (at) => horizon + (height - horizon) * at,
	};
}

const isWinter = ({ greens }: View): boolean => greens === seasons.winter;

interface Row {
	readonly of: readonly [PropName, ...PropName[]];
	readonly tall: number;
	/** From one to the next. */
	readonly spacing: number;
	readonly depth?: number;
	/** Width beside height, and how much it varies. */
	readonly wide?: readonly [number, number];
	readonly colour?: Hex | ((name: PropName) => Hex);
	readonly accent?: () => Hex;
	/** A gap for the actors, as a share of the width. */
	readonly clear?: number | undefined;
	/** Dissolves into the air at its foot. */
	readonly isMisty?: boolean;
	readonly light?: Light | undefined;
}

/** Things that stand along a ridge, more or less tall; the tallest are behind. */
export function row(view: View, ridge: Ridge, { of, tall, spacing, depth = 0, wide, clear = 0, ...look }: Row): string {
	const { chance, width } = view;
	const drawn: { height: number; svg: string }[] = [];
	for (let x = -spacing; x < width + spacing; x += spacing * chance.between(0.5, 1.5)) {
		const isInGap = Math.abs(x / width - 0.5) < clear / 2;
		const height = tall * chance.between(0.62, 1.2) * (isInGap ? 0.4 : 1);
		const [stretch, name] = [chance.between(...(wide ?? [1, 1])), chance.pick(of)];
		const colour = typeof look.colour === 'function' ? look.colour(name) : look.colour;
		const accent = look.accent?.();
		if (isInGap && chance.chance(0.75)) continue;
		const paint = look.isMisty ? misty(view, colour ?? '#8a8a9a', depth * 0.9, 0.75) : undefined;
		const at = [x, ridge(x) + chance.between(0, height * 0.08)] as const;
		// Its faces stay to be seen in the haze.
		const own = { at, height, depth: look.isMisty ? depth * 0.74 : depth, colour, accent, paint, light: look.light };
		drawn.push({ height, svg: prop(view, name, { ...own, width: wide && height * stretch }) });
	}
	return drawn
		.sort((a, b) => (look.isMisty ? b.height - a.height : 0))
		.map(({ svg }) => svg)
		.join('');
}

/** Mountains about `tall`, with snow where `isWhite`. */
export function peaks(
	view: View,
	base: number,
	tall: number,
	depth: number,
	isWhite = true,
	colour = view.greens.rock,
): string {
	const of: Row['of'] = isWhite ? ['peak', 'crag'] : ['isle'];
	const wide = isWhite ? ([1.2, 1.8] as const) : ([3, 6] as const);
	return row(view, () => base, { of, tall, spacing: tall * (isWhite ? 0.8 : 2.6), depth, wide, colour, isMisty: true });
}

/** Trees of the season along a ridge. */
export function wood(view: View, ridge: Ridge, trees: Pick<Row, 'tall' | 'spacing' | 'depth' | 'clear'>): string {
	const { greens, chance } = view;
	const of: Row['of'] = [chance.pick(greens.trees), greens.trees[0]];
	const colour = (name: PropName) => (/pine/i.test(name) ? greens.needle : chance.pick(greens.leaf));
	return row(view, ridge, { ...trees, of, wide: [0.6, 0.8], colour, accent: () => greens.trunk });
}

type Hill = Record<'at' | 'swing' | 'length' | 'depth', number> & {
	colour?: Hex;
	trees?: Pick<Row, 'tall' | 'spacing' | 'clear'>;
};

/** A hill in the distance, with trees behind its ridge. */
export function hill(view: View, { at, swing, length, depth, colour = view.greens.ground, trees }: Hill): string {
	const ridge = hills(view.chance, view.y(at), swing, length);
	return (trees ? wood(view, ridge, { depth, ...trees }) : '') + ground(view, ridge, misty(view, colour, depth));
}

/** The ground that the actors stand on, and the darker edge before them: grass and flowers, as the season has them. */
export function meadow(view: View, ridge: Ridge, edge: Ridge) {
	const { greens, light, height } = view;
	const near = lit(light, greens.ground, 0.12);
	const lip = mix(near, light.deep, isWinter(view) ? 0.3 : 0.62);
	return {
		back:
			ground(view, ridge, shaded(view, near, [light.glow, 0.22], 0.38, 0.4)) +
			tufts(view, ridge, mix(near, light.deep, 0.4), greens.flower),
		front: ground(view, edge, lip) + tufts(view, (x) => edge(x) - 30, mix(lip, light.deep, 0.3), []),
		footing: (x: number, depth: number) => ridge(x) + (height - ridge(x)) * (0.5 - depth * 0.42),
		shadow: mix(near, light.deep, 0.62),
		lip,
	};
}

/** Blades of grass over the ground below a ridge, and flowers among them. */
export function tufts(
	{ chance, width, height, light }: View,
	ridge: Ridge,
	colour: Hex,
	flowers: readonly Hex[],
): string {
	let blades = '';
	const blossoms = new Map<Hex, string>();
	for (let index = 0; index < Math.min(260, 0.09 * width); index++) {
		const [x, down] = [chance.between(0, width), chance.next()];
		const [y, s] = [ridge(x) + 14 + down * (height - ridge(x)), 10 + down * 26];
		blades += path`M${x} ${y}q${-s * 0.1} ${-s * 0.5} ${-s * 0.35} ${-s * 0.8}M${x} ${y}v${-s}M${x} ${y}q${s * 0.1} ${-s * 0.5} ${s * 0.4} ${-s * 0.75}`;
		const flower = flowers[chance.whole(0, flowers.length * 2)];
		if (flower) blossoms.set(flower, (blossoms.get(flower) ?? '') + disc(x, y - s, 2.5 + down * 4));
	}
	return (
		line(blades, colour, 3, 0.55) + [...blossoms].map(([flower, petals]) => fill(petals, lit(light, flower))).join('')
	);
}
