/** Compositions without things: colours and shapes by mood, time and tint. Every variation is another composition. */
import type { Mood, Time } from '../../scene/names.ts';
import { type Hex, lch, mix, toLch } from '../tools/colour.ts';
import { type Frame, glow, ground, hills, type Land } from '../tools/frame.ts';
import { type Random, seeded } from '../tools/random.ts';
import { box, disc, fill, group, line, type Point, path, stop } from '../tools/svg.ts';

interface Palette {
	readonly isDark: boolean;
	/** Top and bottom of the ground. */
	readonly ground: readonly [Hex, Hex];
	/** Neighbours that go well with each other. */
	readonly colours: readonly [Hex, Hex, Hex, ...Hex[]];
	/** Stands out from all of them. */
	readonly spark: Hex;
}

/** Hues are drawn from `hue`, and spread over `spread` degrees; without a hue, anywhere. */
interface Feeling {
	readonly hue?: readonly [number, number];
	readonly spread: number;
	readonly chroma: number;
	readonly isDark?: boolean;
}

const PLAIN: Feeling = { spread: 110, chroma: 0.13 };
const FEELINGS: Readonly<Record<Mood, Feeling>> = {
	calm: { hue: [170, 250], spread: 60, chroma: 0.075 },
	cosy: { hue: [25, 65], spread: 55, chroma: 0.12 },
	eerie: { hue: [130, 300], spread: 70, chroma: 0.08, isDark: true },
	joyful: { spread: 300, chroma: 0.17 },
	dramatic: { hue: [0, 45], spread: 60, chroma: 0.18, isDark: true },
	dreamy: { hue: [250, 340], spread: 110, chroma: 0.1 },
	lonely: { hue: [215, 265], spread: 24, chroma: 0.045 },
};
const HUES: Readonly<Record<Time, readonly [number, number]>> = {
	dawn: [350, 420],
	day: [0, 360],
	golden: [40, 90],
	sunset: [350, 410],
	dusk: [270, 330],
	night: [220, 300],
};

function paletteOf({ scene }: Frame, random: Random): Palette {
	const { tint, second, time, mood } = scene;
	const feeling = mood ? FEELINGS[mood] : PLAIN;
	const own = tint && toLch(tint);
	const drawn = random.between(...(feeling.hue ?? HUES[time]));
	const hue = own?.h ?? drawn;
	const chroma = own ? Math.min(feeling.chroma * 1.2, Math.max(0.01, own.c)) : feeling.chroma;
	const spread = own ? Math.min(feeling.spread, 70) : feeling.spread;
	const isDark = feeling.isDark ?? (time === 'night' || time === 'dusk');
	if (tint && second)
		return {
			isDark,
			ground: isDark
				? [lch(0.2, 0.05, hue), mix(tint, '#1b1830', 0.6)]
				: [mix(tint, '#ffffff', 0.82), mix(second, '#ffffff', 0.6)],
			colours: [tint, second, mix(tint, '#ffffff', 0.35), mix(second, '#ffffff', 0.3), mix(tint, '#1b1830', 0.25)],
			spark: second,
		};
	const colour = (turn: number, index: number) =>
		lch((isDark ? 0.48 : 0.6) + index * 0.065, chroma * (1 - (index % 3) * 0.12), hue + turn * spread);
	const colours = [colour(0, 0), colour(0.5, 1), colour(-0.5, 2), colour(0.25, 3), colour(-0.25, 4)] as const;
	const bright = lch(0.95, chroma * 0.18, hue + 20);
	const deep = lch(0.2, Math.min(0.06, chroma * 0.5), hue - 15);
	return {
		isDark,
		ground: isDark ? [deep, mix(deep, colours[0], 0.32)] : [bright, mix(bright, colours[1], 0.34)],
		colours: [...colours],
		spark: lch(isDark ? 0.86 : 0.7, Math.max(0.1, chroma * 1.25), hue + 175),
	};
}

type Composition = (frame: Frame, palette: Palette, random: Random) => string;
const each = (count: number, draw: (index: number) => string) =>
	Array.from({ length: count }, (_, index) => draw(index)).join('');

