/** Space, clouds, caves and the bottom of the sea: where there is no ground of hills. */

import { type PropName, prop } from '../props/props.ts';
import { adjust, type Hex, lch, mix } from '../tools/colour.ts';
import { type Frame, glow, ground, hills, type Land, scattered, shaded } from '../tools/frame.ts';
import { lit, unlit } from '../tools/light.ts';
import { box, disc, fill, line, type Point, path, polygon, stop } from '../tools/svg.ts';
import { planets } from './dry.ts';
import { row, viewOf } from './layers.ts';

export function space(frame: Frame): Land {
	const view = viewOf({ ...frame, horizon: frame.height }, 'space');
	const { width, height, scene, chance } = view;
	const hue = chance.between(200, 340);
	const nebulae = Array.from({ length: 9 }, () => {
		const colour = scene.tint
			? adjust(scene.tint, { h: chance.between(-30, 30) })
			: lch(chance.between(0.4, 0.62), 0.16, hue + chance.between(-70, 70));
		const at: Point = [chance.between(0, width), chance.between(0, height)];
		return glow(view, at, chance.between(220, 480), colour, chance.between(0.25, 0.5));
	});
	const night = scene.tint ? mix(scene.tint, '#06061a', 0.82) : lch(0.16, 0.06, hue);
	const stars = (count: number) =>
		scattered(view, view.chance, count, [0, height], (x, y) => disc(x, y, 0.7 + chance.next() ** 5 * 3.4));
	return {
		back:
			fill(box(0, 0, width, height), night) +
			nebulae.join('') +
			fill(stars(315), '#ffffff', 0.5) +
			fill(stars(105), '#fff8e6', 0.95) +
			planets(view),
		footing: (_, depth) => height * (0.74 - depth * 0.2),
		shadow: night,
	};
}

export function clouds(frame: Frame): Land {
	const { width, height, light, chance, definitions, y } = viewOf(frame, 'clouds');
	const bank = (at: number, size: number, depth: number) => {
		const top = y(at);
		const white = mix(lit(light, '#ffffff'), light.glow, 0.3);
		const blue = mix(light.sky[1], light.sky[0], 0.35 * (1 - depth));
		let shape = box(-20, top, width + 40, height - top + 20);
		for (let x = -60; x < width + 60; x += size * chance.between(0.45, 0.8))
			shape += disc(x, top + chance.between(-size * 0.25, size * 0.3), size * chance.between(0.4, 0.74));
		const stops = [
			stop(0, mix(white, blue, 0.06 + depth * 0.2)),
			stop(0.4, mix(white, blue, 0.3 + depth * 0.1)),
			stop(1, mix(white, blue, 0.78)),
		];
		return fill(shape, definitions.linear(stops, { from: [0, top - size * 0.8], to: [0, top + size * 1.1] }));
	};
	return {
		back: bank(0.05, 110, 0.9) + bank(0.2, 150, 0.6) + bank(0.42, 200, 0.3),
		front: bank(0.84, 240, 0),
		footing: (_, depth) => y(0.66 - depth * 0.28),
		shadow: mix(light.sky[1], light.deep, 0.35),
	};
}

export function cave(frame: Frame): Land {
	const view = viewOf(frame, 'cave');
	const { width, height, horizon, light, chance, luminary, y } = view;
	const stone = mix(light.deep, lch(0.4, 0.06, chance.pick([280, 220, 330])), 0.5);
	const centre: Point = [luminary.at[0] * 0.4 + width * 0.3, horizon * 0.72];
	const arch = (scale: number, colour: Hex) => {
		const rim = Array.from({ length: 40 }, (_, turn): Point => {
			const [angle, reach] = [(turn / 20) * Math.PI, scale * chance.between(0.9, 1.08)];
			return [centre[0] + Math.cos(angle) * reach * width * 0.5, centre[1] + Math.sin(angle) * reach * height * 0.46];
		});
		return fill(`${box(-20, -20, width + 40, height + 40)}${polygon(rim)}`, `${colour}" fill-rule="evenodd`);
	};
	const tooth = (x: number, tall: number) => path`M${x - 32} -10L${x + 32} -10L${x + 3} ${tall}Z`;
	const teeth = scattered(view, view.chance, 14, [60, 240], tooth);
	const gem = (_: unknown, index: number) => {
		const x = (index % 2 ? chance.between(0.76, 1) : chance.between(0, 0.24)) * width;
		const colour = lch(0.72, 0.16, chance.pick([190, 290, 330, 160]));
		const [at, tall] = [[x, chance.between(horizon * 0.9, height)] as const, chance.between(40, 120)];
		return (
			glow(view, [x, at[1] - tall * 0.4], tall * 1.5, colour, 0.4) + prop(view, 'crystal', { at, height: tall, colour })
		);
	};
	return {
		back:
			arch(0.86, mix(stone, light.haze, 0.42)) +
			arch(1.02, mix(stone, light.haze, 0.2)) +
			ground(view, hills(chance, y(0.24), 20, 500), shaded(view, stone, [light.glow, 0.4], 0.4)) +
			glow(view, [centre[0], horizon], 420, light.glow, 0.3) +
			Array.from({ length: 7 }, gem).join(''),
		front:
			fill(teeth, mix(stone, light.deep, 0.55)) +
			arch(1.3, mix(stone, light.deep, 0.6)) +
			Array.from({ length: 5 }, gem).join(''),
		footing: (_, depth) => y(0.66 - depth * 0.34),
		shadow: light.deep,
	};
}

