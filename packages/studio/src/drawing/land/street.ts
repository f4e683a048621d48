import { type Hex, lch, mix } from '../colour.ts';
import { type Frame, type Land, shaded } from '../frame.ts';
import { glow } from '../glow.ts';
import { lit } from '../light.ts';
import type { Random } from '../random.ts';
import { box, fill, group, line, polygon, round, stop } from '../svg.ts';
import { lamp, skyline } from './city.ts';

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
	const paint = shaded(frame, road, [light.glow, 0.45], 0.5, 0.25);
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
			frame.definitions.linear([stop(0, wall), stop(1, mix(wall, frame.light.deep, 0.4))]),
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
