/** Every place: what is behind the actors and before them, and where they stand. */
import type { Mood, Place, Season, Time } from '../../scene/names.ts';
import { prop } from '../props/props.ts';
import { type Hex, lch, mix, toLch } from '../tools/colour.ts';
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
	if (place === 'abstract') return { ...abstract(viewOf(frame, place)), over };
	const table = places[place]!;
	const view = viewOf(inside(frame, table), place, table);
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

/** Rooms have their floor where it shows best, and see the sun through a window. */
function inside(frame: Frame, { horizon: share, window }: Table): Frame {
	const { width, height, luminary } = frame;
	if (share === undefined) return frame;
	const horizon = Math.max(height * share, window ? height - width * 0.5 : 0);
	if (!window) return { ...frame, horizon };
	const [aside, above, radius] = window;
	const side = luminary.at[0] < width / 2 ? -1 : 1;
	return { ...frame, horizon, luminary: { at: [width / 2 + side * aside, horizon - above], radius } };
}

function viewOf(
	frame: Frame,
	name: string,
	{ palette, once = {}, tinted = {}, dim = [0, 0] }: Partial<Table> = {},
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
		tint && toLch(tint).l < 0.5 && 'dark',
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

/** Hues are drawn from `hue`, and spread over `spread` degrees; without a hue, from those of the time. */
interface Feeling {
	readonly hue?: readonly [number, number];
	readonly spread: number;
	readonly chroma: number;
	readonly isDark?: boolean;
}

const { plain, moods, hues, compositions } = abstractTable as unknown as {
	plain: Feeling;
	moods: Readonly<Record<Mood, Feeling>>;
	hues: Readonly<Record<Time, readonly [number, number]>>;
	compositions: readonly (readonly Layer[])[];
};

/** `colours` are neighbours that go well with each other; `spark` stands out from all of them. */
interface Colours {
	readonly top: Hex;
	readonly bottom: Hex;
	readonly colours: readonly [Hex, Hex, Hex, Hex, Hex];
	readonly spark: Hex;
}

function coloursOf({ scene, chance }: View, { hue: own, spread, chroma }: Feeling, isDark: boolean): Colours {
	const { tint, second, time } = scene;
	const drawn = chance.between(...(own ?? hues[time]));
	const hue = tint ? toLch(tint).h : drawn;
	if (tint && second) {
		const [light, dark] = [(colour: Hex, share: number) => mix(colour, '#ffffff', share), mix(tint, '#1b1830', 0.6)];
		return {
			...(isDark ? { top: lch(0.2, 0.05, hue), bottom: dark } : { top: light(tint, 0.82), bottom: light(second, 0.6) }),
			colours: [tint, second, light(tint, 0.35), light(second, 0.3), mix(tint, '#1b1830', 0.25)],
			spark: second,
		};
	}
	const pure = tint ? Math.min(chroma * 1.2, Math.max(0.01, toLch(tint).c)) : chroma;
	const colour = (turn: number, index: number) =>
		lch(
			(isDark ? 0.48 : 0.6) + index * 0.065,
			pure * (1 - (index % 3) * 0.12),
			hue + turn * (tint ? Math.min(spread, 70) : spread),
		);
	const colours = [colour(0, 0), colour(0.5, 1), colour(-0.5, 2), colour(0.25, 3), colour(-0.25, 4)] as const;
	const top = isDark ? lch(0.2, Math.min(0.06, pure * 0.5), hue - 15) : lch(0.95, pure * 0.18, hue + 20);
	const spark = lch(isDark ? 0.86 : 0.7, Math.max(0.1, pure * 1.25), hue + 175);
	return { top, bottom: mix(top, colours[isDark ? 0 : 1], 0.33), colours, spark };
}

function abstract(view: View): Omit<Land, 'over'> {
	const { scene, width, height, chance } = view;
	const feeling = scene.mood ? moods[scene.mood] : plain;
	const isDark = feeling.isDark ?? (scene.time === 'night' || scene.time === 'dusk');
	const { colours, ...others } = coloursOf(view, feeling, isDark);
	const { top, bottom, spark } = others;
	const palette = {
		...others,
		...Object.fromEntries(colours.map((colour, index) => [`colour${index + 1}`, colour])),
		any: colours,
		tile: [...colours, top, top, spark],
		ink: isDark ? '#f5efe2' : '#2a2338',
		shade: isDark ? '#0c0a1e' : '#2b1d3e',
		drop: isDark ? '#fff6dc' : spark,
	};
	// Rings are about it.
	const luminary = {
		at: [width * chance.pick([0.1, 0.5, 0.9]), height * chance.pick([0.94, 0.62, 1.02])],
		radius: Math.hypot(width, height),
	} as const;
	const tags = new Set(isDark ? ['dark'] : []);
	const order = seeded(scene.seed).fork('abstract').shuffled(compositions);
	const layers = order[scene.variation % order.length]!;
	return {
		back: paintLayers({ ...view, horizon: height, luminary, tags, palette }, layers),
		footing: (depth) => height * (0.86 - depth * 0.3),
		shadow: mix(bottom, '#1b1530', 0.5),
	};
}