/** The bottom of the sea: shafts of light, weed, coral, a school of fish. */
export function underwater(frame: Frame): Land {
	const view = viewOf(frame, 'underwater');
	const { width, height, chance, light, luminary, scene, definitions, y } = view;
	const isDark = light.time === 'night' || light.time === 'dusk';
	const hue = chance.between(195, 235);
	const water = (l: number, c: number) => mix(lch(l, c, hue), scene.tint ?? '#000000', scene.tint ? 0.4 : 0);
	const [top, middle, bottom] = isDark
		? ([water(0.5, 0.12), water(0.32, 0.1), water(0.17, 0.07)] as const)
		: ([water(0.86, 0.09), water(0.64, 0.12), water(0.32, 0.09)] as const);
	const shafts = Array.from({ length: 7 }, () => {
		const x = luminary.at[0] + chance.between(-420, 420);
		const [w, lean] = [chance.between(14, 60), chance.between(-240, 240)];
		const shaft = path`M${x} -10H${x + w}L${x + w * 3 + lean} ${height * 0.85}H${x + lean - w}Z`;
		return fill(shaft, definitions.linear([stop(0, '#f2fff8', isDark ? 0.16 : 0.34), stop(1, '#f2fff8', 0)]));
	});
	const bed = (at: number, swing: number, depth: number) => {
		const sand = mix(water(isDark ? 0.3 : 0.42, 0.08), '#c9b58a', isDark ? 0.08 : 0.22);
		return ground(view, hills(chance, y(at), swing, 560), mix(sand, middle, depth));
	};
	const growing = (
		of: readonly [PropName, ...PropName[]],
		at: number,
		tall: number,
		spacing: number,
		depth: number,
		clear = 0,
	) => {
		const hues: [number, ...number[]] = of[0] === 'weed' ? [130, 150, 175] : [10, 35, 340, 300, 60];
		const colour = () =>
			mix(lch(chance.between(0.5, 0.7), of[0] === 'weed' ? 0.13 : 0.18, chance.pick(hues)), middle, 0.12 + depth);
		const wide = of[0] === 'weed' ? ([0.14, 0.26] as const) : ([1.1, 1.5] as const);
		return row(view, () => y(at), { of, tall, spacing, wide, colour, clear, light: unlit(light) });
	};
	const [sx, sy] = [chance.between(0.1, 0.7) * width, chance.between(0.12, 0.4) * height];
	const school = scattered(view, view.chance, 26, [sy - 60, sy + 60], (_, y, down) => {
		const [x, s] = [sx + chance.between(-140, 140), 5 + down * 6];
		return path`M${x - s * 1.6} ${y}q${s * 1.6} ${-s} ${s * 3} 0q${-s * 1.4} ${s} ${-s * 3} 0l${-s} ${-s * 0.6}v${s * 1.2}Z`;
	});
	const bubbles = scattered(view, view.chance, 34, [0, height], (x, y) => disc(x, y, chance.between(2, 11)));
	return {
		back:
			fill(box(0, 0, width, height), definitions.linear([stop(0, top), stop(0.45, middle), stop(1, bottom)])) +
			glow(view, [luminary.at[0], 0], 700, '#eafff8', isDark ? 0.35 : 0.75) +
			shafts.join('') +
			fill(school, mix(bottom, middle, 0.4), 0.6) +
			bed(0.1, 70, 0.75) +
			growing(['weed'], 0.28, 190, 80, 0.6) +
			bed(0.34, 40, 0.42) +
			growing(['coral', 'brainCoral'], 0.56, 80, 110, 0.35) +
			bed(0.6, 22, 0.14) +
			line(bubbles, '#f2fffb', 1.8, 0.55),
		front: growing(['coral', 'brainCoral'], 1.02, 130, 120, 0, 0.5) + growing(['weed'], 1.02, 240, 90, 0.05, 0.6),
		footing: (_, depth) => y(0.8 - depth * 0.3),
		shadow: bottom,
	};
}
