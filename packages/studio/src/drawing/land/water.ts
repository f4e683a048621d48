/** Sea, beach and lake: a level that floats boats and mirrors the sky. */
import { type Hex, mix } from '../colour.ts';
import { type Frame, ground, hills, type Land, misty, shaded } from '../frame.ts';
import { lit } from '../light.ts';
import type { Random } from '../random.ts';
import { box, fill, line, oval, polygon, round, stop } from '../svg.ts';
import { greens, tufts, wood } from './flora.ts';
import { peaks } from './peaks.ts';
import { palm } from './trees.ts';

const deepSea: Hex = '#1f7f9a';

/** Water from the horizon down: the sky upside down, short strokes of light, and the path of the luminary. */
function waters(frame: Frame, top: number, random: Random): string {
	const { light, width, height, luminary } = frame;
	const body = lit(light, deepSea, 0.08);
	const paint = frame.definitions.linear([
		stop(0, mix(light.sky[3], body, 0.22)),
		stop(0.18, mix(light.sky[2], body, 0.5)),
		stop(0.55, mix(light.sky[1], body, 0.68)),
		stop(1, mix(mix(light.sky[0], body, 0.6), light.deep, 0.45)),
	]);
	const strokes: string[] = [];
	const gleams: string[] = [];
	const count = Math.min(420, 150 * (width / 1000));
	for (let index = 0; index < count; index++) {
		const down = random.next() ** 1.7;
		const y = top + 4 + down * (height - top);
		const long = 14 + down * 130 * random.between(0.5, 1.2);
		const x = random.between(-40, width);
		strokes.push(box(x, y, long, 1.6 + down * 5, 3));
	}
	for (let y = top + 3; y < height; y += 5 + (y - top) * 0.035) {
		const down = (y - top) / (height - top);
		const spread = luminary.radius * (0.5 + down * 1.9);
		for (let stroke = 0; stroke < 3; stroke++) {
			const long = spread * random.between(0.2, 0.9);
			gleams.push(box(luminary.at[0] + random.between(-spread, spread) - long / 2, y, long, 1.5 + down * 6, 4));
		}
	}
	const shine = light.luminary === 'sun' ? 0.75 : 0.5;
	const dim = frame.scene.weather.some((weather) => weather === 'storm' || weather === 'rain' || weather === 'fog');
	return (
		fill(box(0, top, width, height - top), paint) +
		fill(strokes.join(''), mix(light.sky[2], '#ffffff', 0.25), 0.3) +
		fill(gleams.join(''), mix(light.disc, light.glow, 0.3), dim ? shine * 0.3 : shine)
	);
}

/** One swell of the sea with a lit crest; stormy ones stand high. */
function swell(frame: Frame, y: number, swing: number, depth: number, random: Random): string {
	const { light, width, height } = frame;
	const length = 240 + (1 - depth) * 260;
	const phase = random.between(0, length);
	let path = '';
	for (let x = -length + phase - length; x < width + length; x += length) {
		path += `Q${round(x + length * 0.3)} ${round(y + swing * 0.5)} ${round(x + length * 0.62)} ${round(y - swing * 0.6)}Q${round(x + length * 0.74)} ${round(y - swing * 1.05)} ${round(x + length * 0.8)} ${round(y - swing * 0.5)}Q${round(x + length * 0.84)} ${round(y + swing * 0.1)} ${round(x + length)} ${round(y + swing * 0.3)}`;
	}
	const start = -length * 2 + phase;
	const crest = `M${round(start)} ${round(y)}${path}`;
	const colour = mix(mix(light.sky[1], lit(light, deepSea), 0.7), light.deep, 0.12 + (1 - depth) * 0.4);
	const paint = shaded(frame, colour, [light.glow, 0.24], 0.5, 0.25);
	return (
		fill(`${crest}V${height + 20}H${round(start)}Z`, paint) +
		line(crest, mix(light.disc, colour, 0.35), 2 + (1 - depth) * 3, 0.7)
	);
}

