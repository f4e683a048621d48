/** Sea and beach: a level that floats boats and mirrors the sky. */

import { prop } from '../props/props.ts';
import { type Hex, mix } from '../tools/colour.ts';
import { type Frame, ground, hills, type Land, scattered, shaded } from '../tools/frame.ts';
import { lit } from '../tools/light.ts';
import type { Random } from '../tools/random.ts';
import { box, fill, line, oval, type Point, path, polygon } from '../tools/svg.ts';
import { peaks, type View, viewOf } from './layers.ts';

const DEEP_SEA: Hex = '#1f7f9a';

/** Water from `top` down: the sky upside down, short strokes of light, and the path of the luminary. */
export function waters(view: View, top: number): string {
	const { light, width, height, luminary, scene, chance, definitions } = view;
	const body = lit(light, DEEP_SEA, 0.08);
	const paint = definitions.linear([
		[0, mix(light.sky[3], body, 0.22)],
		[0.18, mix(light.sky[2], body, 0.5)],
		[0.55, mix(light.sky[1], body, 0.68)],
		[1, mix(mix(light.sky[0], body, 0.6), light.deep, 0.45)],
	]);
	const strokes = scattered(view, view.chance, 150, [0, 1], (x, _, down) => {
		const at = down ** 1.7;
		return box(x, top + 4 + at * (height - top), 14 + at * 130 * chance.between(0.5, 1.2), 1.6 + at * 5, 3);
	});
	let gleams = '';
	for (let y = top + 3; y < height; y += 5 + (y - top) * 0.035) {
		const down = (y - top) / (height - top);
		const spread = luminary.radius * (0.5 + down * 1.9);
		for (let stroke = 0; stroke < 3; stroke++) {
			const long = spread * chance.between(0.2, 0.9);
			gleams += box(luminary.at[0] + chance.between(-spread, spread) - long / 2, y, long, 1.5 + down * 6, 4);
		}
	}
	const isDim = scene.weather.some((weather) => weather === 'storm' || weather === 'rain' || weather === 'fog');
	const shine = (light.luminary === 'sun' ? 0.75 : 0.5) * (isDim ? 0.3 : 1);
	return (
		fill(box(0, top, width, height - top), paint) +
		fill(strokes, mix(light.sky[2], '#ffffff', 0.25), 0.3) +
		fill(gleams, mix(light.disc, light.glow, 0.3), shine)
	);
}

/** One swell of the sea with a lit crest; stormy ones stand high. */
function swell(view: View, y: number, swing: number, depth: number): string {
	const { light, width, height, chance } = view;
	const length = 240 + (1 - depth) * 260;
	const start = chance.between(0, length) - 2 * length;
	let crest = path`M${start} ${y}`;
	for (let x = start; x < width + length; x += length)
		crest +=
			path`Q${x + length * 0.3} ${y + swing * 0.5} ${x + length * 0.62} ${y - swing * 0.6}` +
			path`Q${x + length * 0.74} ${y - swing * 1.05} ${x + length * 0.8} ${y - swing * 0.5}` +
			path`Q${x + length * 0.84} ${y + swing * 0.1} ${x + length} ${y + swing * 0.3}`;
	const colour = mix(mix(light.sky[1], lit(light, DEEP_SEA), 0.7), light.deep, 0.12 + (1 - depth) * 0.4);
	return (
		fill(crest + path`V${height + 20}H${start}Z`, shaded(view, colour, [light.glow, 0.24], 0.5, 0.25)) +
		line(crest, mix(light.disc, colour, 0.35), 2 + (1 - depth) * 3, 0.7)
	);
}

