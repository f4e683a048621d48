/** Rows of flowers that run to the horizon. */
import { adjust, type Hex, mix } from '../colour.ts';
import { type Frame, ground, hills, type Land, misty, shaded } from '../frame.ts';
import { lit } from '../light.ts';
import { disc, fill, line, path, round } from '../svg.ts';
import { greens, wood } from './flora.ts';

export function garden(frame: Frame): Land {
	const { horizon, height, width, light } = frame;
	const random = frame.random.fork('garden');
	const palette = greens(frame);
	const deep = height - horizon;
	const beds = random.shuffled<Hex>(['#e8506a', '#f5b53a', '#9a7ae0', '#f28ab5', '#f4f1ea', '#e8683a', '#6a8ae8']);
	const hue = frame.scene.tint;
	const near = lit(light, palette.ground, 0.12);
	const rows: string[] = [];
	const vanish = width * 0.5 + (frame.luminary.at[0] - width * 0.5) * 0.3;
	const top = horizon + deep * 0.16;
	const count = Math.ceil(9 * Math.max(1, width / 1000));
	for (let row = -count; row <= count; row++) {
		const [from, to] = [vanish + row * 46, vanish + row * 250];
		const colour = hue ? adjust(hue, { l: (row % 3) * 0.05 - 0.04, h: (row % 3) * 12 - 10 }) : beds[Math.abs(row) % 4]!;
		rows.push(
			fill(
				path`M${from - 12} ${top}L${from + 12} ${top}L${to + 66} ${height + 10}L${to - 66} ${height + 10}Z`,
				mix(near, light.deep, 0.22),
			),
		);
		const petals: string[] = [];
		const lights: string[] = [];
		for (let at = 0.01; at < 1; at += 0.012 + at * 0.03) {
			const y = top + at * (height - top);
			const middle = from + (to - from) * at;
			if (middle < -80 || middle > width + 80) continue;
			const spread = 12 + at * 54;
			for (let bloom = 0; bloom < 5; bloom++) {
				const [x, r] = [middle + random.between(-spread, spread), 2.4 + at * 10];
				(random.chance(0.7) ? petals : lights).push(disc(x, y + random.between(-r, r), r * random.between(0.7, 1.1)));
			}
		}
		const tone = lit(light, colour, 0.08);
		rows.push(
			fill(petals.join(''), shaded(frame, tone, [light.haze, 0.45], 0.2, 0.4)),
			fill(lights.join(''), mix(tone, light.glow, 0.4)),
		);
	}
	const far = hills(random, horizon - 10, 30, 600);
	const tree = hills(random, horizon + deep * 0.06, 14, 600);
	const edge: string[] = [];
	for (let blade = 0; blade < 46 * (width / 1000); blade++) {
		const [x, tall] = [random.between(0, width), random.between(30, 120)];
		edge.push(
			`M${round(x)} ${round(height + 4)}q${round(random.between(-14, 14))} ${round(-tall * 0.6)} ${round(random.between(-30, 30))} ${round(-tall)}`,
		);
	}
	return {
		back:
			ground(frame, far, misty(frame, palette.far, 0.84)) +
			wood(frame, { ridge: tree, depth: 0.6, height: 130, spacing: 54, random }) +
			ground(frame, tree, misty(frame, palette.ground, 0.5)) +
			ground(frame, () => top, shaded(frame, near, [light.haze, 0.4], 0.3, 0.5)) +
			rows.join(''),
		front: line(edge.join(''), mix(near, light.deep, 0.6), 5),
		footing: (_, depth) => top + (height - top) * (0.62 - depth * 0.42),
		shadow: mix(near, light.deep, 0.66),
	};
}