export function sea(frame: Frame): Land {
	const { horizon, height, light, scene } = frame;
	const random = frame.random.fork('sea');
	const rough = scene.weather.includes('storm')
		? 2.6
		: scene.weather.includes('wind') || scene.weather.includes('rain')
			? 1.5
			: 0.7;
	const deep = height - horizon;
	const coast =
		random.chance(0.6) && rough < 2
			? peaks(frame, { base: horizon + 6, height: 130, width: 380, depth: 0.88, colour: '#6f86a0', snow: 0, random })
			: '';
	const level = horizon + deep * 0.42;
	const far = [0.1, 0.2, 0.31].map((at, index) =>
		swell(frame, horizon + deep * at, (5 + index * 4) * rough, 0.8 - index * 0.2, random),
	);
	return {
		back: coast + waters(frame, horizon, random) + (rough > 1 ? far.join('') : ''),
		front:
			swell(frame, level + 16, 15 * rough, 0.3, random) + swell(frame, horizon + deep * 0.74, 22 * rough, 0, random),
		footing: (_, depth) => level + 8 - depth * deep * 0.12,
		water: level,
		stand: (x, y, wide) => rock(frame, x, y, wide, random.fork(`rock ${Math.round(x)}`)),
		shadow: mix(lit(light, deepSea), light.deep, 0.5),
	};
}

/** A rock to stand on, where something must stand in the sea. */
function rock(frame: Frame, x: number, y: number, wide: number, random: Random): string {
	const stone = lit(frame.light, '#5d5a6b', 0.05);
	const points: [number, number][] = [];
	for (let at = -1; at <= 1.001; at += 0.2)
		points.push([
			x + at * wide,
			y + Math.abs(at) ** 2.2 * wide * 0.36 + random.between(-6, 6) * (Math.abs(at) > 0.5 ? 1 : 0.2),
		]);
	const lower = y + wide * 0.6;
	const shadeSide = frame.luminary.at[0] > x ? -1 : 1;
	const facets = points.filter(([px]) => Math.sign(px - x) === shadeSide);
	return (
		fill(
			polygon([...points, [x + wide * 1.12, lower], [x - wide * 1.12, lower]]),
			shaded(frame, stone, [frame.light.glow, 0.25], 0.55),
		) +
		fill(
			polygon([...facets, [x + shadeSide * wide * 1.12, lower], [x + shadeSide * wide * 0.25, lower]]),
			frame.light.deep,
			0.28,
		) +
		fill(
			oval(x - wide * 0.7, lower - wide * 0.24, wide * 0.4, 7) +
				oval(x + wide * 0.75, lower - wide * 0.2, wide * 0.45, 7),
			mix(frame.light.disc, frame.light.sky[2], 0.3),
			0.65,
		)
	);
}

export function beach(frame: Frame): Land {
	const { horizon, height, width, light } = frame;
	const random = frame.random.fork('beach');
	const deep = height - horizon;
	const isle = random.chance(0.7)
		? peaks(frame, { base: horizon + 4, height: 110, width: 420, depth: 0.82, colour: '#5f8f86', snow: 0, random })
		: '';
	const line = hills(random, horizon + deep * 0.36, 16, 900);
	const sand = lit(light, '#f0d6a2', 0.06);
	const shore = ground(frame, line, shaded(frame, sand, ['#ffffff', 0.25], 0.36, 0.3));
	const foam =
		ground(frame, (x) => line(x) - 12, mix(lit(light, '#ffffff'), light.sky[2], 0.2)) +
		ground(frame, (x) => line(x) - 3, mix(sand, light.deep, 0.16));
	const palms: string[] = [];
	for (const [x, tall] of [
		[-0.02, 640],
		[0.09, 470],
		[1.02, 560],
	] as const) {
		const paths = palm(
			random,
			width * x,
			height * (0.94 + random.between(-0.04, 0.04)),
			Math.min(tall, height * 0.7),
			1,
		);
		const leaf = lit(light, '#2f8a5a');
		palms.push(
			fill(paths.trunk, mix(lit(light, '#8a6040'), light.deep, 0.35)),
			fill(paths.crown, mix(leaf, light.deep, 0.3)),
			fill(paths.shade, mix(leaf, light.deep, 0.55)),
		);
	}
	const shells: string[] = [];
	for (let index = 0; index < 60; index++)
		shells.push(
			oval(
				random.between(0, width),
				random.between(horizon + deep * 0.5, height),
				random.between(2, 6),
				random.between(1.5, 3.5),
			),
		);
	return {
		back: isle + waters(frame, horizon, random) + foam + shore + fill(shells.join(''), mix(sand, light.deep, 0.3), 0.6),
		front: palms.slice(0, random.chance(0.5) ? 6 : 3).join(''),
		footing: (x, depth) => line(x) + (height - line(x)) * (0.52 - depth * 0.42),
		water: horizon + deep * 0.22,
		shadow: mix(sand, light.deep, 0.5),
	};
}

