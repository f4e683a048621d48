/** Draws the layers of places, skies and weather as the tables have them: ridges, and things along them or scattered over them. */
import { type PropName, prop, propNamed } from '../props/props.ts';
import { painted } from '../subjects/figures.ts';
import { type Hex, mix } from '../tools/colour.ts';
import { type Frame, glow, ground, hills, type Ridge } from '../tools/frame.ts';
import { lit, unlit } from '../tools/light.ts';
import type { Random } from '../tools/random.ts';
import { group, type Point, round, stop } from '../tools/svg.ts';
import parts from './parts.json' with { type: 'json' };

/** `#rrggbb`, a name of the place's palette or of the light, or a mixture of two. */
export type Colour = string | readonly [from: Colour, to: Colour, share: number];
type Range = readonly [low: number, high: number];
/** Colours by name; of several, any. */
export type Palette = Readonly<Record<string, Colour | readonly Colour[]>>;

/** What a surface is painted with: a colour in the light at a depth, and what it turns into further down. */
export interface Paint {
	readonly colour?: Colour;
	readonly depth?: number;
	/** The share of haze that it dissolves into at its foot. */
	readonly mist?: number;
	/** A gradient instead, from top to bottom. */
	readonly stops?: readonly (readonly [offset: number, colour: Colour, opacity?: number])[];
}

/** Things that are drawn again and again: drawings by name with their colour, of several any; `glow` is a soft light. */
interface Things extends Paint {
	readonly of: Readonly<Record<string, Colour>> | 'trees';
	/** Heights from the smallest to the largest. */
	readonly tall: Range;
	/** Width in heights; by default the drawing's own. */
	readonly wide?: Range;
	readonly accent?: Colour;
	/** Shows its own colours, whatever the light. */
	readonly shines?: boolean;
	/** How far it is turned, in degrees. */
	readonly tilt?: Range;
	/** Width as a share of the picture's. */
	readonly broad?: number;
	/** The share of its height that it stands in the ground. */
	readonly sunk?: number;
	/** A soft light about each: its size in heights, its strength, and its colour if it is another one. */
	readonly halo?: readonly [size: number, strength: number, colour?: Colour];
}

type Line = { readonly at: number; readonly swing?: number; readonly length?: number };
type Row = Things & Partial<Line> & { readonly spacing: number; readonly clear?: number };

/** Heights are 0 at the horizon, 1 at the lower edge and −1 at the upper one. */
type Kinds = {
	/** A line of hills, or a straight one, and the ground below it. Things stand behind it and on it. */
	ridge: Paint &
		Line & {
			until?: number;
			behind?: Row[];
			on?: Row[];
			/** Waves with crests instead of hills. */
			sharp?: boolean;
			/** Seams along it: how far they reach above it, and their colours. */
			edges?: readonly (readonly [above: number, colour: Colour])[];
		};
	/** Things that stand along a line; lower ones in a gap for the actors. */
	row: Row;
	/** `count` in a picture as wide as high, more in wider ones. `grow` is the size of the uppermost beside the lowest. */
	scatter: Things & {
		count: number;
		/** From which height to which one; at the sun or moon when missing. */
		from?: number;
		to?: number;
		across?: Range;
		grow?: number;
		/** Around the sun or moon, `across` in its radii. */
		byLuminary?: boolean;
		/** At the side where the sun or moon is not. */
		sided?: boolean;
		/** On both sides of the middle. */
		both?: boolean;
		/** Along lanes that meet at the horizon, 0 in the middle. */
		lanes?: readonly [number, ...number[]];
	};
	/** A background that is drawn as a whole. `paints` has what its classes are painted with. */
	set: {
		set: PropName;
		at: number;
		sided?: boolean;
		/** Is stretched in wide pictures. */
		wide?: boolean;
		paints: Readonly<Record<string, Paint>>;
	};
	/** Layers, and what the water or the wet ground mirrors of them, which `over` is drawn for. */
	mirror: { layers: Layer[]; over: Layer[]; at: number; share: number; in?: string; within?: PropName };
	/** Layers of `parts.json`. */
	part: { part: keyof typeof parts };
};