/** Large translucent discs that deepen where they overlap, one of them in the contrasting colour. */
const discs: Composition = ({ width, height, definitions }, { colours, spark, isDark }, random) => {
	const unit = Math.min(width, height);
	const drawn = each(9, (index) => {
		const r = unit * (index < 3 ? random.between(0.24, 0.36) : random.between(0.05, 0.2));
		const [x, y] = [width * random.between(0.12, 0.88), height * random.between(0.14, 0.86)];
		const colour = index === 4 ? spark : colours[index % colours.length]!;
		const paint = definitions.linear([stop(0, mix(colour, '#ffffff', 0.16)), stop(1, colour)]);
		return fill(disc(x, y, r), paint, 0.78) + line(disc(x, y, r * 1.06), colour, 2, 0.5);
	});
	return group(drawn, `style="mix-blend-mode:${isDark ? 'screen' : 'multiply'}"`);
};

/** Bands that flow across, each a little darker than the one behind it, under a disc. */
const bands: Composition = (frame, { colours, spark, isDark, ground: [top, bottom] }, random) => {
	const { width, height, definitions } = frame;
	const [x, y, r] = [width * random.between(0.25, 0.75), height * random.between(0.2, 0.34), random.between(80, 150)];
	const sun =
		glow(frame, [x, y], r * 3.4, spark, 0.5) + fill(disc(x, y, r), mix(spark, '#ffffff', isDark ? 0.25 : 0.1));
	const flow = each(7, (band) => {
		const down = band / 7;
		const ridge = hills(random, height * (0.3 + down * 0.68), 80 - down * 20, width * random.between(0.7, 1.3));
		const faded = mix(colours[band % colours.length]!, top, 0.5 * (1 - down));
		const colour = mix(faded, isDark ? '#0c0a1e' : '#2b1d3e', down * 0.4);
		const stops = [
			stop(0, mix(colour, '#ffffff', 0.35)),
			stop(0.06, mix(colour, '#ffffff', 0.12)),
			stop(0.3, colour),
			stop(1, mix(colour, bottom, 0.4)),
		];
		return ground(frame, ridge, definitions.linear(stops));
	});
	return sun + flow;
};

/** Two or three large fields with soft edges, one above the other. */
const fields: Composition = ({ width, height, definitions }, { colours, spark, ground }, random) => {
	const blur = definitions.add((id) => `<filter id="${id}"><feGaussianBlur stdDeviation="9"/></filter>`);
	const shares = random.pick([
		[0.65, 0.35],
		[0.35, 0.65],
		[0.3, 0.24, 0.46],
		[0.49, 0.18, 0.33],
	]);
	const inset = width * random.between(0.08, 0.12);
	let y = height * 0.07;
	const field = (share: number, index: number) => {
		const tall = height * share * 0.86;
		const colour = index === 1 ? spark : colours[index]!;
		const layers = each(3, (layer) => {
			const [tone, edge] = [mix(colour, layer === 1 ? '#ffffff' : ground[1], layer * 0.1), layer * 16];
			return fill(box(inset + edge, y + edge, width - 2 * (inset + edge), tall - 2 * edge, 20), tone, 0.6);
		});
		y += tall + height * 0.03;
		return group(layers, `filter="url(#${blur})"`);
	};
	return shares.map(field).join('');
};

/** Circles, half circles, triangles, bars and squares that balance on a diagonal, joined by thin lines. */
const constellation: Composition = ({ width, height }, { colours, spark, isDark }, random) => {
	const unit = Math.min(width, height) / 1000;
	const ink = isDark ? '#f5efe2' : '#2a2338';
	const down = random.chance(0.5) ? 1 : -1;
	const spots = Array.from({ length: 13 }, (_, index): Point => {
		const along = (index + random.between(0.1, 0.9)) / 13;
		return [width * (0.1 + along * 0.8), height * (0.5 + down * (along - 0.5) * 0.62 + random.between(-0.2, 0.2))];
	});
	const shape = ([x, y]: Point, index: number) => {
		const size = unit * (index === 4 ? 175 : index === 9 ? 120 : random.between(36, 92));
		const colour = index === 4 ? spark : random.pick(colours);
		const shapes: [string, ...string[]] = [
			disc(x, y, size),
			path`M${x - size} ${y}A${size} ${size} 0 0 1 ${x + size} ${y}Z`,
			path`M${x - size} ${y + size * 0.6}H${x + size}L${x} ${y - size}Z`,
			box(x - size * 1.6, y - size * 0.16, size * 3.2, size * 0.32),
			box(x - size * 0.8, y - size * 0.8, size * 1.6, size * 1.6),
		];
		if (index === 4) return fill(shapes[0], colour, 0.94) + line(disc(x, y, size * 1.22), ink, 2.2, 0.5);
		const turn = `transform="rotate(${random.whole(0, 180)} ${Math.round(x)} ${Math.round(y)})"`;
		return group(fill(random.pick(shapes), random.chance(0.2) ? ink : colour, 0.92), turn);
	};
	const joints = spots.map(([x, y], index) => (index ? 'L' : 'M') + path`${x} ${y}`).join('');
	return line(joints, ink, 2.2, 0.45) + spots.map(shape).join('');
};

