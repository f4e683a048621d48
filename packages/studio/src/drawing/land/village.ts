/** Cottages on hills. */
import { type Hex, mix } from '../colour.ts';
import { type Frame, ground, hills, type Land, misty, shaded } from '../frame.ts';
import { glow } from '../glow.ts';
import { lit } from '../light.ts';
import type { Random } from '../random.ts';
import { box, fill, polygon } from '../svg.ts';
import { lamp } from './city.ts';
import { greens, tufts, wood } from './flora.ts';
import { peaks } from './peaks.ts';

export function village(frame: Frame): Land {
	const { horizon, height, light, width } = frame;
	const random = frame.random.fork('village');
	const palette = greens(frame);
	const deep = height - horizon;
	const rows = [0.04, 0.14].map((at, index) => {
		const ridge = hills(random, horizon + deep * at, 26, 620);
		const homes: string[] = [];
		const spacing = 120 + index * 70;
		for (let x = random.between(0, spacing); x < width; x += spacing * random.between(0.7, 1.5))
			homes.push(cottage(frame, x, ridge(x) + 14, 60 + index * 42, 0.62 - index * 0.3, random));
		return (
			wood(frame, { ridge, depth: 0.62 - index * 0.26, height: 110 + index * 50, spacing: 130, random }) +
			ground(frame, ridge, misty(frame, palette.ground, 0.6 - index * 0.26)) +
			homes.join('')
		);
	});
	const stage = hills(random, horizon + deep * 0.34, 16, 900);
	const near = lit(light, palette.ground, 0.1);
	const edge = hills(random, height - deep * 0.04, 14, 700);
	return {
		back:
			peaks(frame, {
				base: horizon + 40,
				height: Math.min(horizon * 0.5, 380),
				width: 560,
				depth: 0.86,
				colour: palette.rock,
				snow: 0.3,
				random,
			}) +
			rows.join('') +
			ground(frame, stage, shaded(frame, near, [light.glow, 0.2], 0.4, 0.4)) +
			tufts(frame, stage, random, mix(near, light.deep, 0.4), palette.flower),
		front: ground(frame, edge, mix(near, light.deep, 0.6)),
		footing: (x, depth) => stage(x) + (height - stage(x)) * (0.52 - depth * 0.44),
		shadow: mix(near, light.deep, 0.6),
	};
}

function cottage(frame: Frame, x: number, y: number, size: number, depth: number, random: Random): string {
	const w = size * random.between(0.9, 1.5);
	const wall = lit(frame.light, random.pick<Hex>(['#f2e3c6', '#e8c9a0', '#d9d5cf', '#e6b59a']), depth);
	const tile = lit(
		frame.light,
		frame.scene.season === 'winter' ? '#f2f6fc' : random.pick<Hex>(['#b5483c', '#8a4a45', '#5f6a80', '#a8653a']),
		depth,
	);
	const shade = mix(wall, frame.light.deep, 0.25);
	const pane = mix(wall, lamp, 0.25 + frame.light.lamps * 0.75);
	return (
		fill(box(x + w * 0.66, y - size * 1.32, size * 0.14, size * 0.4), shade) +
		fill(box(x, y - size * 0.62, w, size * 0.66), wall) +
		fill(box(x + w * 0.62, y - size * 0.62, w * 0.38, size * 0.66), shade) +
		fill(
			polygon([
				[x - size * 0.1, y - size * 0.58],
				[x + w * 0.24, y - size * 1.16],
				[x + w * 0.78, y - size * 1.16],
				[x + w + size * 0.1, y - size * 0.58],
			]),
			tile,
		) +
		(frame.light.lamps > 0.5 ? glow(frame, [x + w * 0.3, y - size * 0.3], size * 0.8, lamp, 0.4) : '') +
		fill(
			box(x + w * 0.16, y - size * 0.42, size * 0.22, size * 0.24, 2) +
				box(x + w * 0.7, y - size * 0.42, size * 0.18, size * 0.24, 2),
			frame.light.lamps > 0.2 ? pane : mix(wall, frame.light.deep, 0.55),
		)
	);
}
