/** Places with a made background: a plain one, a stage, a table and a kitchen, at which people stand and on which things do. */
import { type Hex, lch, mix, toLch } from '../colour.ts';
import type { Frame, Land } from '../frame.ts';
import { glow } from '../glow.ts';
import { box, disc, fill, line, oval, path, polygon, stop } from '../svg.ts';

/** A plain background, as of product shots, portraits and logos, with a shape about what is shown on it. */
export function backdrop(frame: Frame): Land {
	const { width, height, scene, light, definitions } = frame;
	const { framing, tint, second } = scene;
	const isMark = framing === 'logo' || framing === 'icon' || framing === 'sticker';
	const neutral = framing === 'portrait' ? mix(light.sky[1], '#8d8f9a', 0.45) : '#f6f4ef';
	const colour =
		tint ?? (framing === 'sticker' ? lch(0.86, 0.06, frame.random.fork('paper').between(0, 360)) : neutral);
	const dark = toLch(colour).l < 0.5;
	const isGradient = second !== undefined && !isMark && scene.subjects.length === 0;
	const parts = [
		isGradient
			? fill(
					box(0, 0, width, height),
					definitions.linear([stop(0, colour), stop(1, second)], { from: [0, 0], to: [width, height] }),
				)
			: isMark
				? fill(box(0, 0, width, height), colour)
				: fill(
						box(0, 0, width, height),
						definitions.linear([
							stop(0, mix(colour, '#ffffff', 0.2)),
							stop(0.72, colour),
							stop(0.76, mix(colour, '#1b1830', 0.1)),
							stop(1, mix(colour, '#ffffff', 0.14)),
						]),
					) + glow(frame, [width / 2, height * 0.42], height * 0.6, mix(colour, '#ffffff', 0.7), 0.55),
	];
	const [x, y, r] = [
		width / 2,
		height * (scene.texts.length > 0 ? 0.42 : 0.5),
		Math.min(width, height) * (scene.texts.length > 0 ? 0.32 : 0.4),
	];
	const soft = mix(second ?? colour, dark ? '#ffffff' : '#31406a', second ? 0 : 0.14);
	if (framing === 'icon')
		parts.push(
			fill(
				box(x - r, y - r, 2 * r, 2 * r, r * 0.44),
				definitions.linear([
					stop(0, mix(second ?? soft, '#ffffff', 0.3)),
					stop(1, second ?? mix(soft, '#2b2350', 0.2)),
				]),
			),
		);
	if (framing === 'logo')
		parts.push(fill(disc(x, y, r), soft), line(disc(x, y, r * 0.93), mix(soft, dark ? '#1b1830' : '#ffffff', 0.6), 7));
	// A mark of its own for what has no drawing.
	if (isMark && scene.subjects.length === 0) {
		const hue = frame.random.fork('mark').between(0, 360);
		for (const turn of [0, 1, 2]) {
			const angle = (turn / 3) * Math.PI * 2 - Math.PI / 2;
			const paint =
				tint && !second ? mix(tint, '#ffffff', 0.2 + turn * 0.2) : (second ?? lch(0.62, 0.15, hue + turn * 45));
			parts.push(fill(disc(x + Math.cos(angle) * r * 0.28, y + Math.sin(angle) * r * 0.28, r * 0.36), paint, 0.8));
		}
	}
	return {
		back: parts.join(''),
		front: '',
		footing: (_, depth) => height * (isMark ? (scene.texts.length > 0 ? 0.64 : 0.76) : 0.82 - depth * 0.1),
		shadow: isMark ? soft : mix(colour, '#1b1830', 0.5),
	};
}

/** A stage between curtains, lit from above, with the heads of the audience before it. */
export function stage(frame: Frame): Land {
	const { width, height, scene, definitions } = frame;
	const random = frame.random.fork('stage');
	const cloth = scene.tint ?? random.pick<Hex>(['#8a1f2f', '#3a2a6a', '#1f4a5a']);
	const floor = height * 0.7;
	const parts = [
		fill(box(0, 0, width, height), definitions.linear([stop(0, '#0d0b1c'), stop(1, mix(cloth, '#14102a', 0.7))])),
		fill(box(0, floor, width, height - floor), definitions.linear([stop(0, '#6a4430'), stop(1, '#2a1a18')])),
	];
	for (const [index, colour] of (['#ffe2a8', '#ff8ac0', '#8ad0ff'] as const).entries()) {
		const [from, to] = [width * (0.25 + index * 0.25), width * (0.5 + (index - 1) * 0.12)];
		const beam = definitions.linear([stop(0, colour, 0.55), stop(1, colour, 0.08)]);
		parts.push(
			fill(
				polygon([
					[from - 16, 0],
					[from + 16, 0],
					[to + width * 0.2, floor + 90],
					[to - width * 0.2, floor + 90],
				]),
				beam,
			),
		);
	}
	parts.push(fill(oval(width / 2, floor + 80, width * 0.34, 60), '#ffe9c0', 0.28));
	for (const side of [0, 1]) {
		const fold = (at: number) => (side ? width - at : at);
		for (let at = 0; at < 5; at++) {
			const [a, b] = [fold(at * width * 0.035), fold((at + 1) * width * 0.035)];
			const shade = definitions.linear([
				stop(0, mix(cloth, '#000000', 0.35)),
				stop(1, mix(cloth, '#000000', at % 2 ? 0.15 : 0.5)),
			]);
			parts.push(
				fill(
					polygon([
						[a, 0],
						[b, 0],
						[b, floor + 30],
						[a, floor + 30],
					]),
					shade,
				),
			);
		}
	}
	const heads = Array.from({ length: Math.round(width / 90) }, (_, index) => {
		const [x, y, r] = [index * 96 + random.between(0, 40), height + random.between(-26, 8), random.between(36, 48)];
		return disc(x, y - 20, r) + oval(x, y + 60, r * 1.5, 60);
	});
	return {
		back: parts.join(''),
		front: fill(heads.join(''), '#0d0a18'),
		footing: (_, depth) => floor + (height - floor) * (0.5 - depth * 0.3),
		shadow: '#1b1018',
	};
}

