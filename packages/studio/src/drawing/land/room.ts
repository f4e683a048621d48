import { type Hex, lch, mix } from '../colour.ts';
import { type Frame, ground, hills, type Land, shaded } from '../frame.ts';
import { glow } from '../glow.ts';
import type { Random } from '../random.ts';
import { paintSky } from '../sky.ts';
import { box, disc, fill, group, line, oval, polygon, round, stop } from '../svg.ts';

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
			frame.definitions.linear([stop(0, mix(paper, light.deep, 0.2)), stop(1, mix(paper, light.glow, 0.12))]),
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
				shaded(frame, cloth, ['#ffffff', 0.14], 0.3),
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
		fill(box(0, floor, width, height - floor), shaded(frame, wood, [light.glow, 0.16], 0.45)),
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
	const beam = frame.definitions.linear([stop(0, light.glow, 0.34), stop(1, light.glow, 0)]);
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
