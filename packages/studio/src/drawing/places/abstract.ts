/** Compositions without things: colours and shapes by mood, time and tint. Every variation is another composition. */
import type { Mood, Time } from '../../scene/names.ts';
import { type Hex, lch, mix, toLch } from '../tools/colour.ts';
import { type Frame, glow, hills, type Land } from '../tools/frame.ts';
import { type Random, seeded } from '../tools/random.ts';
import { box, disc, fill, group, line, type Point, path, stop, through } from '../tools/svg.ts';

interface Palette {
	readonly dark: boolean;
	/** Top and bottom of the ground. */
	readonly ground: readonly [Hex, Hex];
	/** Five neighbours that go well with each other. */
	readonly colours: readonly [Hex, ...Hex[]];
	/** Stands out from all of them. */
	readonly spark: Hex;
}

/** Hues are drawn from `hue`, and spread over `spread` degrees; without a hue, anywhere. */
interface Feeling {
	readonly hue?: readonly [number, number];
	readonly spread: number;
	readonly chroma: number;
	readonly dark?: boolean;
}

const plain: Feeling = { spread: 110, chroma: 0.13 };
const feelings: Readonly<Record<Mood, Feeling>> = {
	calm: { hue: [170, 250], spread: 60, chroma: 0.075 },
	cosy: { hue: [25, 65], spread: 55, chroma: 0.12 },
	eerie: { hue: [130, 300], spread: 70, chroma: 0.08, dark: true },
	joyful: { spread: 300, chroma: 0.17 },
	dramatic: { hue: [0, 45], spread: 60, chroma: 0.18, dark: true },
	dreamy: { hue: [250, 340], spread: 110, chroma: 0.1 },
	lonely: { hue: [215, 265], spread: 24, chroma: 0.045 },
};
const warmth: Readonly<Partial<Record<Time, readonly [number, number]>>> = {
	dawn: [350, 420],
	golden: [40, 90],
	sunset: [350, 410],
	dusk: [270, 330],
	night: [220, 300],
};

function paletteOf({ scene }: Frame, random: Random): Palette {
	const feeling = scene.mood ? feelings[scene.mood] : plain;
	const own = scene.tint && toLch(scene.tint);
	const [low, high] = feeling.hue ?? warmth[scene.time] ?? [0, 360];
	const hue = own ? own.h : random.between(low, high);
	const chroma = own ? Math.min(feeling.chroma * 1.2, Math.max(0.01, own.c)) : feeling.chroma;
	const spread = own ? Math.min(feeling.spread, 70) : feeling.spread;
	const dark = feeling.dark ?? (scene.time === 'night' || scene.time === 'dusk');
	const colours = [0, 0.5, -0.5, 0.25, -0.25].map((turn, index) =>
		lch((dark ? 0.48 : 0.6) + index * 0.065, chroma * (1 - (index % 3) * 0.12), hue + turn * spread),
	) as unknown as readonly [Hex, ...Hex[]];
	if (scene.tint && scene.second) {
		const [one, two] = [scene.tint, scene.second];
		return {
			dark,
			ground: dark
				? [lch(0.2, 0.05, hue), mix(one, '#1b1830', 0.6)]
				: [mix(one, '#ffffff', 0.82), mix(two, '#ffffff', 0.6)],
			colours: [one, two, mix(one, '#ffffff', 0.35), mix(two, '#ffffff', 0.3), mix(one, '#1b1830', 0.25)],
			spark: two,
		};
	}
	const bright = lch(0.95, chroma * 0.18, hue + 20);
	const deep = lch(0.2, Math.min(0.06, chroma * 0.5), hue - 15);
	return {
		dark,
		ground: dark ? [deep, mix(deep, colours[0], 0.32)] : [bright, mix(bright, colours[1]!, 0.34)],
		colours,
		spark: lch(dark ? 0.86 : 0.7, Math.max(0.1, chroma * 1.25), hue + 175),
	};
}

type Composition = (frame: Frame, palette: Palette, random: Random) => string;

/** Large translucent discs that deepen where they overlap, one of them in the contrasting colour. */
const discs: Composition = (frame, { colours, spark, dark }, random) => {
	const { width, height } = frame;
	const unit = Math.min(width, height);
	const drawn = Array.from({ length: 9 }, (_, index) => {
		const r = unit * (index < 3 ? random.between(0.24, 0.36) : random.between(0.05, 0.2));
		const x = width * random.between(0.12, 0.88);
		const y = height * random.between(0.14, 0.86);
		const colour = index === 4 ? spark : colours[index % colours.length]!;
		const paint = frame.definitions.linear([stop(0, mix(colour, '#ffffff', 0.16)), stop(1, colour)]);
		return fill(disc(x, y, r), paint, 0.78) + line(disc(x, y, r * 1.06), colour, 2, 0.5);
	});
	return group(drawn.join(''), `style="mix-blend-mode:${dark ? 'screen' : 'multiply'}"`);
};

