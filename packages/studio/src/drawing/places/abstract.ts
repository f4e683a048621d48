/** Compositions without things: colours and shapes by mood, time and tint. Every variation is another composition. */
import type { Mood, Time } from '../../scene/names.ts';
import { type Hex, lch, mix, toLch } from '../tools/colour.ts';
import type { Land } from '../tools/frame.ts';
import { seeded } from '../tools/random.ts';
import table from './abstract.json' with { type: 'json' };
import { type Layer, paintLayers, type View } from './layers.ts';

/** Hues are drawn from `hue`, and spread over `spread` degrees; without a hue, from those of the time. */
interface Feeling {
	readonly hue?: readonly [number, number];
	readonly spread: number;
	readonly chroma: number;
	readonly isDark?: boolean;
}

const { plain, moods, hues, compositions } = table as unknown as {
	plain: Feeling;
	moods: Readonly<Record<Mood, Feeling>>;
	hues: Readonly<Record<Time, readonly [number, number]>>;
	compositions: readonly (readonly Layer[])[];
};

/** `colours` are neighbours that go well with each other; `spark` stands out from all of them. */
interface Palette {
	readonly top: Hex;
	readonly bottom: Hex;
	readonly colours: readonly [Hex, Hex, Hex, Hex, Hex];
	readonly spark: Hex;
}

function coloursOf({ scene, chance }: View, { hue: own, spread, chroma }: Feeling, isDark: boolean): Palette {
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

export function abstract(view: View): Omit<Land, 'over'> {
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
