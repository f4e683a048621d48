/** Desert, and the surfaces of moons. */

import { prop } from '../props/props.ts';
import { adjust, type Hex, mix } from '../tools/colour.ts';
import { type Frame, glow, ground, hills, type Land, scattered, shaded } from '../tools/frame.ts';
import { lit, unlit } from '../tools/light.ts';
import { fill, oval } from '../tools/svg.ts';
import { row, type View, viewOf } from './layers.ts';

/** Sand with a few crests that part a bright side from a dark one. */
function dunes(view: View, at: number, tall: number, depth: number, sand: Hex): string {
	const { chance, light, y } = view;
	const ridge = hills(chance, y(at), tall * 0.16, 820 - depth * 300);
	const top = lit(light, sand, depth);
	const paint = shaded(view, top, [light.glow, 0.3], 0.3, 0.3);
	const own = { of: ['dune'], tall, spacing: tall * 5, depth, wide: [4, 6], colour: sand } as const;
	const crests = row(view, (x) => ridge(x) + tall * 0.2, own);
	return crests + ground(view, ridge, paint);
}

export function desert(frame: Frame): Land {
	const view = viewOf(frame, 'desert');
	const { chance, horizon, height, light, y } = view;
	const sand: Hex = chance.pick(['#e3a35c', '#e0b070', '#d98f58']);
	const mesas = (tall: number, depth: number, colour: Hex) =>
		row(view, () => horizon + 30, { of: ['mesa'], tall, spacing: tall * 2.4, depth, wide: [1, 1.9], colour });
	const stage = (x: number) => y(0.34) + Math.sin(x / 230) * 4;
	const cactus = mix('#5f8a58', light.deep, 0.25);
	return {
		back:
			mesas(170, 0.84, '#b5694f') +
			mesas(210, 0.64, '#b05a42') +
			dunes(view, 0.05, 70, 0.62, sand) +
			row(view, () => y(0.12), { of: ['cactus'], tall: 90, spacing: 170, depth: 0.4, colour: cactus }) +
			dunes(view, 0.16, 90, 0.36, sand) +
			dunes(view, 0.3, 90, 0.12, sand),
		front: dunes(view, 0.94, 110, 0, adjust(sand, { l: -0.2 })),
		footing: (x, depth) => stage(x) + (height - horizon) * (0.34 - depth * 0.3),
		shadow: mix(lit(light, sand, 0.1), light.deep, 0.6),
	};
}

export function moonscape(frame: Frame): Land {
	const view = viewOf(frame, 'moonscape');
	const { chance, height, light, scene, y } = view;
	const soil = scene.tint ?? (scene.place === 'mars' ? '#c9603f' : chance.pick<Hex>(['#a9a6bd', '#8f86b8', '#b5a08f']));
	const layer = (at: number, swing: number, depth: number) => {
		const colour = mix(lit({ ...light, ambient: '#c5cbe8' }, soil, depth * 0.7), light.deep, 0.1);
		return ground(view, hills(chance, y(at), swing, 620), shaded(view, colour, ['#ffffff', 0.2], 0.5, 0.4));
	};
	let floors = '';
	const craters = scattered(view, view.chance, 16, [y(0.36), height], (x, y, down) => {
		const r = chance.between(16, 70) * (0.36 + down * 0.64);
		floors += oval(x, y + r * 0.07, r * 0.86, r * 0.2);
		return oval(x, y, r, r * 0.28);
	});
	return {
		back:
			planets(view) +
			layer(-0.04, 60, 0.8) +
			layer(0.12, 40, 0.4) +
			layer(0.28, 18, 0.1) +
			fill(craters, mix(soil, light.deep, 0.55), 0.75) +
			fill(floors, mix(soil, light.deep, 0.28), 0.8),
		footing: (_, depth) => y(0.68 - depth * 0.34),
		shadow: mix(soil, light.deep, 0.75),
	};
}

const WORLDS: readonly Hex[] = ['#e0935a', '#5fb0c8', '#c86a8f', '#8a7fd0', '#e8c27a'];

/** Worlds hanging in the dark, the first of them large. */
export function planets(view: View): string {
	const { chance, width, horizon, light } = view;
	return chance
		.shuffled(WORLDS)
		.slice(0, 3)
		.map((colour, index) => {
			const r = index === 0 ? chance.between(90, 170) : chance.between(16, 44);
			const x = (index > 0 ? chance.between(0.1, 0.9) : chance.chance(0.5) ? 0.2 : 0.8) * width;
			const y = horizon * chance.between(0.18, 0.6);
			const ringed = index === 0 && chance.chance(0.6);
			const height = ringed ? r * 2.6 : r * 2;
			const own = { at: [x, y + height / 2], height, colour, light: unlit(light) } as const;
			const world = prop(view, ringed ? 'planet' : 'world', own);
			return glow(view, [x, y], r * 1.9, colour, 0.35) + world;
		})
		.join('');
}