/** Bands that flow across, each a little darker than the one behind it, under a disc. */
const bands: Composition = (frame, { colours, spark, dark, ground }, random) => {
	const { width, height } = frame;
	const [x, y, r] = [width * random.between(0.25, 0.75), height * random.between(0.2, 0.34), random.between(80, 150)];
	const parts = [
		glow(frame, [x, y], r * 3.4, spark, 0.5),
		fill(disc(x, y, r), mix(spark, '#ffffff', dark ? 0.25 : 0.1)),
	];
	const count = 7;
	for (let band = 0; band < count; band++) {
		const at = band / count;
		const ridge = hills(random, height * (0.3 + at * 0.68), 80 - at * 20, width * random.between(0.7, 1.3));
		const colour = mix(
			mix(colours[band % colours.length]!, ground[0], 0.5 * (1 - at)),
			dark ? '#0c0a1e' : '#2b1d3e',
			at * 0.4,
		);
		const points: Point[] = [];
		for (let px = -40; px <= width + 80; px += 40) points.push([px, ridge(px)]);
		const paint = frame.definitions.linear([
			stop(0, mix(colour, '#ffffff', 0.2)),
			stop(0.3, colour),
			stop(1, mix(colour, ground[1], 0.4)),
		]);
		parts.push(
			fill(`${path`M-40 ${height + 20}L-40 ${points[0]![1]}`}${through(points)}${path`V${height + 20}Z`}`, paint, 0.94),
		);
		parts.push(line(path`M-40 ${points[0]![1]}` + through(points), mix(colour, '#ffffff', 0.55), 2.5, 0.5));
	}
	return parts.join('');
};

/** Two or three large fields with soft edges, one above the other. */
const fields: Composition = (frame, { colours, spark, ground }, random) => {
	const { width, height, definitions } = frame;
	const blur = definitions.add(
		(id) =>
			`<filter id="${id}" x="-10%" y="-10%" width="120%" height="120%"><feGaussianBlur stdDeviation="9"/></filter>`,
	);
	const shares = random.pick([
		[0.56, 0.3],
		[0.3, 0.56],
		[0.24, 0.2, 0.38],
		[0.42, 0.16, 0.28],
	]);
	const inset = width * random.between(0.08, 0.12);
	let y = height * 0.07;
	const drawn = shares.map((share, index) => {
		const tall = (height * share * 0.86) / shares.reduce((sum, each) => sum + each, 0);
		const colour = index === 1 ? spark : colours[index]!;
		const layers = [0, 1, 2].map((layer) => {
			const tone = mix(colour, layer === 1 ? '#ffffff' : ground[1], layer * 0.1);
			const edge = layer * 16;
			return fill(box(inset + edge, y + edge, width - 2 * (inset + edge), tall - 2 * edge, 20), tone, 0.6);
		});
		y += tall + height * 0.03;
		return group(layers.join(''), `filter="url(#${blur})"`);
	});
	return drawn.join('');
};

/** Circles, half circles, triangles, bars and arcs that balance on a diagonal, joined by thin lines. */
const constellation: Composition = (frame, { colours, spark, dark }, random) => {
	const { width, height } = frame;
	const unit = Math.min(width, height) / 1000;
	const ink = dark ? '#f5efe2' : '#2a2338';
	const down = random.chance(0.5) ? 1 : -1;
	const spots = Array.from({ length: 13 }, (_, index): Point => {
		const along = (index + random.between(0.1, 0.9)) / 13;
		const off = random.between(-0.27, 0.27) * (1 - Math.abs(along - 0.5));
		return [width * (0.1 + along * 0.8), height * (0.5 + down * (along - 0.5) * 0.62 + off)];
	});
	const joints = spots.slice(1).map(([x, y], index) => path`M${spots[index]![0]} ${spots[index]![1]}L${x} ${y}`);
	const shapes = spots.map(([x, y], index) => {
		const size = unit * (index === 4 ? 175 : index === 9 ? 120 : random.between(22, 74));
		const colour = index === 4 ? spark : random.pick(colours);
		const turn = `transform="rotate(${random.whole(0, 180)} ${Math.round(x)} ${Math.round(y)})"`;
		const kind = index === 4 ? 0 : random.whole(0, 5);
		const triangle = path`M${x - size} ${y + size * 0.6}L${x + size} ${y + size * 0.6}L${x} ${y - size}Z`;
		if (kind === 0) return fill(disc(x, y, size), colour, 0.94) + line(disc(x, y, size * 1.22), ink, 2.2, 0.5);
		if (kind === 1)
			return group(fill(path`M${x - size} ${y}A${size} ${size} 0 0 1 ${x + size} ${y}Z`, colour, 0.94), turn);
		if (kind === 2) return group(fill(triangle, colour, 0.92), turn);
		if (kind === 3) return group(fill(box(x - size * 1.6, y - size * 0.16, size * 3.2, size * 0.32), ink, 0.86), turn);
		if (kind === 4) return [1, 0.72, 0.44].map((r) => line(disc(x, y, size * r), colour, 9 * unit)).join('');
		return group(fill(box(x - size * 0.8, y - size * 0.8, size * 1.6, size * 1.6), colour, 0.9), turn);
	});
	return line(joints.join(''), ink, 2.2, 0.45) + shapes.join('');
};

