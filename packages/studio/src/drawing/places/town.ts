/** Skylines, and a street between house fronts. */

import { prop } from '../props/props.ts';
import { type Hex, lch, mix } from '../tools/colour.ts';
import { type Frame, glow, type Land, scattered, shaded } from '../tools/frame.ts';
import { lit, unlit } from '../tools/light.ts';
import { box, fill, group, line, path, polygon, round } from '../tools/svg.ts';
import { row, type View, viewOf } from './layers.ts';

const WALLS: [Hex, ...Hex[]] = ['#5f6c98', '#75689a', '#4f7488', '#86627c'];

/** A row of towers, all of one colour. */
function skyline(view: View, base: number, tall: number, depth: number, colour: Hex): string {
	const of = ['block', 'slab', 'spire', 'block'] as const;
	return row(view, () => base, { of, tall, spacing: tall * 0.34, depth, wide: [0.36, 0.56], colour });
}

export function city(frame: Frame): Land {
	const view = viewOf(frame, 'city');
	const { chance, horizon, height, width, light, y } = view;
	const rise = Math.min(1.25, horizon / 600);
	const pavement = lit(light, '#8f94a8', 0.05);
	// The farthest first.
	const rows = [
		[0.05, 330, 0.8],
		[0.16, 270, 0.46],
		[0.35, 210, 0.08],
	] as const;
	let tiles = '';
	for (let index = 1; index < 6; index++) tiles += path`M0 ${y(0.34 + 0.66 * (index / 6) ** 1.6)}H${width}`;
	for (let x = -10; x <= 10; x++) tiles += path`M${width / 2 + x * 60} ${y(0.34)}L${width / 2 + x * 240} ${height}`;
	return {
		back:
			rows.map(([at, tall, depth]) => skyline(view, y(at), tall * rise, depth, chance.pick(WALLS))).join('') +
			fill(box(0, y(0.34), width, height), shaded(view, pavement, [light.glow, 0.3], 0.5)) +
			line(tiles, mix(pavement, light.deep, 0.5), 2.4, 0.35),
		footing: (_, depth) => y(0.76 - depth * 0.36),
		shadow: mix(pavement, light.deep, 0.7),
	};
}

const STEPS = [1, 2, 3, 4, 5].map((step) => (step / 5) ** 1.5);

/** House fronts that recede on both sides of a road, with signs, and all of it once more in the wet ground. */
export function street(frame: Frame): Land {
	const view = viewOf(frame, 'street');
	const { height, width, light, scene, y, definitions } = view;
	const isNeon = scene.style === 'neon';
	const isWet = isNeon || scene.weather.includes('rain') || scene.weather.includes('storm');
	const [middle, broad] = [width / 2, Math.min(width, 1500) * 0.5];
	const fronts = STEPS.map((near, step) => {
		const inner = 50 + near * (broad - 110);
		const outer = step === 4 ? middle + 10 : 230 + (STEPS[step + 1] ?? 1) * (broad - 60);
		return [-1, 1]
			.map((side) => front(view, side, [middle + side * inner, middle + side * outer], near, isNeon))
			.join('');
	});
	const houses = skyline(view, y(0.08), 260, 0.86, '#7a86a8') + fronts.join('');
	const road = mix(lit(light, '#6a6c80', 0.04), light.deep, isNeon ? 0.6 : 0.15);
	const base = y(0.05);
	const kerb = (side: number): [number, number][] => [
		[middle + side * 56, base],
		[middle + side * (broad - 40), y(0.4)],
		[middle + side * (middle + 10), y(0.4)],
		[middle + side * (middle + 10), height],
	];
	const clip = definitions.add(
		(id) => `<clipPath id="${id}"><path d="${polygon([...kerb(1), ...kerb(-1).reverse()])}"/></clipPath>`,
	);
	const mirror = group(
		houses,
		`transform="translate(0 ${round(base + y(0.21))})scale(1 -1)" opacity="${isNeon ? 0.42 : 0.24}"`,
	);
	const dashes = [0.12, 0.2, 0.32, 0.5, 0.76].map((at) => {
		const [from, to, near, far] = [y(at), y(at * 1.22), 3 + at * 10, 4 + at * 15];
		return path`M${middle - near} ${from}H${middle + near}L${middle + far} ${to}H${middle - far}Z`;
	});
	const streaks = scattered(view, view.chance, 60, [y(0.1), height], (x, y, down) =>
		box(x, y, 60 + 180 * down, 2 + down * 4, 2),
	);
	const ground = fill(box(0, base, width, height - base), shaded(view, road, [light.glow, 0.45], 0.5, 0.25));
	return {
		back:
			houses +
			group(ground + (isWet ? mirror : ''), `clip-path="url(#${clip})"`) +
			fill(dashes.join(''), mix(road, '#fff2d0', 0.5), isWet ? 0.35 : 0.75) +
			(isWet ? fill(streaks, road, 0.5) : ''),
		footing: (_, depth) => y(0.74 - depth * 0.36),
		shadow: mix(road, light.deep, 0.8),
	};
}

/** One house and its signs; `near` is 1 beside the viewer. */
function front(
	view: View,
	side: number,
	[inner, outer]: readonly [number, number],
	near: number,
	isNeon: boolean,
): string {
	const { chance, horizon, light, y } = view;
	const top = Math.max(-40, horizon - (170 + near * chance.between(420, 760)));
	const foot = y(0.06 + near * 0.34);
	const walls: [Hex, ...Hex[]] = isNeon
		? ['#453f86', '#3a4f92', '#5c3a86']
		: ['#b5705a', '#c9a27a', '#7f93a8', '#a8849a', '#8fa58a'];
	const awnings: [Hex, ...Hex[]] = isNeon
		? ['#e05ab0', '#3fb0d9', '#8f5ae0']
		: ['#c8483f', '#3f8a7a', '#d9a03f', '#4a6fb0'];
	const own = isNeon ? unlit(light) : light;
	const [height, width, depth] = [foot - top, Math.abs(outer - inner), 0.72 * (1 - near)];
	const look = { colour: chance.pick(walls), accent: chance.pick(awnings), light: own, depth };
	const house = prop(view, 'front', { at: [(inner + outer) / 2, foot], height, width, ...look });
	const signs = Array.from({ length: near < 0.2 ? 0 : isNeon ? 3 : 1 }, () => {
		const bright = isNeon
			? lch(0.76, 0.24, chance.pick([330, 200, 285, 150, 30, 350]))
			: lch(0.6, 0.13, chance.pick([30, 150, 250]));
		const [w, h] = [(20 + 34 * near) * chance.between(0.8, 1.3), (60 + 130 * near) * chance.between(0.5, 1.2)];
		const at = [inner - side * (w / 2 - 4), chance.between(Math.max(20, top + 30) + h, foot - 90 * near - 30)] as const;
		const [colour, accent] = isNeon ? [mix(bright, '#120a2a', 0.74), bright] : [bright, mix(bright, '#ffffff', 0.7)];
		const halo = isNeon ? glow(view, [at[0], at[1] - h / 2], h * 1.1, bright, 0.42) : '';
		return halo + prop(view, 'sign', { at, height: h, width: w, colour, accent, light: own });
	});
	return house + signs.join('');
}
