/** Every place: what is behind the actors and before them, and where they stand. */
import type { Mood, Place, Season, Time } from '../../scene/names.ts';
import { prop } from '../props/props.ts';
import { adjust, type Hex, mix, toLch } from '../tools/colour.ts';
import type { Frame, Land } from '../tools/frame.ts';
import { seeded } from '../tools/random.ts';
import abstractTable from './abstract.json' with { type: 'json' };
import { type Colour, colourOf, hasAny, heightOf, type Layer, type Palette, paintLayers, type View } from './layers.ts';
import palettes from './palettes.json' with { type: 'json' };
import parts from './parts.json' with { type: 'json' };
import placeTable from './places.json' with { type: 'json' };

interface Table {
	/** Colours by name, of several any; "wall neon" is the wall in a scene with that style. */
	readonly palette?: Palette;
	/** Colours of which one is chosen for the whole picture. */
	readonly once?: Readonly<Record<string, readonly [Hex, ...Hex[]]>>;
	/** How far the scene's tint changes colours of `once`. */
	readonly tinted?: Readonly<Record<string, number>>;
	/** By default, whether the scene's tint is. */
	readonly isDark?: boolean;
	/** How dark colours of `once` are, and how much more by the light of lamps. */
	readonly dim?: readonly [always: number, byLamps: number];
	/** Where the floor begins, as a share of the height. */
	readonly horizon?: number;
	/** The sun's or moon's distance from the middle and above the floor, and its radius, as it is seen through a window. */
	readonly window?: readonly [aside: number, above: number, radius: number];
	readonly back: readonly Layer[];
	readonly front?: readonly Layer[];
	/** A table or worktop, and how far below its edge those begin who stand behind it. */
	readonly counter?: { readonly layers: readonly Layer[]; readonly behind: number };
	/** The height of the ground in front, and how much higher it is at the back. */
	readonly footing: readonly [front: number, rise: number];
	readonly water?: number;
	/** What anything stands on where there is no ground. */
	readonly stand?: string;
	readonly shadow: Colour;
}

type Greens = Palette & { readonly trees: Readonly<Record<string, Colour>> };

const places = placeTable as unknown as Readonly<Partial<Record<Place, Table>>>;
/** Colours of all places, and of each season. */
const { common, seasons } = palettes as unknown as { common: Palette; seasons: Readonly<Record<Season, Greens>> };

const INDOORS: ReadonlySet<Place> = new Set(['room', 'kitchen', 'table', 'stage', 'backdrop']);

export function landOf(frame: Frame): Land {
	const { place } = frame.scene;
	const over = paintLayers(viewOf(frame, 'weather'), parts.weather as unknown as Layer[]);
	const { frame: inner, table } = place === 'abstract' ? abstract(frame) : inside(frame, places[place]!);
	const view = viewOf(inner, place, table);
	const { counter, stand, water, footing } = table;
	return {
		back: paintLayers(view, table.back),
		front: paintLayers(view, table.front ?? []),
		...(counter && {
			counter: { drawing: paintLayers(view, counter.layers), behind: view.horizon + counter.behind },
		}),
		...(water !== undefined && { water: heightOf(view, water) }),
		...(stand && {
			stand: (x, y, wide) => prop(view, stand, { at: [x, y + wide * 0.7], height: wide, width: wide * 2.24 }),
		}),
		footing: (depth) => heightOf(view, footing[0] - footing[1] * depth),
		shadow: colourOf(view, table.shadow),
		over: INDOORS.has(place) ? '' : over,
	};
}

type Setting = { readonly frame: Frame; readonly table: Table };

/** Rooms have their floor where it shows best, and see the sun through a window. */
function inside(frame: Frame, table: Table): Setting {
	const { width, height, luminary } = frame;
	const { horizon: share, window } = table;
	if (share === undefined) return { frame, table };
	const horizon = Math.max(height * share, window ? height - width * 0.5 : 0);
	if (!window) return { frame: { ...frame, horizon }, table };
	const [aside, above, radius] = window;
	const side = luminary.at[0] < width / 2 ? -1 : 1;
	return { frame: { ...frame, horizon, luminary: { at: [width / 2 + side * aside, horizon - above], radius } }, table };
}

function viewOf(
	frame: Frame,
	name: string,
	{ palette, isDark, once = {}, tinted = {}, dim = [0, 0] }: Partial<Table> = {},
): View {
	const { scene, light } = frame;
	const chance = frame.random.fork(name);
	const isWhite = scene.weather.includes('snow') || scene.place === 'snowfield';
	const season = scene.season ?? (isWhite ? 'winter' : 'summer');
	const { trees, ...greens } = seasons[season];
	const { place, time, weather, sky, mood, style, framing, tint, second } = scene;
	const words = [
		...[place, time, ...weather, ...sky, mood, style, framing, season === 'winter' ? season : scene.season],
		light.luminary === 'sun' ? 'sunlit' : 'moonlit',
		tint && 'tinted',
		(isDark ?? (tint && toLch(tint).l < 0.5)) && 'dark',
		second && 'second',
		scene.texts.length > 0 && 'written',
		scene.subjects.length > 0 && 'peopled',
	];
	const tags = new Set(words.filter((word) => typeof word === 'string'));
	const dark = dim[0] + dim[1] * light.lamps;
	const chosen = Object.entries(once).map(([key, colours]) => {
		const colour = chance.pick(colours);
		return [key, mix(mix(colour, tint ?? colour, tinted[key] ?? 0), light.deep, dark)] as const;
	});
	const view = { ...frame, chance, tags, trees, dim: dark, palette: {} };
	const named = Object.entries({
		...greens,
		...common,
		...Object.fromEntries(chosen),
		...(tint && { tint }),
		...(second && { second }),
		...palette,
	}).flatMap(([key, value]) => {
		const [own = '', word] = key.split(' ');
		return word === undefined || hasAny(view, word) ? [[own, value] as const] : [];
	});
	return { ...view, palette: Object.fromEntries(named) };
}

/** Pairs of colours that go well together, by mood or time; what is mixed of a pair; and what is done with it. */
const { pairs, palette, compositions } = abstractTable as unknown as {
	pairs: Readonly<Record<Mood | Time, readonly [Pair, ...Pair[]]>>;
	palette: Palette;
	compositions: readonly (readonly Layer[])[];
};
type Pair = readonly [Hex, Hex];

const DARK: ReadonlySet<string | undefined> = new Set(['eerie', 'dramatic', 'dusk', 'night']);

/** An abstract picture: shapes in the scene's colours, or in a pair that goes with its mood or time. */
function abstract({ scene, width, height, ...frame }: Frame): Setting {
	const { tint, second, mood, time, seed, variation } = scene;
	const chance = frame.random.fork('abstract');
	const pair = chance.pick(pairs[mood ?? time]);
	const [one, other] = tint ? [tint, second ?? adjust(tint, { l: 0.1, h: 40 })] : pair;
	const order = seeded(seed).fork('abstract').shuffled(compositions);
	const table: Table = {
		back: order[variation % order.length]!,
		palette: { one, other, spark: second ?? adjust(one, { l: 0.2, c: 1.3, h: 175 }), ...palette },
		isDark: DARK.has(mood) || DARK.has(time),
		footing: [-0.14, 0.3],
		shadow: ['bottom', '#1b1530', 0.5],
	};
	// Rings are about it.
	const at = [width * chance.pick([0.1, 0.5, 0.9]), height * chance.pick([0.94, 0.62, 1.02])] as const;
	const luminary = { at, radius: Math.hypot(width, height) };
	return { frame: { ...frame, scene, width, height, horizon: height, luminary }, table };
}
