/** Desert, and the surfaces of moons. */
import { adjust, type Hex, mix } from '../colour.ts';
import { type Frame, ground, hills, type Land, misty, shaded } from '../frame.ts';
import { glow } from '../glow.ts';
import { lit } from '../light.ts';
import type { Random } from '../random.ts';
import { disc, fill, oval, type Point, polygon, round, stop } from '../svg.ts';

function mesas(frame: Frame, base: number, depth: number, colour: Hex, random: Random): string {
	const shapes: string[] = [];
	const shades: string[] = [];
	for (let x = random.between(-150, 100); x < frame.width; x += random.between(240, 520)) {
		const [w, tall] = [random.between(70, 230), random.between(80, 230) * (1.1 - depth * 0.4)];
		const step = random.between(0.4, 0.7);
		const outline: Point[] = [
			[x - w * 0.3, base + 30],
			[x, base - tall * step],
			[x + w * 0.1, base - tall * step],
			[x + w * 0.14, base - tall],
			[x + w * 0.8, base - tall],
			[x + w * 0.84, base - tall * 0.5],
			[x + w, base - tall * 0.46],
			[x + w * 1.4, base + 30],
		];
		shapes.push(polygon(outline));
		shades.push(
			polygon([
				[x + w * 0.62, base - tall],
				[x + w * 0.8, base - tall],
				[x + w * 0.84, base - tall * 0.5],
				[x + w, base - tall * 0.46],
				[x + w * 1.4, base + 30],
				[x + w * 0.7, base + 30],
			]),
		);
	}
	const top = lit(frame.light, colour, depth);
	return (
		fill(shapes.join(''), misty(frame, colour, depth, 0.4)) +
		fill(shades.join(''), mix(top, frame.light.deep, 0.3), 0.6)
	);
}

/** A dune whose crest parts a bright windward from a dark lee side. */
function dune(frame: Frame, y: number, swing: number, depth: number, colour: Hex, random: Random): string {
	const ridge = hills(random, y, swing, 820 - depth * 300);
	const top = lit(frame.light, colour, depth);
	const body = ground(frame, ridge, shaded(frame, top, [frame.light.glow, 0.3], 0.3, 0.3));
	const lees: string[] = [];
	const crests: number[] = [];
	for (let x = -40; x < frame.width + 40; x += 20)
		if (ridge(x) < ridge(x - 20) && ridge(x) <= ridge(x + 20)) crests.push(x);
	for (const x of crests) {
		const s = frame.luminary.at[0] > x ? -1 : 1;
		const reach = 330 * (1.1 - depth * 0.5);
		const rim: string[] = [];
		for (let along = 0; along <= 1.001; along += 0.125)
			rim.push(`${round(x + s * along * reach)} ${round(ridge(x + s * along * reach))}`);
		const [tx, ty] = [x + s * reach, ridge(x + s * reach)];
		lees.push(
			`M${rim.join('L')}C${round(tx - s * reach * 0.3)} ${round(ty + swing * 0.8)} ${round(x + s * reach * 0.5)} ${round(ty + swing * 2)} ${round(x + s * reach * 0.34)} ${round(ty + swing * 3.4)}C${round(x + s * reach * 0.06)} ${round(ty + swing * 1.8)} ${round(x + s * reach * 0.16)} ${round(ridge(x) + swing)} ${round(x)} ${round(ridge(x))}Z`,
		);
	}
	const shade = mix(top, frame.light.deep, 0.5);
	return body + fill(lees.join(''), frame.definitions.linear([stop(0, shade, 0.62), stop(1, shade, 0)]));
}

export function desert(frame: Frame): Land {
	const { horizon, height, light, width } = frame;
	const random = frame.random.fork('desert');
	const deep = height - horizon;
	const sand: Hex = random.pick(['#e3a35c', '#e0b070', '#d98f58']);
	const cacti: string[] = [];
	for (let index = 0; index < 7 * (width / 1000); index++) {
		const [x, y, s] = [
			random.between(0, width),
			horizon + deep * random.between(0.06, 0.16),
			random.between(0.35, 0.7),
		];
		cacti.push(
			`M${round(x - 8 * s)} ${round(y)}v${-110 * s}q${8 * s} ${-14 * s} ${16 * s} 0v${110 * s}ZM${round(x - 34 * s)} ${round(y - 76 * s)}q0 ${-16 * s} ${12 * s} 0v${26 * s}h${22 * s}v${14 * s}h${-22 * s}q${-12 * s} 0 ${-12 * s} ${-14 * s}ZM${round(x + 34 * s)} ${round(y - 90 * s)}q0 ${-16 * s} ${-12 * s} 0v${26 * s}h${-22 * s}v${14 * s}h${22 * s}q${12 * s} 0 ${12 * s} ${-14 * s}Z`,
		);
	}
	const stage = (x: number) => horizon + deep * 0.34 + Math.sin(x / 230) * 4;
	return {
		back:
			mesas(frame, horizon + 20, 0.84, '#b5694f', random) +
			mesas(frame, horizon + 34, 0.64, '#b05a42', random) +
			dune(frame, horizon + deep * 0.03, 24, 0.62, sand, random) +
			fill(cacti.join(''), mix(lit(light, '#5f8a58', 0.4), light.deep, 0.25)) +
			dune(frame, horizon + deep * 0.14, 34, 0.36, sand, random) +
			dune(frame, horizon + deep * 0.28, 26, 0.12, sand, random),
		front: dune(frame, height - deep * 0.08, 30, 0, adjust(sand, { l: -0.2 }), random),
		footing: (x, depth) => stage(x) + deep * (0.34 - depth * 0.3),
		shadow: mix(lit(light, sand, 0.1), light.deep, 0.6),
	};
}