export function sea(frame: Frame): Land {
	const view = viewOf(frame, 'sea');
	const { horizon, height, light, scene, chance, y } = view;
	const { weather } = scene;
	const rough = weather.includes('storm') ? 2.6 : weather.includes('wind') || weather.includes('rain') ? 1.5 : 0.7;
	const coast = chance.chance(0.6) && rough < 2 ? peaks(view, horizon + 6, 100, 0.86, false, '#6f86a0') : '';
	const level = y(0.42);
	const far = [0.1, 0.2, 0.31].map((at, index) => swell(view, y(at), (5 + index * 4) * rough, 0.8 - index * 0.2));
	return {
		back: coast + waters(view, horizon) + (rough > 1 ? far.join('') : ''),
		front: swell(view, level + 16, 15 * rough, 0.3) + swell(view, y(0.74), 22 * rough, 0),
		footing: (_, depth) => level + 8 - depth * (height - horizon) * 0.12,
		water: level,
		stand: (x, y, wide) => rock(frame, x, y, wide, chance.fork(`rock ${Math.round(x)}`)),
		shadow: mix(lit(light, DEEP_SEA), light.deep, 0.5),
	};
}

/** A rock to stand on, where something must stand in the sea. */
function rock(frame: Frame, x: number, y: number, wide: number, random: Random): string {
	const { light } = frame;
	const lower = y + wide * 0.6;
	const rim = [-1, -0.8, -0.6, -0.4, -0.2, 0, 0.2, 0.4, 0.6, 0.8, 1].map((at): Point => {
		const rough = random.between(-6, 6) * (Math.abs(at) > 0.5 ? 1 : 0.2);
		return [x + at * wide, y + Math.abs(at) ** 2.2 * wide * 0.36 + rough];
	});
	const side = frame.luminary.at[0] > x ? -1 : 1;
	const shade = rim.filter(([px]) => Math.sign(px - x) === side);
	const corner = (at: number): Point => [x + at * wide, lower];
	const foam =
		oval(x - wide * 0.7, lower - wide * 0.24, wide * 0.4, 7) +
		oval(x + wide * 0.75, lower - wide * 0.2, wide * 0.45, 7);
	return (
		fill(
			polygon([...rim, corner(1.12), corner(-1.12)]),
			shaded(frame, lit(light, '#5d5a6b', 0.05), [light.glow, 0.25], 0.55),
		) +
		fill(polygon([...shade, corner(side * 1.12), corner(side * 0.25)]), light.deep, 0.28) +
		fill(foam, mix(light.disc, light.sky[2], 0.3), 0.65)
	);
}

export function beach(frame: Frame): Land {
	const view = viewOf(frame, 'beach');
	const { horizon, height, width, light, chance, y } = view;
	const isle = chance.chance(0.7) ? peaks(view, horizon + 4, 100, 0.8, false, '#5f8f86') : '';
	const shore = hills(chance, y(0.36), 16, 900);
	const sand = lit(light, '#f0d6a2', 0.06);
	const palms = ([-0.02, 0.09, 1.02] as const).slice(0, chance.chance(0.5) ? 3 : 1).map((x, index) =>
		prop(view, 'palmTree', {
			at: [width * x, height * (0.95 + chance.between(-0.04, 0.04))],
			height: Math.min([640, 470, 560][index]!, height * 0.7),
			colour: mix('#2f8a5a', light.deep, 0.3),
			accent: mix('#8a6040', light.deep, 0.35),
		}),
	);
	const shells = scattered(view, view.chance, 60, [y(0.5), height], (x, y) =>
		oval(x, y, chance.between(2, 6), chance.between(1.5, 3.5)),
	);
	return {
		back:
			isle +
			waters(view, horizon) +
			ground(view, (x) => shore(x) - 12, mix(lit(light, '#ffffff'), light.sky[2], 0.2)) +
			ground(view, (x) => shore(x) - 3, mix(sand, light.deep, 0.16)) +
			ground(view, shore, shaded(view, sand, ['#ffffff', 0.25], 0.36, 0.3)) +
			fill(shells, mix(sand, light.deep, 0.3), 0.6),
		front: palms.join(''),
		footing: (x, depth) => shore(x) + (height - shore(x)) * (0.52 - depth * 0.42),
		water: y(0.22),
		shadow: mix(sand, light.deep, 0.5),
	};
}
