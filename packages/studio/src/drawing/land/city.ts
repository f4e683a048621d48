/** Skylines. */
import { type Hex, mix } from '../colour.ts';
import { type Frame, type Land, misty, shaded } from '../frame.ts';
import { lit } from '../light.ts';
import type { Random } from '../random.ts';
import { box, fill, line, path, round } from '../svg.ts';

export const lamp: Hex = '#ffd98a';

interface Skyline {
	readonly base: number;
	readonly height: readonly [number, number];
	readonly depth: number;
	readonly colour: Hex;
	readonly width: readonly [number, number];
}

export function skyline(frame: Frame, { base, height, depth, colour, width }: Skyline, random: Random): string {
	const towers: string[] = [];
	const shades: string[] = [];
	const panes: string[] = [];
	const dark: string[] = [];
	for (let x = -60; x < frame.width + 40; ) {
		const [w, tall] = [random.between(...width), random.between(...height)];
		const top = base - tall;
		const roof = random.whole(0, 4);
		towers.push(box(x, top, w, tall + 60));
		shades.push(box(x + w * 0.68, top, w * 0.32, tall + 60));
		if (roof === 0) towers.push(box(x + w * 0.2, top - w * 0.3, w * 0.6, w * 0.32));
		if (roof === 1) towers.push(path`M${x} ${top}L${x + w / 2} ${top - w * 0.7}L${x + w} ${top}Z`);
		if (roof === 2) towers.push(box(x + w * 0.46, top - w * 0.9, w * 0.06, w));
		if (roof === 3) towers.push(path`M${x} ${top}L${x + w} ${top - w * 0.4}L${x + w} ${top}Z`);
		const cell = Math.max(13, w / 6);
		for (let wy = top + cell; wy < base - cell; wy += cell * 1.35)
			for (let wx = x + cell * 0.55; wx < x + w - cell * 0.9; wx += cell)
				(random.chance(0.24 + frame.light.lamps * 0.3) ? panes : dark).push(box(wx, wy, cell * 0.5, cell * 0.72));
		x += w + random.between(-6, 16);
	}
	const body = lit(frame.light, colour, depth);
	const shine = mix(body, lamp, 0.2 + frame.light.lamps * 0.7);
	return (
		fill(towers.join(''), misty(frame, colour, depth, 0.6)) +
		fill(shades.join(''), mix(body, frame.light.deep, 0.3), 0.45) +
		(depth < 0.8 ? fill(dark.join(''), mix(body, frame.light.deep, 0.4), 0.4) + fill(panes.join(''), shine, 0.92) : '')
	);
}

const walls: readonly [Hex, ...Hex[]] = ['#5f6c98', '#75689a', '#4f7488', '#86627c'];

export function city(frame: Frame): Land {
	const { horizon, height, light } = frame;
	const random = frame.random.fork('city');
	const deep = height - horizon;
	const rise = Math.min(1.25, horizon / 600);
	const stage = lit(light, '#8f94a8', 0.05);
	const plaza = box(0, horizon + deep * 0.34, frame.width, deep);
	const tiles: string[] = [];
	for (let index = 1; index < 6; index++)
		tiles.push(`M0 ${round(horizon + deep * (0.34 + 0.66 * (index / 6) ** 1.6))}H${frame.width}`);
	for (let x = -10; x <= 10; x++)
		tiles.push(`M${frame.width / 2 + x * 60} ${round(horizon + deep * 0.34)}L${frame.width / 2 + x * 240} ${height}`);
	// The farthest first: where they stand, the range of their height and width, and their depth.
	const rows = [
		[10 / deep, [150, 420], [46, 110], 0.8],
		[0.14, [110, 340], [70, 140], 0.46],
		[0.34, [90, 240], [90, 180], 0.08],
	] as const;
	const houses = rows.map(([at, [low, high], width, depth]) => {
		const colour = random.pick(walls);
		return skyline(
			frame,
			{ base: horizon + deep * at, height: [low * rise, high * rise], depth, colour, width },
			random,
		);
	});
	return {
		back:
			houses.join('') +
			fill(plaza, shaded(frame, stage, [light.glow, 0.3], 0.5)) +
			line(tiles.join(''), mix(stage, light.deep, 0.5), 2.4, 0.35),
		front: '',
		footing: (_, depth) => horizon + deep * (0.76 - depth * 0.36),
		shadow: mix(stage, light.deep, 0.7),
	};
}