/** A grid of tiles with quarter circles, half circles and petals. */
const tiles: Composition = (frame, { colours, spark, ground }, random) => {
	const { width, height } = frame;
	const across = Math.max(4, Math.round(width / 200));
	const [w, rows] = [width / across, Math.max(4, Math.round(height / (width / across)))];
	const h = height / rows;
	const all: readonly [Hex, ...Hex[]] = [...colours, ground[0], ground[0], spark] as unknown as readonly [
		Hex,
		...Hex[],
	];
	const drawn: string[] = [];
	for (let index = 0; index < across * rows; index++) {
		const [x, y] = [(index % across) * w, Math.floor(index / across) * h];
		const [below, above] = random.shuffled(all) as [Hex, Hex];
		const shape = random.pick([
			path`M${x} ${y}H${x + w}A${w} ${h} 0 0 1 ${x} ${y + h}Z`,
			path`M${x + w} ${y + h}H${x}A${w} ${h} 0 0 1 ${x + w} ${y}Z`,
			path`M${x} ${y + h / 2}A${w / 2} ${h / 2} 0 0 1 ${x + w} ${y + h / 2}Z`,
			path`M${x} ${y}A${w} ${h} 0 0 1 ${x + w} ${y + h}A${w} ${h} 0 0 1 ${x} ${y}Z`,
			path`M${x} ${y + h}A${w} ${h} 0 0 1 ${x + w} ${y}A${w} ${h} 0 0 1 ${x} ${y + h}Z`,
			disc(x + w / 2, y + h / 2, Math.min(w, h) * 0.32),
		]);
		drawn.push(fill(box(x, y, w + 0.5, h + 0.5), below), fill(shape, above));
	}
	return drawn.join('');
};

/** Arcs about one corner, like the rings of a tree or ripples, crossed by a few drops. */
const ripples: Composition = (frame, { colours, spark, ground, dark }, random) => {
	const { width, height } = frame;
	const [x, y] = [width * random.pick([0.1, 0.5, 0.9]), height * random.pick([0.94, 0.62, 1.02])];
	const reach = Math.hypot(width, height);
	const rings: string[] = [];
	let at = 1;
	for (let ring = 0; at > 0.05; ring++) {
		const colour = mix(colours[ring % colours.length]!, ground[ring % 2]!, random.between(0.05, 0.5));
		rings.push(
			fill(disc(x, y, reach * at), colour),
			line(disc(x, y, reach * at), mix(colour, '#ffffff', 0.4), 1.6, 0.5),
		);
		at -= random.between(0.035, 0.1);
	}
	const heart =
		glow(frame, [x, y], reach * 0.4, spark, 0.5) + fill(disc(x, y, reach * 0.06), mix(spark, '#ffffff', 0.2));
	const drops = Array.from({ length: 26 }, () =>
		disc(width * random.next(), height * random.next(), random.between(2, 11) * random.next() + 2),
	);
	return rings.join('') + heart + fill(drops.join(''), dark ? '#fff6dc' : spark, 0.75);
};

const compositions: readonly Composition[] = [discs, bands, constellation, ripples, fields, tiles];

export function abstract(frame: Frame): Land {
	const { scene, width, height } = frame;
	const random = frame.random.fork('abstract');
	const palette = paletteOf(frame, random);
	const order = seeded(scene.seed).fork('abstract').shuffled(compositions);
	const [top, bottom] = palette.ground;
	return {
		back:
			fill(box(0, 0, width, height), frame.definitions.linear([stop(0, top), stop(1, bottom)])) +
			order[scene.variation % order.length]!(frame, palette, random),
		front: '',
		footing: (_, depth) => height * (0.86 - depth * 0.3),
		shadow: mix(bottom, '#1b1530', 0.5),
	};
}
