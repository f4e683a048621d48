/** Under water, in caves, in rooms, over the clouds, in space: where there is no horizon of hills. */
import { adjust, type Hex, lch, mix } from '../colour.ts';
import { type Frame, ground, hills, type Land } from '../frame.ts';
import { lit } from '../light.ts';
import type { Random } from '../random.ts';
import { glow, paintSky } from '../sky.ts';
import { box, disc, fill, group, line, oval, type Point, polygon, round } from '../svg.ts';
import { planets } from './dry.ts';

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
		fill(
			box(0, 0, width, height),
			frame.definitions.linear([
				[0, top],
				[0.45, middle],
				[1, bottom],
			]),
		),
	];
	parts.push(glow(frame, [frame.luminary.at[0], 0], 700, '#eafff8', dark ? 0.35 : 0.75));
	for (let ray = 0; ray < 7; ray++) {
		const [x, w, lean] = [
			frame.luminary.at[0] + random.between(-420, 420),
			random.between(14, 60),
			random.between(-60, 60),
		];
		const paint = frame.definitions.linear([
			[0, '#f2fff8', dark ? 0.16 : 0.34],
			[1, '#f2fff8', 0],
		]);
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

export function space(frame: Frame): Land {
	const { width, height } = frame;
	const random = frame.random.fork('space');
	const hue = frame.scene.tint ? undefined : random.between(200, 340);
	const clouds: string[] = [];
	for (let cloud = 0; cloud < 9; cloud++) {
		const colour =
			hue === undefined
				? adjust(frame.scene.tint!, { h: random.between(-30, 30) })
				: lch(random.between(0.4, 0.62), 0.16, hue + random.between(-70, 70));
		clouds.push(
			glow(
				frame,
				[random.between(0, width), random.between(0, height)],
				random.between(220, 480),
				colour,
				random.between(0.25, 0.5),
			),
		);
	}
	const night: Hex = hue === undefined ? mix(frame.scene.tint!, '#06061a', 0.82) : lch(0.16, 0.06, hue);
	const dust: string[] = [];
	const bright: string[] = [];
	for (let star = 0; star < Math.min(900, 420 * ((width * height) / 1e6)); star++)
		(star % 4 ? dust : bright).push(
			disc(random.between(0, width), random.between(0, height), 0.7 + random.next() ** 5 * 3.4),
		);
	return {
		back:
			fill(box(0, 0, width, height), night) +
			clouds.join('') +
			fill(dust.join(''), '#ffffff', 0.5) +
			fill(bright.join(''), '#fff8e6', 0.95) +
			planets({ ...frame, horizon: height }, random),
		front: '',
		footing: (_, depth) => height * (0.74 - depth * 0.2),
		shadow: night,
	};
}

export function clouds(frame: Frame): Land {
	const { width, height, horizon, light } = frame;
	const random = frame.random.fork('clouds');
	const bank = (y: number, size: number, depth: number) => {
		const white = mix(lit(light, '#ffffff'), light.glow, 0.3);
		const blue = mix(light.sky[1], light.sky[0], 0.35 * (1 - depth));
		let path = box(-20, y, width + 40, height - y + 20);
		for (let x = -60; x < width + 60; x += size * random.between(0.45, 0.8)) {
			path += disc(x, y + random.between(-size * 0.25, size * 0.3), size * random.between(0.4, 0.74));
		}
		const paint = frame.definitions.linear(
			[
				[0, mix(white, blue, 0.06 + depth * 0.2)],
				[0.4, mix(white, blue, 0.3 + depth * 0.1)],
				[1, mix(white, blue, 0.78)],
			],
			{ from: [0, y - size * 0.8], to: [0, y + size * 1.1] },
		);
		return fill(path, paint);
	};
	const deep = height - horizon;
	return {
		back: bank(horizon + 20, 110, 0.9) + bank(horizon + deep * 0.2, 150, 0.6) + bank(horizon + deep * 0.42, 200, 0.3),
		front: bank(height - deep * 0.16, 240, 0),
		footing: (_, depth) => horizon + deep * (0.66 - depth * 0.28),
		shadow: mix(light.sky[1], light.deep, 0.35),
	};
}

export function cave(frame: Frame): Land {
	const { width, height, horizon, light } = frame;
	const random = frame.random.fork('cave');
	const stone = mix(light.deep, lch(0.4, 0.06, random.pick([280, 220, 330])), 0.5);
	const centre: Point = [frame.luminary.at[0] * 0.4 + width * 0.3, horizon * 0.72];
	const arch = (scale: number, colour: Hex) => {
		const rim: Point[] = [];
		for (let turn = 0; turn <= 40; turn++) {
			const angle = (turn / 40) * Math.PI * 2;
			const reach = scale * random.between(0.9, 1.08);
			rim.push([
				centre[0] + Math.cos(angle) * reach * width * 0.5,
				centre[1] + Math.sin(angle) * reach * height * 0.46,
			]);
		}
		return `<path fill-rule="evenodd" d="${box(-20, -20, width + 40, height + 40)}${polygon(rim)}" fill="${colour}"/>`;
	};
	const teeth: string[] = [];
	for (let x = 0; x < width; x += random.between(40, 110)) {
		const [w, tall] = [random.between(20, 46), random.between(60, 240)];
		teeth.push(
			polygon([
				[x - w, -10],
				[x + w, -10],
				[x + w * 0.1, tall],
			]),
		);
	}
	const gems: string[] = [];
	for (let gem = 0; gem < 12; gem++) {
		const left = gem % 2 === 0;
		const [x, y, s] = [
			(left ? random.between(0, 0.24) : random.between(0.76, 1)) * width,
			random.between(horizon * 0.9, height),
			random.between(40, 120),
		];
		const colour = lch(0.72, 0.16, random.pick([190, 290, 330, 160]));
		gems.push(
			glow(frame, [x, y - s * 0.4], s * 1.5, colour, 0.4) +
				fill(
					polygon([
						[x - s * 0.2, y],
						[x - s * 0.26, y - s * 0.7],
						[x, y - s],
						[x + s * 0.2, y - s * 0.66],
						[x + s * 0.18, y],
					]),
					colour,
				) +
				fill(
					polygon([
						[x, y - s],
						[x + s * 0.2, y - s * 0.66],
						[x + s * 0.18, y],
						[x, y],
					]),
					mix(colour, light.deep, 0.4),
				),
		);
	}
	const floor = hills(random, horizon + (height - horizon) * 0.24, 20, 500);
	return {
		back:
			arch(0.86, mix(stone, light.haze, 0.42)) +
			arch(1.02, mix(stone, light.haze, 0.2)) +
			ground(
				frame,
				floor,
				frame.definitions.linear([
					[0, mix(stone, light.glow, 0.4)],
					[1, mix(stone, light.deep, 0.4)],
				]),
			) +
			glow(frame, [centre[0], horizon], 420, light.glow, 0.3) +
			gems.slice(0, 7).join(''),
		front:
			fill(teeth.join(''), mix(stone, light.deep, 0.55)) +
			arch(1.3, mix(stone, light.deep, 0.6)) +
			gems.slice(7).join(''),
		footing: (_, depth) => horizon + (height - horizon) * (0.66 - depth * 0.34),
		shadow: light.deep,
	};
}

/** A room with a window on the sky of the time, a table or rug, and a few things that make it lived in. */
export function room(frame: Frame): Land {
	const { width, height, light } = frame;
	const random = frame.random.fork('room');
	const dim = 0.25 + light.lamps * 0.35;
	const hue = random.pick([30, 60, 150, 200, 250, 350]);
	const paper = mix(frame.scene.tint ?? lch(0.74, 0.07, hue), light.deep, dim);
	const wood = mix(lch(0.52, 0.09, 50), light.deep, dim);
	const floor = Math.max(height * 0.7, height - width * 0.5);
	const parts: string[] = [];
	const stripes: string[] = [];
	for (let x = 0; x < width; x += 84) stripes.push(box(x, 0, 42, floor));
	parts.push(
		fill(
			box(0, 0, width, floor),
			frame.definitions.linear([
				[0, mix(paper, light.deep, 0.2)],
				[1, mix(paper, light.glow, 0.12)],
			]),
		),
		fill(stripes.join(''), '#ffffff', 0.045),
	);

	const left = frame.luminary.at[0] < width / 2;
	const [w, h] = [Math.min(380, width * 0.42), Math.min(470, floor * 0.66)];
	const [x, y] = [left ? width * 0.1 : width * 0.9 - w, floor * 0.12];
	const clip = frame.definitions.add((id) => `<clipPath id="${id}"><path d="${box(x, y, w, h, 8)}"/></clipPath>`);
	const view: Frame = {
		...frame,
		horizon: y + h,
		scene: { ...frame.scene, place: 'meadow' },
		luminary: { at: [x + w * 0.62, y + h * 0.36], radius: 36 },
	};
	const hillsOutside =
		ground(view, hills(random, y + h * 0.82, 24, 300), mix(light.haze, light.deep, 0.35), y + h) +
		ground(view, hills(random, y + h * 0.92, 18, 260), mix(light.haze, light.deep, 0.6), y + h);
	parts.push(group(paintSky(view) + hillsOutside, `clip-path="url(#${clip})"`));
	const frameWood = mix(lch(0.9, 0.02, 80), light.deep, dim * 0.8);
	parts.push(
		line(box(x, y, w, h, 8), frameWood, 18),
		line(`M${round(x + w / 2)} ${round(y)}v${round(h)}M${round(x)} ${round(y + h * 0.5)}h${round(w)}`, frameWood, 9),
		fill(box(x - 26, y + h + 2, w + 52, 20, 5), mix(frameWood, '#ffffff', 0.15)),
	);
	const cloth = mix(lch(0.6, 0.13, hue + 150), light.deep, dim * 0.9);
	for (const side of [0, 1]) {
		const edge = side ? x + w + 34 : x - 34;
		const inward = side ? -1 : 1;
		parts.push(
			fill(
				`M${round(edge)} ${round(y - 30)}h${round(inward * 120)}Q${round(edge + inward * 96)} ${round(y + h * 0.5)} ${round(edge + inward * 34)} ${round(y + h * 0.66)}Q${round(edge + inward * 60)} ${round(y + h * 0.9)} ${round(edge + inward * 70)} ${round(y + h + 60)}h${round(inward * -70)}Z`,
				frame.definitions.linear([
					[0, mix(cloth, '#ffffff', 0.14)],
					[1, mix(cloth, light.deep, 0.3)],
				]),
			),
		);
	}
	parts.push(fill(box(x - 60, y - 42, w + 120, 14, 7), wood));
	const farX = left ? width * 0.66 : width * 0.14;
	parts.push(
		shelf(farX, y + h * 0.52, width * 0.22, wood, random, dim, light.deep),
		painting(frame, farX + width * 0.03, y + h * 0.02, width * 0.15, random),
	);
	const boards: string[] = [];
	for (let plank = -14; plank <= 14; plank++)
		boards.push(`M${round(width / 2 + plank * 90)} ${round(floor)}L${round(width / 2 + plank * 210)} ${round(height)}`);
	parts.push(
		fill(
			box(0, floor, width, height - floor),
			frame.definitions.linear([
				[0, mix(wood, light.glow, 0.16)],
				[1, mix(wood, light.deep, 0.45)],
			]),
		),
		line(boards.join(''), mix(wood, light.deep, 0.5), 3, 0.5),
		fill(box(0, floor - 20, width, 22), mix(frameWood, light.deep, 0.15)),
	);
	const rug = lch(0.55, 0.13, hue + 170);
	const middle = floor + (height - floor) * 0.56;
	for (const [scale, share] of [
		[1, 0],
		[0.86, 0.35],
		[0.72, 0.1],
	] as const)
		parts.push(
			fill(
				oval(width / 2, middle, Math.min(width * 0.44, 560) * scale, (height - floor) * 0.34 * scale),
				mix(mix(rug, '#ffe9cf', share), light.deep, dim),
			),
		);
	const beam = frame.definitions.linear([
		[0, light.glow, 0.34],
		[1, light.glow, 0],
	]);
	parts.push(
		fill(
			polygon([
				[x, y],
				[x + w, y],
				[x + w + (left ? 340 : -60), height],
				[x + (left ? 160 : -420), height],
			]),
			beam,
		),
	);
	if (light.lamps > 0.3) parts.push(glow(frame, [farX + width * 0.1, y + h * 0.7], 460, '#ffca7a', 0.5));
	return {
		back: parts.join(''),
		front: '',
		footing: (_, depth) => middle + (height - floor) * (0.16 - depth * 0.26),
		shadow: mix(wood, light.deep, 0.7),
	};
}

function shelf(x: number, y: number, w: number, wood: Hex, random: Random, dim: number, deep: Hex): string {
	const books: string[] = [];
	for (let row = 0; row < 2; row++) {
		const base = y + row * 112;
		for (let at = x + 8; at < x + w - 22; ) {
			const [thick, tall] = [random.between(12, 26), random.between(56, 88)];
			books.push(
				random.chance(0.86)
					? fill(
							box(at, base - tall, thick, tall, 2),
							mix(lch(random.between(0.5, 0.75), 0.12, random.between(0, 360)), deep, dim),
						)
					: '',
			);
			at += thick + 3;
		}
		books.push(fill(box(x - 10, base, w + 20, 12, 3), mix(wood, '#ffffff', 0.08)));
	}
	return books.join('');
}

function painting(frame: Frame, x: number, y: number, w: number, random: Random): string {
	const [a, b] = [frame.light.sky[1], frame.light.sky[3]];
	const h = w * 0.78;
	return (
		fill(box(x - 9, y - 9, w + 18, h + 18, 3), mix('#d9a94a', frame.light.deep, 0.3)) +
		fill(box(x, y, w, h), b) +
		fill(
			polygon([
				[x, y + h],
				[x, y + h * 0.7],
				[x + w * 0.34, y + h * random.between(0.2, 0.45)],
				[x + w * 0.6, y + h * 0.72],
				[x + w * 0.8, y + h * 0.5],
				[x + w, y + h * 0.76],
				[x + w, y + h],
			]),
			a,
		) +
		fill(disc(x + w * 0.72, y + h * 0.26, w * 0.08), '#fff2cf')
	);
}
