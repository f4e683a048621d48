/** The light of a time of day: what the sky, the air and every surface get their colours from. */

import type { Time, Weather } from '../scene/names.ts';
import type { Scene } from '../scene/scene.ts';
import { adjust, type Hex, lch, mix, toLch, under } from './colour.ts';
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

const skies: Record<Time, readonly [Sky, ...Sky[]]> = {
	dawn: [
		['#6d86bd', '#b9a9d3', '#f6c6c4', '#ffe7c6'],
		['#5f9ab0', '#a9cfd0', '#f8d9c4', '#fff0d2'],
		['#8a7fc0', '#d9a5c9', '#fbc3b4', '#ffe3b8'],
	],
	day: [
		['#3f9bc8', '#7fc4d9', '#c9e8e2', '#fdf4dc'],
		['#2f7fc4', '#6fb3e4', '#b5dcf2', '#eef7f4'],
		['#58bdb9', '#93d9c8', '#d4efd8', '#fff6d6'],
		['#5a93d8', '#98bdea', '#d3def5', '#fdeee4'],
	],
	golden: [
		['#5f9ea8', '#b9c79c', '#f6d488', '#fff0bd'],
		['#e88d4f', '#f5b362', '#fbd58a', '#fff0c0'],
		['#7c9cc4', '#d8bfae', '#fbcf8b', '#ffeab0'],
	],
	sunset: [
		['#3a2c72', '#9a3f86', '#f0685f', '#ffc46e'],
		['#1f4a7c', '#77659f', '#f08f72', '#ffd993'],
		['#b23a48', '#e8643c', '#f9a84d', '#ffe08c'],
		['#43317f', '#c4478b', '#ff7b6b', '#ffcf8a'],
		['#23586f', '#5f9a93', '#f2b36f', '#ffdf9c'],
	],
	dusk: [
		['#1b2558', '#4b4288', '#a5638f', '#f3a38b'],
		['#20305c', '#3f5c86', '#8a84a8', '#f0b9a0'],
		['#2a1d52', '#5f3a84', '#b8578f', '#ff9d8a'],
	],
	night: [
		['#0a1433', '#132b57', '#245480', '#5b93ab'],
		['#130f38', '#2a2062', '#55388c', '#a267ab'],
		['#061b28', '#0d3a4a', '#1d636d', '#6aa898'],
		['#0d1030', '#1b2a5e', '#3a4a90', '#8a83c0'],
	],
};

type Rest = Pick<Light, 'disc' | 'ambient' | 'luminary' | 'altitude' | 'stars' | 'lamps'>;

const rest: Record<Time, Rest> = {
	dawn: { disc: '#fff3d8', ambient: '#ffeae4', luminary: 'sun', altitude: [0.08, 0.3], stars: 0.08, lamps: 0.4 },
	day: { disc: '#fffbe8', ambient: '#ffffff', luminary: 'sun', altitude: [0.5, 0.78], stars: 0, lamps: 0 },
	golden: { disc: '#fffbe0', ambient: '#fff0d2', luminary: 'sun', altitude: [0.2, 0.45], stars: 0, lamps: 0.3 },
	sunset: { disc: '#fff0b8', ambient: '#ffd6c0', luminary: 'sun', altitude: [0.04, 0.26], stars: 0.12, lamps: 0.7 },
	dusk: { disc: '#fdeee0', ambient: '#c9b8e0', luminary: 'moon', altitude: [0.4, 0.75], stars: 0.5, lamps: 0.95 },
	night: { disc: '#fdf8e6', ambient: '#8fa4dc', luminary: 'moon', altitude: [0.45, 0.8], stars: 1, lamps: 1 },
};

const gloom: Readonly<Partial<Record<Weather, number>>> = { storm: 0.62, rain: 0.4, fog: 0.42, snow: 0.2, cloudy: 0.3 };

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

/** The colour of a surface in this light; `depth` is 0 beside the viewer, 1 at the horizon. */
export function lit(light: Light, colour: Hex, depth = 0): Hex {
	return mix(under(colour, light.ambient), light.haze, Math.min(0.93, depth ** 0.85 * 0.9));
}
