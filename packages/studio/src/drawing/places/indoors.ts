/** Places with a made background, drawn as sets in `sets/`: a room, a kitchen, a table and a stage. People stand behind tables. */
import { readFileSync } from 'node:fs';
import { paintSky } from '../sky/sky.ts';
import { readFigure } from '../subjects/figures.ts';
import { type Hex, lch, mix } from '../tools/colour.ts';
import { type Frame, glow, ground, hills, type Land, scattered, shaded } from '../tools/frame.ts';
import { box, disc, fill, group, line, oval, round, stop } from '../tools/svg.ts';
import { viewOf } from './layers.ts';

const readSet = (name: string) => readFigure(readFileSync(new URL(`./sets/${name}.svg`, import.meta.url), 'utf8'));
const sets = {
	room: readSet('room'),
	kitchen: readSet('kitchen'),
	worktop: readSet('worktop'),
	stage: readSet('stage'),
};

interface Look {
	/** What each class of a set is painted with. */
	readonly paints: Readonly<Record<string, string>>;
	/** How dark the colours are that the set has itself. */
	readonly dim?: number;
	readonly isMirrored?: boolean;
}

/**
 * Draws a set so that its seat, a point on its floor, is in the middle of the picture at the height `y`. Sets are larger than most pictures, which
 * show their middle; longer pictures enlarge them.
 */
function drawSet({ width, height, light }: Frame, name: keyof typeof sets, y: number, look: Look): string {
	const { box: size, parts, seat } = sets[name];
	const [x, floor] = seat ?? [size[0] / 2, size[1]];
	const scale = round(Math.max(1, width / size[0], y / floor, (height - y) / (size[1] - floor)));
	const drawn = parts.map(([tone, shape, stroke]) => {
		const paint = look.paints[tone] ?? mix(tone as Hex, light.deep, look.dim ?? 0);
		return stroke ? line(shape, paint, stroke) : fill(shape, paint);
	});
	const place = `translate(${round(width / 2)} ${round(y)})scale(${look.isMirrored ? -scale : scale} ${scale})translate(${-x} ${-floor})`;
	return group(drawn.join(''), `transform="${place}"`);
}

/** A room with a window on the sky of the time. */
export function room(frame: Frame): Land {
	const view = viewOf(frame, 'room');
	const { width, height, light, scene, chance, definitions } = view;
	const dim = 0.25 + light.lamps * 0.35;
	const hue = chance.pick([30, 60, 150, 200, 250, 350]);
	const shade = (l: number, c: number, h: number) => mix(lch(l, c, h), light.deep, dim);
	const paper = mix(scene.tint ?? lch(0.74, 0.07, hue), light.deep, dim);
	const [wood, cloth, rug] = [shade(0.52, 0.09, 50), shade(0.6, 0.13, hue + 150), shade(0.55, 0.13, hue + 170)];
	const floor = Math.max(height * 0.7, height - width * 0.5);
	const isLeft = view.luminary.at[0] < width / 2;
	const out: Frame = {
		...frame,
		horizon: floor - 110,
		luminary: { at: [width * (isLeft ? 0.31 : 0.69), floor - 370], radius: 36 },
	};
	const outside = [0.05, 0.2].map((at) => {
		const ridge = hills(chance, floor - 190 + at * 300, 20, 300);
		return ground(frame, ridge, mix(light.haze, light.deep, 0.35 + at), floor);
	});
	const paints = {
		wall: definitions.linear([stop(0, mix(paper, light.deep, 0.2)), stop(1, mix(paper, light.glow, 0.12))]),
		stripe: mix(paper, '#ffffff', 0.05),
		floor: shaded(view, wood, [light.glow, 0.16], 0.45),
		gap: mix(wood, light.deep, 0.4),
		cloth: shaded(view, cloth, ['#ffffff', 0.14], 0.3),
		rug,
		rugLight: mix(rug, '#ffe9cf', 0.3),
		high: light.sky[1],
		low: light.sky[3],
		beam: definitions.linear([stop(0, light.glow, 0.34), stop(1, light.glow, 0)]),
	};
	const lamp = glow(view, [width * (isLeft ? 0.76 : 0.24), floor - 180], 460, '#ffca7a', light.lamps > 0.3 ? 0.5 : 0);
	return {
		back:
			group(paintSky(out)) +
			outside.join('') +
			drawSet(view, 'room', floor, { paints, dim, isMirrored: !isLeft }) +
			lamp,
		footing: (_, depth) => floor + (height - floor) * (0.72 - depth * 0.26),
		shadow: mix(wood, light.deep, 0.7),
	};
}