export function lake(frame: Frame): Land {
	const { horizon, height, light } = frame;
	const random = frame.random.fork('lake');
	const palette = greens(frame);
	const deep = height - horizon;
	const far = peaks(frame, {
		base: horizon + 8,
		height: Math.min(360, horizon * 0.5),
		width: 520,
		depth: 0.8,
		colour: palette.rock,
		snow: 0.3,
		random,
	});
	const bank = hills(random, horizon - 6, 12, 500);
	const trees =
		wood(frame, { ridge: bank, depth: 0.56, height: 120, spacing: 34, random }) +
		ground(frame, bank, misty(frame, palette.ground, 0.5), horizon + 10);
	const scenery = far + trees;
	const mirror = `<g opacity="0.5" transform="translate(0 ${round(horizon * 2 + 6)})scale(1 -1)">${scenery}</g>`;
	const shore = hills(random, horizon + deep * 0.62, 24, 1000);
	const near = lit(light, palette.ground, 0.1);
	const grass = ground(frame, shore, shaded(frame, near, [light.glow, 0.2], 0.45, 0.4));
	const strokes: string[] = [];
	for (let index = 0; index < 70; index++) {
		const y = horizon + 6 + random.next() * deep * 0.6;
		strokes.push(
			box(random.between(-60, frame.width), y, random.between(40, 200), 1.5 + ((y - horizon) / deep) * 4, 2),
		);
	}
	const edge = hills(random, height - deep * 0.05, 16, 700);
	const lip = mix(near, light.deep, 0.6);
	return {
		back:
			scenery +
			waters(frame, horizon + 2, random) +
			mirror +
			fill(strokes.join(''), mix(light.sky[2], '#ffffff', 0.3), 0.35) +
			grass +
			tufts(frame, shore, random, mix(near, light.deep, 0.4), palette.flower),
		front: ground(frame, edge, lip) + reeds(frame, random, lip),
		footing: (x, depth) => shore(x) + (height - shore(x)) * (0.5 - depth * 0.36),
		water: horizon + deep * 0.34,
		shadow: mix(near, light.deep, 0.6),
	};
}

function reeds(frame: Frame, random: Random, colour: Hex): string {
	const stalks: string[] = [];
	const heads: string[] = [];
	for (let index = 0; index < 26; index++) {
		const side = index % 2 ? random.between(0, 0.2) : random.between(0.82, 1);
		const [x, tall, lean] = [side * frame.width, random.between(110, 240), random.between(-26, 26)];
		stalks.push(
			`M${round(x)} ${frame.height}Q${round(x)} ${round(frame.height - tall * 0.6)} ${round(x + lean)} ${round(frame.height - tall)}`,
		);
		if (index % 3 === 0) heads.push(oval(x + lean, frame.height - tall, 6, 20));
	}
	return (
		line(stalks.join(''), colour, 4) + fill(heads.join(''), mix(lit(frame.light, '#7a4a2e'), frame.light.deep, 0.3))
	);
}