type Kind = keyof Kinds;
type Conditions = {
	/** Words of which the scene has one, and words of which it has none. */
	readonly when?: string;
	readonly unless?: string;
	readonly chance?: number;
	readonly opacity?: number;
	/** The measure of the light that the opacity follows. */
	readonly follows?: 'lamps' | 'stars';
	readonly blend?: string;
};
export type Layer = { [Name in Kind]: { readonly kind: Name } & Kinds[Name] & Conditions }[Kind];

/** A frame with what all layers of a place need. */
export interface View extends Frame {
	readonly chance: Random;
	/** Words for all that the scene has: its place, time, season, weather, style… */
	readonly tags: ReadonlySet<string>;
	readonly palette: Palette;
	readonly trees: Readonly<Record<string, Colour>>;
	/** How dark indoor colours are. */
	readonly dim: number;
}

export const heightOf = ({ horizon, height }: Frame, at: number) =>
	at < 0 ? horizon * (1 + at) : horizon + (height - horizon) * at;

export const hasAny = ({ tags }: View, words: string) => words.split(' ').some((word) => tags.has(word));

export function colourOf(view: View, colour: Colour): Hex {
	if (typeof colour !== 'string') return mix(colourOf(view, colour[0]), colourOf(view, colour[1]), colour[2]);
	if (colour.startsWith('#')) return colour as Hex;
	const { light, palette, chance } = view;
	const [zenith, upper, lower, low] = light.sky;
	const { disc, glow, haze, deep, ambient } = light;
	const found = palette[colour] ?? { zenith, upper, lower, low, disc, glow, haze, deep, ambient }[colour];
	if (found === undefined) throw new Error(`No colour is called ${colour}.`);
	// Leaves and flowers have any of their colours, one by one.
	const isOne = typeof found === 'string' || typeof found.at(-1) === 'number';
	return colourOf(view, isOne ? (found as Colour) : chance.pick(found as readonly [Colour, ...Colour[]]));
}

function paintOf(view: View, { colour = '#808080', depth, mist, stops }: Paint): string {
	const base = colourOf(view, colour);
	const { light, definitions } = view;
	const top = depth === undefined ? base : lit(light, base, depth);
	const own = { ...view, palette: { ...view.palette, own: top } };
	const fading = [
		[0, 'own'],
		[0.5, ['own', 'haze', (mist ?? 0) * 0.45]],
		[1, ['own', 'haze', mist ?? 0]],
	] as const;
	const gradient = stops ?? (mist === undefined ? undefined : fading);
	if (!gradient) return top;
	return definitions.linear(gradient.map(([offset, one, opacity = 1]) => stop(offset, colourOf(own, one), opacity)));
}

/** Each layer has a chance of its own, so that none changes when another one is drawn or not. */
export const paintLayers = (view: View, layers: readonly Layer[]): string =>
	layers.map((one, index) => paintLayer({ ...view, chance: view.chance.fork(`${index}`) }, one)).join('');

function paintLayer(view: View, layer: Layer): string {
	const { when, unless, chance = 1, follows, blend } = layer;
	if ((when && !hasAny(view, when)) || (unless && hasAny(view, unless)) || !view.chance.chance(chance)) return '';
	const opacity = (layer.opacity ?? 1) * (follows ? view.light[follows] : 1);
	if (opacity === 0) return '';
	const drawn = (painters[layer.kind] as (view: View, layer: Layer) => string)(view, layer);
	if (blend) return group(drawn, `style="mix-blend-mode:${blend}"`);
	return opacity < 1 ? group(drawn, `opacity="${round(opacity * 100) / 100}"`) : drawn;
}