/** A grid of tiles with quarter circles, half circles and petals. */
const tiles: Composition = ({ width, height }, { colours, spark, ground }, random) => {
	const across = Math.max(4, Math.round(width / 200));
	const w = width / across;
	const rows = Math.max(4, Math.round(height / w));
	const h = height / rows;
	return each(across * rows, (index) => {
		const [x, y] = [(index % across) * w, Math.floor(index / across) * h];
		const [below = spark, above = spark] = random.shuffled([...colours, ground[0], ground[0], spark]);
		const shape = random.pick([
			path`M${x} ${y}H${x + w}A${w} ${h} 0 0 1 ${x} ${y + h}Z`,
			path`M${x + w} ${y + h}H${x}A${w} ${h} 0 0 1 ${x + w} ${y}Z`,
			path`M${x} ${y + h / 2}A${w / 2} ${h / 2} 0 0 1 ${x + w} ${y + h / 2}Z`,
			path`M${x} ${y}A${w} ${h} 0 0 1 ${x + w} ${y + h}A${w} ${h} 0 0 1 ${x} ${y}Z`,
			path`M${x} ${y + h}A${w} ${h} 0 0 1 ${x + w} ${y}A${w} ${h} 0 0 1 ${x} ${y + h}Z`,
			disc(x + w / 2, y + h / 2, Math.min(w, h) * 0.32),
		]);
		return fill(box(x, y, w + 0.5, h + 0.5), below) + fill(shape, above);
	});
};

/** Rings about one corner, as of a tree or ripples, crossed by a few drops. */
const ripples: Composition = (frame, { colours, spark, ground, isDark }, random) => {
	const { width, height } = frame;
	const [x, y] = [width * random.pick([0.1, 0.5, 0.9]), height * random.pick([0.94, 0.62, 1.02])];
	const reach = Math.hypot(width, height);
	let rings = '';
	for (let [at, ring] = [1, 0]; at > 0.05; at -= random.between(0.035, 0.1), ring++) {
		const colour = mix(colours[ring % colours.length]!, ground[ring % 2]!, random.between(0.05, 0.5));
		rings += fill(disc(x, y, reach * at), colour) + line(disc(x, y, reach * at), mix(colour, '#ffffff', 0.4), 1.6, 0.5);
	}
	const heart =
		glow(frame, [x, y], reach * 0.4, spark, 0.5) + fill(disc(x, y, reach * 0.06), mix(spark, '#ffffff', 0.2));
	const drops = each(26, () =>
		disc(width * random.next(), height * random.next(), random.between(2, 11) * random.next() + 2),
	);
	return rings + heart + fill(drops, isDark ? '#fff6dc' : spark, 0.75);
};

const COMPOSITIONS: readonly Composition[] = [discs, bands, constellation, ripples, fields, tiles];

export function abstract(frame: Frame): Land {
	const { scene, width, height, definitions } = frame;
	const random = frame.random.fork('abstract');
	const palette = paletteOf(frame, random);
	const order = seeded(scene.seed).fork('abstract').shuffled(COMPOSITIONS);
	const [top, bottom] = palette.ground;
	const ground = fill(box(0, 0, width, height), definitions.linear([stop(0, top), stop(1, bottom)]));
	return {
		back: ground + order[scene.variation % order.length]!(frame, palette, random),
		footing: (depth) => height * (0.86 - depth * 0.3),
		shadow: mix(bottom, '#1b1530', 0.5),
	};
}
