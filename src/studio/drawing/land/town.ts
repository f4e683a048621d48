/** Skylines, streets and villages. */
import { type Hex, lch, mix } from '../colour.ts';
import { type Frame, ground, hills, type Land, misty } from '../frame.ts';
import { lit } from '../light.ts';
import type { Random } from '../random.ts';
import { glow } from '../sky.ts';
import { box, fill, group, line, polygon, round } from '../svg.ts';
import { greens, peaks, tufts, wood } from './country.ts';

const lamp: Hex = '#ffd98a';

interface Skyline {
	readonly base: number;
	readonly height: readonly [number, number];
	readonly depth: number;
	readonly colour: Hex;
	readonly width: readonly [number, number];
}

function skyline(frame: Frame, { base, height, depth, colour, width }: Skyline, random: Random): string {
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
		if (roof === 1)
			towers.push(
				polygon([
					[x, top],
					[x + w / 2, top - w * 0.7],
					[x + w, top],
				]),
			);
		if (roof === 2) towers.push(box(x + w * 0.46, top - w * 0.9, w * 0.06, w));
		if (roof === 3)
			towers.push(
				polygon([
					[x, top],
					[x + w, top - w * 0.4],
					[x + w, top],
				]),
			);
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
	return {
		back:
			skyline(
				frame,
				{
					base: horizon + 10,
					height: [150 * rise, 420 * rise],
					depth: 0.8,
					colour: random.pick(walls),
					width: [46, 110],
				},
				random,
			) +
			skyline(
				frame,
				{
					base: horizon + deep * 0.14,
					height: [110 * rise, 340 * rise],
					depth: 0.46,
					colour: random.pick(walls),
					width: [70, 140],
				},
				random,
			) +
			skyline(
				frame,
				{
					base: horizon + deep * 0.34,
					height: [90 * rise, 240 * rise],
					depth: 0.08,
					colour: random.pick(walls),
					width: [90, 180],
				},
				random,
			) +
			fill(
				plaza,
				frame.definitions.linear([
					[0, mix(stage, light.glow, 0.3)],
					[1, mix(stage, light.deep, 0.5)],
				]),
			) +
			line(tiles.join(''), mix(stage, light.deep, 0.5), 2.4, 0.35),
		front: '',
		footing: (_, depth) => horizon + deep * (0.76 - depth * 0.36),
		shadow: mix(stage, light.deep, 0.7),
	};
}

/** House fronts that recede on both sides of a road, with signs, and all of it once more in the wet ground. */
export function street(frame: Frame): Land {
	const { horizon, height, width, light, scene } = frame;
	const random = frame.random.fork('street');
	const deep = height - horizon;
	const neon = scene.style === 'neon';
	const wet = neon || scene.weather.includes('rain') || scene.weather.includes('storm');
	const middle = width / 2;
	const rows: string[] = [];
	const lights: string[] = [];
	const steps = 5;
	for (let step = 0; step < steps; step++) {
		const near = ((step + 1) / steps) ** 1.5;
		const depth = 0.72 * (1 - near);
		for (const side of [-1, 1]) {
			const inner = middle + side * (50 + near * (Math.min(width, 1500) * 0.5 - 110));
			const outer =
				step === steps - 1
					? side < 0
						? -10
						: width + 10
					: middle + side * (90 + ((step + 2) / steps) ** 1.5 * (Math.min(width, 1500) * 0.5 - 60) + 140);
			const top = Math.max(-40, horizon - (170 + near * random.between(420, 760)));
			const foot = horizon + deep * (0.06 + near * 0.34);
			rows.push(front(frame, side < 0 ? outer : inner, side < 0 ? inner : outer, top, foot, depth, near, random));
			if (step > 0) lights.push(...signs(frame, inner, side, top, foot, near, neon, random));
		}
	}
	const houses =
		skyline(
			frame,
			{ base: horizon + deep * 0.08, height: [120, 330], depth: 0.86, colour: '#7a86a8', width: [40, 90] },
			random,
		) +
		rows.join('') +
		lights.join('');
	const road = mix(lit(light, '#6a6c80', 0.04), light.deep, neon ? 0.6 : 0.15);
	const paint = frame.definitions.linear([
		[0, mix(road, light.glow, 0.45)],
		[0.25, road],
		[1, mix(road, light.deep, 0.5)],
	]);
	const base = horizon + deep * 0.05;
	const mirror = wet
		? group(
				houses,
				`transform="translate(0 ${round(base * 2 + deep * 0.16)})scale(1 -1)" opacity="${neon ? 0.42 : 0.24}"`,
			)
		: '';
	const clip = frame.definitions.add(
		(id) =>
			`<clipPath id="${id}"><path d="${polygon([
				[middle - 56, base],
				[middle + 56, base],
				[middle + Math.min(width, 1500) * 0.5 - 40, horizon + deep * 0.4],
				[width + 10, horizon + deep * 0.4],
				[width + 10, height],
				[-10, height],
				[-10, horizon + deep * 0.4],
				[middle - Math.min(width, 1500) * 0.5 + 40, horizon + deep * 0.4],
			])}"/></clipPath>`,
	);
	const streaks: string[] = [];
	for (let index = 0; index < 60; index++) {
		const y = horizon + deep * random.between(0.1, 1);
		streaks.push(box(random.between(0, width), y, random.between(60, 240), 2 + ((y - horizon) / deep) * 4, 2));
	}
	const dashes = [0.12, 0.2, 0.32, 0.5, 0.76].map((at) =>
		polygon([
			[middle - 3 - at * 10, horizon + deep * at],
			[middle + 3 + at * 10, horizon + deep * at],
			[middle + 4 + at * 15, horizon + deep * at * 1.22],
			[middle - 4 - at * 15, horizon + deep * at * 1.22],
		]),
	);
	return {
		back:
			houses +
			fill(box(0, base, width, height - base), paint, 1).replace('<path', `<path clip-path="url(#${clip})"`) +
			group(mirror, `clip-path="url(#${clip})"`) +
			fill(dashes.join(''), mix(road, '#fff2d0', 0.5), wet ? 0.35 : 0.75) +
			(wet ? fill(streaks.join(''), road, 0.5) : ''),
		front: '',
		footing: (_, depth) => horizon + deep * (0.74 - depth * 0.36),
		shadow: mix(road, light.deep, 0.8),
	};
}