const painters: { [Name in Kind]: (view: View, layer: Kinds[Name]) => string } = {
	ridge(view, { at, swing = 0, length = 700, until = 1, behind = [], on = [], sharp, edges = [], ...paint }) {
		const y = heightOf(view, at);
		const line = sharp ? crests(view, y, swing, length) : hills(view.chance, y, swing, length);
		const rows = (all: Row[]) => all.map((one) => row(view, line, { depth: paint.depth, ...one })).join('');
		const bottom = heightOf(view, until);
		const seams = edges.map(([above, colour]) => ground(view, (x) => line(x) - above, colourOf(view, colour), bottom));
		return rows(behind) + seams.join('') + ground(view, line, paintOf(view, paint), bottom) + rows(on);
	},
	row(view, layer) {
		const { at = 0, swing = 0, length } = layer;
		return row(view, hills(view.chance, heightOf(view, at), swing, length), layer);
	},
	scatter(view, layer) {
		const { grow = 1, tall, byLuminary } = layer;
		const { chance, luminary } = view;
		const drawn = spotsOf(view, layer).map(([x, y, down]) => {
			const size = chance.between(...tall) * (grow + (1 - grow) * down);
			const height = byLuminary ? size * luminary.radius : size;
			return thing(view, layer, [x, y ?? luminary.at[1] + height / 2], height);
		});
		return drawn.join('');
	},
	set(view, { set, at, paints, ...placing }) {
		const { parts, lights = [], place, spot } = placeSet(view, set, heightOf(view, at), placing);
		const drawn = painted(parts, (tone) => paintOf(view, paints[tone] ?? { colour: [tone, 'deep', view.dim] }));
		const shining = lights.map(([x, y, radius]) => glow(view, spot(x, y), radius, '#ffdf9a', 0.45));
		return group(drawn, `transform="${place}"`) + shining.join('');
	},
	mirror(view, { layers, over, at, share, in: wet, within }) {
		const drawn = paintLayers(view, layers);
		const ground = drawn + paintLayers(view, over);
		if (wet && !hasAny(view, wet)) return ground;
		const turned = `transform="translate(0 ${round(heightOf(view, at) * 2)})scale(1 -1)"`;
		const copy = group(group(drawn, turned), `opacity="${share}"`);
		if (!within) return ground + copy;
		const { parts, place } = placeSet(view, within, heightOf(view, 0), { wide: true });
		const clip = view.definitions.add(
			(id) => `<clipPath id="${id}"><path transform="${place}" d="${parts[0]?.[1]}"/></clipPath>`,
		);
		return ground + group(copy, `clip-path="url(#${clip})"`);
	},
	part: (view, { part }) => paintLayers(view, parts[part] as unknown as Layer[]),
};

/** Waves as of a swell. */
function crests({ chance }: View, y: number, swing: number, length: number): Ridge {
	const phase = chance.between(0, length);
	return (x) => y + swing * (2 * Math.abs(Math.sin(((x + phase) / length) * Math.PI)) ** 0.8 - 1);
}

/**
 * Places a set so that its seat, a point on its floor, is in the middle of the picture at the height `y`. Sets are larger than most pictures,
 * which show their middle; longer pictures enlarge them.
 */
function placeSet(view: View, name: PropName, y: number, { sided, wide }: { sided?: boolean; wide?: boolean }) {
	const { width, height, luminary } = view;
	const set = propNamed(name);
	const [x, floor] = set.seat ?? set.box;
	const scale = round(Math.max(1, width / set.box[0], y / floor, (height - y) / (set.box[1] - floor)));
	const across = (sided && luminary.at[0] > width / 2 ? -1 : 1) * (wide ? Math.max(scale, width / 1000) : scale);
	return {
		...set,
		place: `translate(${round(width / 2)} ${round(y)})scale(${across} ${scale})translate(${-x} ${-floor})`,
		spot: (left: number, top: number): Point => [width / 2 + (left - x) * across, y + (top - floor) * scale],
	};
}

