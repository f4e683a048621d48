/** The sea bed: shafts of light, weed, coral, a school of fish. */
import { type Hex, lch, mix } from '../colour.ts';
import { type Frame, ground, hills, type Land } from '../frame.ts';
import { glow } from '../glow.ts';
import type { Random } from '../random.ts';
import { box, disc, fill, line, polygon, round, stop } from '../svg.ts';

export function underwater(frame: Frame): Land {
	const { width, height, horizon } = frame;
	const random = frame.random.fork('underwater');
	const dark = frame.light.time === 'night' || frame.light.time === 'dusk';
	const hue = random.between(195, 235);
	const shade = (l: number, c: number) =>
		frame.scene.tint ? mix(lch(l, c, hue), frame.scene.tint, 0.4) : lch(l, c, hue);
	const [top, middle, bottom] = dark
		? [shade(0.5, 0.12), shade(0.32, 0.1), shade(0.17, 0.07)]
		: [shade(0.86, 0.09), shade(0.64, 0.12), shade(0.32, 0.09)];
	const parts = [
		fill(box(0, 0, width, height), frame.definitions.linear([stop(0, top), stop(0.45, middle), stop(1, bottom)])),
	];
	parts.push(glow(frame, [frame.luminary.at[0], 0], 700, '#eafff8', dark ? 0.35 : 0.75));
	for (let ray = 0; ray < 7; ray++) {
		const [x, w, lean] = [
			frame.luminary.at[0] + random.between(-420, 420),
			random.between(14, 60),
			random.between(-60, 60),
		];
		const paint = frame.definitions.linear([stop(0, '#f2fff8', dark ? 0.16 : 0.34), stop(1, '#f2fff8', 0)]);
		parts.push(
			fill(
				polygon([
					[x, -10],
					[x + w, -10],
					[x + w * 3 + lean * 4, height * 0.85],
					[x + lean * 4 - w, height * 0.85],
				]),
				paint,
			),
		);
	}
	const bed = (at: number, swing: number, depth: number) =>
		ground(
			frame,
			hills(random, at, swing, 560),
			mix(mix(shade(dark ? 0.3 : 0.42, 0.08), '#c9b58a', dark ? 0.08 : 0.22), middle, depth),
		);
	const school: string[] = [];
	const [sx, sy] = [random.between(0.1, 0.7) * width, random.between(0.12, 0.4) * height];
	for (let fish = 0; fish < 26; fish++) {
		const [x, y, s] = [sx + random.between(-140, 140), sy + random.between(-60, 60), random.between(5, 11)];
		school.push(
			`M${round(x - s * 1.6)} ${round(y)}q${round(s * 1.6)} ${round(-s)} ${round(s * 3)} 0q${round(-s * 1.4)} ${round(s)} ${round(-s * 3)} 0l${round(-s)} ${round(-s * 0.6)}v${round(s * 1.2)}Z`,
		);
	}
	parts.push(
		fill(school.join(''), mix(bottom, middle, 0.4), 0.6),
		bed(horizon + 40, 70, 0.75),
		weeds(frame, horizon + 90, 0.6, 12, middle, random),
		bed(horizon + (height - horizon) * 0.34, 40, 0.42),
		corals(frame, horizon + (height - horizon) * 0.5, 0.35, 9, middle, random),
		bed(horizon + (height - horizon) * 0.6, 22, 0.14),
	);
	const bubbles: string[] = [];
	for (let bubble = 0; bubble < 34; bubble++)
		bubbles.push(disc(random.between(0, width), random.between(0, height), random.between(2, 11)));
	return {
		back: parts.join('') + line(bubbles.join(''), '#f2fffb', 1.8, 0.55),
		front: corals(frame, height + 10, 0, 8, bottom, random) + weeds(frame, height + 10, 0.05, 9, bottom, random),
		footing: (_, depth) => horizon + (height - horizon) * (0.8 - depth * 0.3),
		shadow: bottom,
	};
}

function weeds(frame: Frame, y: number, depth: number, count: number, water: Hex, random: Random): string {
	const blades: string[] = [];
	for (let blade = 0; blade < count * (frame.width / 1000); blade++) {
		const [x, tall, sway] = [
			random.between(0, frame.width),
			random.between(110, 330) * (1 - depth * 0.5),
			random.between(14, 34),
		];
		const [w, yy] = [9 - depth * 5, y + random.between(-10, 40)];
		blades.push(
			fill(
				`M${round(x - w)} ${round(yy)}C${round(x - sway - w)} ${round(yy - tall * 0.35)} ${round(x + sway - w)} ${round(yy - tall * 0.65)} ${round(x + sway * 0.3)} ${round(yy - tall)}C${round(x + sway + w)} ${round(yy - tall * 0.6)} ${round(x - sway + w)} ${round(yy - tall * 0.35)} ${round(x + w)} ${round(yy)}Z`,
				mix(lch(random.between(0.48, 0.62), 0.13, random.between(130, 175)), water, 0.2 + depth),
			),
		);
	}
	return blades.join('');
}

function corals(frame: Frame, y: number, depth: number, count: number, water: Hex, random: Random): string {
	const drawn: string[] = [];
	for (let coral = 0; coral < count * (frame.width / 1000); coral++) {
		const x =
			(depth === 0 ? (coral % 2 ? random.between(0, 0.3) : random.between(0.7, 1)) : random.next()) * frame.width;
		const size = random.between(60, 130) * (1 - depth * 0.4);
		const colour = mix(lch(random.between(0.6, 0.74), 0.18, random.pick([10, 35, 340, 300, 60])), water, 0.12 + depth);
		if (random.chance(0.5)) {
			const arms: string[] = [];
			for (let arm = -2; arm <= 2; arm++)
				arms.push(
					`M${round(x)} ${round(y + 20)}Q${round(x + arm * size * 0.1)} ${round(y - size * 0.5)} ${round(x + arm * size * 0.3)} ${round(y - size * random.between(0.7, 1.2))}`,
				);
			drawn.push(line(arms.join(''), colour, size * 0.16));
		} else
			drawn.push(
				fill(
					disc(x, y - size * 0.2, size * 0.5) +
						disc(x + size * 0.45, y, size * 0.36) +
						disc(x - size * 0.4, y, size * 0.32),
					colour,
				) +
					line(
						`M${round(x - size * 0.25)} ${round(y - size * 0.3)}q${round(size * 0.2)} ${round(-size * 0.3)} ${round(size * 0.5)} 0`,
						mix(colour, '#ffffff', 0.4),
						4,
						0.6,
					),
			);
	}
	return drawn.join('');
}