function front(
	frame: Frame,
	left: number,
	right: number,
	top: number,
	foot: number,
	depth: number,
	near: number,
	random: Random,
): string {
	const neon = frame.scene.style === 'neon';
	const colour: Hex = neon
		? random.pick(['#453f86', '#3a4f92', '#5c3a86'])
		: random.pick(['#b5705a', '#c9a27a', '#7f93a8', '#a8849a', '#8fa58a', '#d0b48a']);
	const wall = neon ? mix(colour, frame.light.haze, depth * 0.55) : lit(frame.light, colour, depth);
	const panes: string[] = [];
	const dark: string[] = [];
	const cell = 22 + near * 44;
	for (let y = top + cell * 0.7; y < foot - cell * 2; y += cell * 1.5)
		for (let x = left + cell * 0.5; x < right - cell * 0.7; x += cell * 1.15)
			(random.chance(0.16 + frame.light.lamps * 0.36) ? panes : dark).push(box(x, y, cell * 0.6, cell * 0.86, 2));
	const shop =
		frame.light.lamps > 0.2
			? fill(
					box(left + cell * 0.4, foot - cell * 1.5, right - left - cell * 0.8, cell * 1.25, 4),
					mix(wall, lamp, 0.3 + frame.light.lamps * 0.45),
					0.9,
				)
			: fill(
					box(left + cell * 0.4, foot - cell * 1.5, right - left - cell * 0.8, cell * 1.25, 4),
					mix(wall, frame.light.deep, 0.5),
					0.8,
				);
	const awning = fill(
		polygon([
			[left + cell * 0.2, foot - cell * 1.7],
			[right - cell * 0.2, foot - cell * 1.7],
			[right, foot - cell * 1.25],
			[left, foot - cell * 1.25],
		]),
		lit(frame.light, random.pick<Hex>(['#c8483f', '#3f8a7a', '#d9a03f', '#4a6fb0']), depth),
	);
	return (
		fill(
			box(left, top, right - left, foot - top),
			frame.definitions.linear([
				[0, wall],
				[1, mix(wall, frame.light.deep, 0.4)],
			]),
		) +
		fill(box(left, top, right - left, 10 + near * 8), mix(wall, frame.light.deep, 0.35)) +
		fill(dark.join(''), mix(wall, frame.light.deep, 0.5), 0.7) +
		fill(
			panes.join(''),
			mix(wall, neon ? lch(0.86, 0.12, random.pick([60, 200, 330])) : lamp, 0.3 + frame.light.lamps * 0.6),
			0.95,
		) +
		shop +
		awning
	);
}

function signs(
	frame: Frame,
	inner: number,
	side: number,
	top: number,
	foot: number,
	near: number,
	neon: boolean,
	random: Random,
): string[] {
	const drawn: string[] = [];
	for (let sign = 0; sign < (neon ? 3 : 1); sign++) {
		const hue = neon ? random.pick([330, 200, 285, 150, 30, 350]) : random.pick([30, 150, 250]);
		const colour = neon ? lch(0.76, 0.24, hue) : lit(frame.light, lch(0.66, 0.13, hue));
		const [w, h] = [(20 + 34 * near) * random.between(0.8, 1.3), (60 + 130 * near) * random.between(0.5, 1.2)];
		const x = side < 0 ? inner - 4 : inner - w + 4;
		const y = random.between(Math.max(20, top + 30), foot - h - 90 * near - 30);
		const bars: string[] = [];
		for (let at = y + w * 0.3; at < y + h - w * 0.4; at += w * 0.56)
			bars.push(
				box(x + w * 0.26, at, w * 0.48 * random.between(0.6, 1), w * 0.16, 2),
				box(x + w * 0.3, at + w * 0.24, w * 0.4, w * 0.1, 2),
			);
		drawn.push(
			(neon ? glow(frame, [x + w / 2, y + h / 2], h * 1.1, colour, 0.42) : '') +
				fill(box(x, y, w, h, 6), neon ? mix(colour, '#120a2a', 0.74) : colour) +
				line(box(x, y, w, h, 6), colour, 2 + near * 2) +
				fill(bars.join(''), neon ? mix(colour, '#ffffff', 0.45) : mix(colour, '#ffffff', 0.7)),
		);
	}
	return drawn;
}

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
			ground(
				frame,
				stage,
				frame.definitions.linear([
					[0, mix(near, light.glow, 0.2)],
					[0.4, near],
					[1, mix(near, light.deep, 0.4)],
				]),
			) +
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