/** Things that stand along a ridge, more or less tall; of those in the mist, the tallest are behind. */
function row(view: View, ridge: Ridge, layer: Row): string {
	const { chance, width } = view;
	const { spacing, clear = 0, tall, mist } = layer;
	const drawn: { height: number; svg: string }[] = [];
	for (let x = -spacing; x < width + spacing; x += spacing * chance.between(0.5, 1.5)) {
		const isInGap = Math.abs(x / width - 0.5) < clear / 2;
		if (isInGap && chance.chance(0.75)) continue;
		const height = chance.between(...tall) * (isInGap ? 0.4 : 1);
		drawn.push({ height, svg: thing(view, layer, [x, ridge(x) + chance.between(0, height * 0.08)], height) });
	}
	return drawn
		.sort((a, b) => (mist ? b.height - a.height : 0))
		.map(({ svg }) => svg)
		.join('');
}

type Spot = readonly [x: number, y: number | undefined, down: number];

/** Where scattered things are, the uppermost first, and how far down, from 0 to 1. */
function spotsOf(view: View, layer: Kinds['scatter']): Spot[] {
	const { chance, width, luminary } = view;
	const { count, from, to = from, across = [-0.04, 1.04], lanes, both, byLuminary, sided } = layer;
	const many = from === to || byLuminary ? count : count * Math.min(4, Math.max(1, width / 1000));
	const isTurned = sided && luminary.at[0] > width / 2;
	const spots = Array.from({ length: Math.round(many) }, (_, index): Spot => {
		const [down, at] = [chance.next(), chance.between(...across)];
		const y = from === undefined || to === undefined ? undefined : heightOf(view, from + down * (to - from));
		if (byLuminary) return [luminary.at[0] + at * luminary.radius * (0.5 + down * 1.9), y, down];
		if (lanes) return [width / 2 + chance.pick(lanes) * (46 + 204 * down) + at * (12 + 54 * down), y, down];
		return [(both && index % 2 !== 0) || isTurned ? width * (1 - at) : width * at, y, down];
	});
	return spots.sort(([, , one], [, , other]) => one - other);
}

/** One thing with its foot at a point. */
function thing(view: View, layer: Things, [x, foot]: Point, height: number): string {
	const { chance, light } = view;
	const { of, wide, broad, accent, shines, tilt, depth, mist, stops, sunk = 0, halo } = layer;
	const [name, own] = chance.pick(Object.entries(of === 'trees' ? view.trees : of) as [[string, Colour], ...[]]);
	const colour = colourOf(view, own);
	const width = broad ? broad * view.width : wide && height * chance.between(...wide);
	const y = foot + height * sunk;
	const middle: Point = [x, y - height / 2];
	if (name === 'glow') return stretched(glow(view, [0, 0], height / 2, colour, 1), middle, (width ?? height) / height);
	const drawn = prop(view, name as PropName, {
		at: [x, y],
		height,
		width,
		// Its faces stay to be seen in the haze.
		depth: mist ? (depth ?? 0) * 0.74 : depth,
		colour,
		accent: accent === undefined ? undefined : colourOf(view, accent),
		paint: stops || mist ? paintOf(view, { colour, depth: mist && (depth ?? 0) * 0.9, mist, stops }) : undefined,
		light: shines ? unlit(light) : light,
	});
	const shine = halo
		? glow(view, middle, (halo[0] * height) / 2, halo[2] ? colourOf(view, halo[2]) : colour, halo[1])
		: '';
	if (!tilt) return shine + drawn;
	return group(drawn, `transform="rotate(${round(chance.between(...tilt))} ${middle.map(round).join(' ')})"`);
}

const stretched = (drawing: string, [x, y]: Point, wide: number) =>
	group(drawing, `transform="translate(${round(x)} ${round(y)})scale(${round(wide)} 1)"`);
