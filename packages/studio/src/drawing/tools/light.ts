/** The light of a time of day: what the sky, the air and every surface get their colours from. */

import type { Time, Weather } from '../../scene/names.ts';
import type { Scene } from '../../scene/scene.ts';
import type { Tone } from '../subjects/figures.ts';
import { adjust, type Hex, lch, mix, toLch, under } from './colour.ts';
import table from './light.json' with { type: 'json' };
import type { Random } from './random.ts';

export interface Light {
	readonly time: Time;
	/** Zenith, upper sky, lower sky, horizon. */
	readonly sky: readonly [Hex, Hex, Hex, Hex];
	readonly disc: Hex;
	readonly glow: Hex;
	/** The colour that distant things fade into. */
	readonly haze: Hex;
	/** The colour of the light that falls on things: white leaves them as they are. */
	readonly ambient: Hex;
	/** The colour of near, unlit things. */
	readonly deep: Hex;
	readonly luminary: 'sun' | 'moon';
	/** Height of the luminary over the horizon, as a share of the sky. */
	readonly altitude: readonly [low: number, high: number];
	/** 0 none, 1 all of them. */
	readonly stars: number;
	/** Brightness of lamps and windows, 0–1. */
	readonly lamps: number;
}

type Sky = Light['sky'];

/** Skies to choose from and the rest of the light by time of day, and how far each weather darkens it (0–1). */
const { skies, rest, gloom } = table as unknown as {
	skies: Record<Time, readonly [Sky, ...Sky[]]>;
	rest: Record<Time, Pick<Light, 'disc' | 'ambient' | 'luminary' | 'altitude' | 'stars' | 'lamps'>>;
	gloom: Readonly<Partial<Record<Weather, number>>>;
};

export function lightOf(scene: Scene, random: Random): Light {
	const { time } = scene;
	const turn = random.between(-8, 8);
	const overcast = Math.max(0, ...scene.weather.map((weather) => gloom[weather] ?? 0));
	const bright = { dawn: 0.78, day: 0.8, golden: 0.74, sunset: 0.55, dusk: 0.4, night: 0.28 }[time];
	const tinted = (colour: Hex, height: number): Hex => {
		const turned = adjust(colour, { h: turn, c: scene.mood === 'eerie' || scene.mood === 'lonely' ? 0.72 : 1 });
		const cloud = lch(
			bright - height * (scene.weather.includes('storm') ? 0.3 : 0.1),
			0.035,
			toLch(turned).h * 0.3 + 170,
		);
		return mix(mix(turned, cloud, overcast), scene.tint ?? turned, scene.tint ? 0.34 : 0);
	};
	const [zenith, upper, lower, horizon] = random.pick(skies[time]);
	const sky: Sky = [tinted(zenith, 1), tinted(upper, 0.7), tinted(lower, 0.35), tinted(horizon, 0)];
	const { ambient, ...others } = rest[time];
	return {
		...others,
		time,
		sky,
		glow: mix(sky[3], '#fff4d0', 0.45),
		haze: mix(sky[3], sky[2], 0.4),
		ambient: mix(ambient, '#aab4c8', overcast * 0.6),
		deep: adjust(mix(sky[0], '#0b1026', 0.62), { c: 1.15 }),
		stars: others.stars * (1 - Math.min(1, overcast * 1.8)),
	};
}

/** The light for what shines by itself, or has its colours already. */
export const unlit = (light: Light): Light => ({ ...light, ambient: '#ffffff' });

/** The colour of a surface in this light; `depth` is 0 beside the viewer, 1 at the horizon. */
export function lit(light: Light, colour: Hex, depth = 0): Hex {
	return mix(under(colour, light.ambient), light.haze, Math.min(0.93, depth ** 0.85 * 0.9));
}

type Colours = { base: Hex; accent?: Hex | undefined; skin?: Hex; hair?: Hex };

const LAMP: Hex = '#ffdf9f';

/** Returns the colour of each tone in a light; `depth` 0 is beside the viewer, 1 at the horizon. */
export function tonesOf(light: Light, { base, accent: second, skin, hair }: Colours, depth: number) {
	const { l } = toLch(base);
	const accent = second ?? adjust(base, { l: l > 0.5 ? -0.25 : 0.25, h: 40 });
	const local: Partial<Record<Tone, Hex>> = {
		base,
		shade: adjust(base, { l: -0.09 * (0.5 + l), c: 1.02, h: -6 }),
		deep: mix(adjust(base, { l: -0.22, h: -10 }), '#2b1d2e', 0.5),
		light: adjust(base, { l: (1 - l) * 0.28, h: 5 }),
		pale: mix(adjust(base, { l: (1 - l) * 0.6, c: 0.4 }), '#fff6ea', 0.72),
		accent,
		accentShade: adjust(accent, { l: -0.09, h: -6 }),
		ink: '#2a2030',
		white: '#fffaf2',
		skin,
		hair,
	};
	return (tone: Tone): Hex =>
		tone === 'glow'
			? mix(lit(light, LAMP, depth), LAMP, Math.max(0.35, light.lamps))
			: lit(light, local[tone] ?? (tone as Hex), depth);
}