/** A table before a quiet wall. People stand behind it. */
export function table(frame: Frame): Land {
	const { width, height, scene, light, definitions } = frame;
	const random = frame.random.fork('table');
	const dim = light.lamps * 0.3;
	const top = mix(scene.tint ?? random.pick<Hex>(['#a8744a', '#8f5c3a', '#c49a6c']), light.deep, dim);
	const wall = mix(lch(0.8, 0.045, random.pick([60, 110, 200, 260, 20])), light.deep, dim + 0.08);
	const edge = height * 0.6;
	const soft = Array.from({ length: 7 }, () =>
		glow(
			frame,
			[random.between(0, width), random.between(0, edge * 0.8)],
			random.between(90, 200),
			mix(light.glow, wall, random.between(0.2, 0.7)),
			0.5,
		),
	);
	const grain: string[] = [];
	for (let y = edge + 24; y < height; y += random.between(20, 44))
		grain.push(path`M-10 ${y}Q${width * random.next()} ${y + random.between(-9, 9)} ${width + 10} ${y}`);
	return {
		back:
			fill(
				box(0, 0, width, height),
				definitions.linear([stop(0, mix(wall, '#ffffff', 0.16)), stop(1, mix(wall, light.deep, 0.22))]),
			) + soft.join(''),
		front: '',
		counter: {
			drawing:
				fill(
					box(0, edge, width, height - edge),
					definitions.linear([stop(0, mix(top, '#ffffff', 0.22)), stop(0.4, top), stop(1, mix(top, light.deep, 0.35))]),
				) +
				line(grain.join(''), mix(top, light.deep, 0.4), 2.4, 0.35) +
				fill(box(0, edge - 6, width, 9), mix(top, '#ffffff', 0.4), 0.7),
			behind: edge,
		},
		footing: (_, depth) => edge + (height - edge) * (0.62 - depth * 0.5),
		shadow: mix(top, light.deep, 0.7),
	};
}

/** Tiles, cupboards and a window over a worktop. */
export function kitchen(frame: Frame): Land {
	const { width, height, scene, light, definitions } = frame;
	const random = frame.random.fork('kitchen');
	const dim = light.lamps * 0.4;
	const shade = (colour: Hex, more = 0) => mix(colour, light.deep, dim + more);
	const wood = shade(scene.tint ?? random.pick<Hex>(['#5f8f86', '#e9e2d2', '#6a7fa8', '#c9925a']), 0.05);
	const [edge, shelf] = [height * 0.62, height * 0.3];
	const tiles: string[] = [];
	for (let y = shelf; y < edge; y += 52)
		for (let x = (y / 52) % 2 < 1 ? 0 : -40; x < width; x += 80) tiles.push(box(x + 2, y + 2, 76, 48, 5));
	const doors = (y: number, tall: number) =>
		Array.from({ length: Math.ceil(width / 230) }, (_, index) => box(index * 230 + 8, y, 214, tall, 8)).join('');
	const knobs = (y: number) =>
		Array.from({ length: Math.ceil(width / 230) }, (_, index) => disc(index * 230 + 196, y, 8)).join('');
	const [x, w] = [width * random.pick([0.3, 0.46]), 250];
	const top = shade('#e6dccb', 0.02);
	return {
		back:
			fill(box(0, 0, width, height), shade('#efe7d8')) +
			fill(tiles.join(''), shade('#ffffff'), 0.75) +
			fill(box(0, 0, width, shelf - 20), shade('#d8cdb8')) +
			fill(doors(16, shelf - 60), definitions.linear([stop(0, mix(wood, '#ffffff', 0.16)), stop(1, wood)])) +
			fill(knobs(shelf - 74), shade('#d9a94a')) +
			fill(box(x, 0, w, edge - 60, 6), definitions.linear([stop(0, light.sky[1]), stop(1, light.sky[3])])) +
			line(
				box(x, -20, w, edge - 40, 6) + path`M${x + w / 2} 0V${edge - 60}M${x} ${height * 0.28}h${w}`,
				shade('#fbf6ea'),
				14,
			) +
			line(path`M${width * 0.2} 0V${height * 0.16}M${width * 0.82} 0V${height * 0.16}`, shade('#3a3440'), 5) +
			fill(
				polygon([
					[width * 0.2 - 60, height * 0.22],
					[width * 0.2, height * 0.14],
					[width * 0.2 + 60, height * 0.22],
				]) +
					polygon([
						[width * 0.82 - 60, height * 0.22],
						[width * 0.82, height * 0.14],
						[width * 0.82 + 60, height * 0.22],
					]),
				shade('#d9803f'),
			) +
			glow(frame, [width * 0.2, height * 0.24], 200, '#ffdf9a', 0.45) +
			glow(frame, [width * 0.82, height * 0.24], 200, '#ffdf9a', 0.45),
		front: '',
		counter: {
			drawing:
				fill(box(0, edge, width, 64), definitions.linear([stop(0, mix(top, '#ffffff', 0.3)), stop(1, top)])) +
				fill(box(0, edge + 64, width, height), mix(wood, light.deep, 0.3)) +
				fill(doors(edge + 84, height * 0.4), wood) +
				fill(knobs(edge + 130), shade('#d9a94a')),
			behind: edge + 20,
		},
		footing: (_, depth) => edge + 44 - depth * 30,
		shadow: mix(top, light.deep, 0.6),
	};
}