/** A stage between curtains, lit from above, with the heads of the audience before it. */
export function stage(frame: Frame): Land {
	const view = viewOf(frame, 'stage');
	const { width, height, scene, definitions, chance } = view;
	const cloth = scene.tint ?? chance.pick<Hex>(['#8a1f2f', '#3a2a6a', '#1f4a5a']);
	const floor = height * 0.7;
	const beam = (colour: Hex) => definitions.linear([stop(0, colour, 0.55), stop(1, colour, 0.08)]);
	const curtain = (dark: number) =>
		definitions.linear([stop(0, mix(cloth, '#000000', 0.35)), stop(1, mix(cloth, '#000000', dark))]);
	const paints = {
		wall: definitions.linear([stop(0, '#0d0b1c'), stop(1, mix(cloth, '#14102a', 0.7))]),
		floor: definitions.linear([stop(0, '#6a4430'), stop(1, '#2a1a18')]),
		warm: beam('#ffe2a8'),
		pink: beam('#ff8ac0'),
		blue: beam('#8ad0ff'),
		fold: curtain(0.5),
		cloth: curtain(0.15),
	};
	const heads = scattered(view, view.chance, 12, [height - 26, height + 8], (x, y) => {
		const r = chance.between(36, 48);
		return disc(x, y - 20, r) + oval(x, y + 60, r * 1.5, 60);
	});
	return {
		back:
			drawSet(view, 'stage', floor, { paints }) + fill(oval(width / 2, floor + 80, width * 0.34, 60), '#ffe9c0', 0.28),
		front: fill(heads, '#0d0a18'),
		footing: (_, depth) => floor + (height - floor) * (0.5 - depth * 0.3),
		shadow: '#1b1018',
	};
}

/** A table before a quiet wall. */
export function table(frame: Frame): Land {
	const view = viewOf(frame, 'table');
	const { width, height, scene, light, definitions, chance } = view;
	const dim = light.lamps * 0.3;
	const top = mix(scene.tint ?? chance.pick<Hex>(['#a8744a', '#8f5c3a', '#c49a6c']), light.deep, dim);
	const wall = mix(lch(0.8, 0.045, chance.pick([60, 110, 200, 260, 20])), light.deep, dim + 0.08);
	const edge = height * 0.6;
	const lights = Array.from({ length: 7 }, () => {
		const at = [chance.between(0, width), chance.between(0, edge * 0.8)] as const;
		return glow(view, at, chance.between(90, 200), mix(light.glow, wall, chance.between(0.2, 0.7)), 0.5);
	});
	const paper = definitions.linear([stop(0, mix(wall, '#ffffff', 0.16)), stop(1, mix(wall, light.deep, 0.22))]);
	const wood = definitions.linear([
		stop(0, mix(top, '#ffffff', 0.22)),
		stop(0.4, top),
		stop(1, mix(top, light.deep, 0.35)),
	]);
	const grain = scattered(
		view,
		chance,
		11,
		[edge + 24, height],
		(x, y) => `M-10 ${round(y)}Q${round(x)} ${round(y + 8)} ${width + 10} ${round(y)}`,
	);
	return {
		back: fill(box(0, 0, width, height), paper) + lights.join(''),
		counter: {
			drawing:
				fill(box(0, edge, width, height - edge), wood) +
				line(grain, mix(top, light.deep, 0.4), 2.4, 0.35) +
				fill(box(0, edge - 6, width, 9), mix(top, '#ffffff', 0.4), 0.7),
			behind: edge,
		},
		footing: (_, depth) => edge + (height - edge) * (0.62 - depth * 0.5),
		shadow: mix(top, light.deep, 0.7),
	};
}

/** Tiles, cupboards and a window over a worktop. */
export function kitchen(frame: Frame): Land {
	const view = viewOf(frame, 'kitchen');
	const { height, scene, light, definitions, chance } = view;
	const [edge, dim] = [height * 0.62, light.lamps * 0.4];
	const colour = scene.tint ?? chance.pick<Hex>(['#5f8f86', '#e9e2d2', '#6a7fa8', '#c9925a']);
	const wood = mix(colour, light.deep, dim + 0.05);
	const paints = {
		cupboard: definitions.linear([stop(0, mix(wood, '#ffffff', 0.16)), stop(1, wood)]),
		wood,
		gap: mix(wood, light.deep, 0.3),
		sky: definitions.linear([stop(0, light.sky[1]), stop(1, light.sky[3])]),
	};
	const isMirrored = chance.chance(0.5);
	const look = { paints, dim, isMirrored };
	const lamps = [-300, 320].map((x) =>
		glow(view, [view.width / 2 + (isMirrored ? -x : x), edge - 380], 200, '#ffdf9a', 0.45),
	);
	return {
		back: drawSet(view, 'kitchen', edge, look) + lamps.join(''),
		counter: { drawing: drawSet(view, 'worktop', edge, look), behind: edge + 20 },
		footing: (_, depth) => edge + 44 - depth * 30,
		shadow: mix('#e6dccb', light.deep, 0.6),
	};
}
