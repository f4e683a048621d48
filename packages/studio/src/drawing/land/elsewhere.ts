/** Space, clouds and caves: where there is no ground of hills. */
import { adjust, type Hex, lch, mix } from '../colour.ts';
import { type Frame, ground, hills, type Land, shaded } from '../frame.ts';
import { glow } from '../glow.ts';
import { lit } from '../light.ts';
import { box, disc, fill, type Point, path, polygon, stop } from '../svg.ts';
import { planets } from './dry.ts';

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
				stop(0, mix(white, blue, 0.06 + depth * 0.2)),
				stop(0.4, mix(white, blue, 0.3 + depth * 0.1)),
				stop(1, mix(white, blue, 0.78)),
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
		teeth.push(path`M${x - w} -10L${x + w} -10L${x + w * 0.1} ${tall}Z`);
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
					path`M${x} ${y - s}L${x + s * 0.2} ${y - s * 0.66}L${x + s * 0.18} ${y}L${x} ${y}Z`,
					mix(colour, light.deep, 0.4),
				),
		);
	}
	const floor = hills(random, horizon + (height - horizon) * 0.24, 20, 500);
	return {
		back:
			arch(0.86, mix(stone, light.haze, 0.42)) +
			arch(1.02, mix(stone, light.haze, 0.2)) +
			ground(frame, floor, shaded(frame, stone, [light.glow, 0.4], 0.4)) +
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