export function moonscape(frame: Frame): Land {
	const { horizon, height, light, width } = frame;
	const random = frame.random.fork('moonscape');
	const deep = height - horizon;
	const soil: Hex =
		frame.scene.tint ?? (frame.scene.place === 'mars' ? '#c9603f' : random.pick(['#a9a6bd', '#8f86b8', '#b5a08f']));
	const layer = (y: number, swing: number, depth: number) => {
		const colour = mix(lit({ ...light, ambient: '#c5cbe8' }, soil, depth * 0.7), light.deep, 0.1);
		return ground(frame, hills(random, y, swing, 620), shaded(frame, colour, ['#ffffff', 0.2], 0.5, 0.4));
	};
	const craters: string[] = [];
	for (let index = 0; index < 16 * (width / 1000); index++) {
		const down = random.between(0.36, 1);
		const [x, y, r] = [random.between(0, width), horizon + deep * down, random.between(16, 70) * down];
		craters.push(
			fill(oval(x, y, r, r * 0.28), mix(soil, light.deep, 0.55), 0.75) +
				fill(oval(x, y + r * 0.07, r * 0.86, r * 0.2), mix(soil, light.deep, 0.28), 0.8),
		);
	}
	return {
		back:
			planets(frame, random) +
			layer(horizon - 20, 60, 0.8) +
			layer(horizon + deep * 0.12, 40, 0.4) +
			layer(horizon + deep * 0.28, 18, 0.1) +
			craters.join(''),
		front: '',
		footing: (_, depth) => horizon + deep * (0.68 - depth * 0.34),
		shadow: mix(soil, light.deep, 0.75),
	};
}

/** Worlds hanging in the dark, one of them large. */
export function planets(frame: Frame, random: Random): string {
	const { width, horizon, light } = frame;
	const worlds: string[] = [];
	for (const [index, colour] of random
		.shuffled<Hex>(['#e0935a', '#5fb0c8', '#c86a8f', '#8a7fd0', '#e8c27a'])
		.slice(0, 3)
		.entries()) {
		const r = index === 0 ? random.between(90, 170) : random.between(16, 44);
		const [x, y] = [
			(index === 0 ? (random.chance(0.5) ? 0.2 : 0.8) : random.between(0.1, 0.9)) * width,
			horizon * random.between(0.18, 0.6),
		];
		const away = Math.sign(x - frame.luminary.at[0]) || 1;
		const bands = [-0.5, -0.1, 0.28].map((at) => oval(x, y + at * r, r * Math.sqrt(1 - at * at) * 0.98, r * 0.09));
		const ring = index === 0 && random.chance(0.6);
		const half = (sweep: number) =>
			`<path d="M${round(x - r * 1.9)} ${round(y + r * 0.3)}A${round(r * 1.95)} ${round(r * 0.42)} -9 0 ${sweep} ${round(x + r * 1.9)} ${round(y - r * 0.3)}" fill="none" stroke="${mix(colour, '#ffffff', 0.55)}" stroke-width="${round(r * 0.11)}" opacity="0.85"/>`;
		worlds.push(
			glow(frame, [x, y], r * 1.9, colour, 0.35) +
				(ring ? half(1) : '') +
				fill(disc(x, y, r), frame.definitions.linear([stop(0, mix(colour, '#ffffff', 0.3)), stop(1, colour)])) +
				fill(bands.join(''), mix(colour, '#ffffff', 0.4), 0.35) +
				fill(
					`M${round(x)} ${round(y - r)}A${round(r)} ${round(r)} 0 0 ${away > 0 ? 1 : 0} ${round(x)} ${round(y + r)}A${round(r * 1.25)} ${round(r * 1.25)} 0 0 ${away > 0 ? 0 : 1} ${round(x)} ${round(y - r)}Z`,
					mix(light.deep, colour, 0.2),
					0.55,
				) +
				(ring ? half(0) : ''),
		);
	}
	return worlds.join('');
}
