/** Open country: meadow, forest, mountains, snowfield, village, lake and garden. */

import { prop } from '../props/props.ts';
import { adjust, type Hex, mix } from '../tools/colour.ts';
import { type Frame, ground, hills, type Land, misty, shaded } from '../tools/frame.ts';
import { lit, unlit } from '../tools/light.ts';
import { box, disc, fill, group, path, round } from '../tools/svg.ts';
import { hill, meadow, peaks, row, tufts, type View, viewOf, wood } from './layers.ts';
import { waters } from './water.ts';

/** How high the mountains are, and how dense the woods, from 0 to 1. */
const country =
	(mountains: number, woods: number) =>
	(frame: Frame): Land => {
		const view = viewOf(frame, 'country');
		const { chance, greens, height, horizon, y } = view;
		const isForest = woods > 0.8;
		const tall = Math.min(horizon * (0.32 + 0.5 * mountains), 700);
		const stage = hills(chance, y(0.27), 20, 1100);
		const edge = hills(chance, height - (height - horizon) * 0.03, 18, 800);
		const { lip, ...land } = meadow(view, stage, edge);
		const near = { tall: 150 + woods * 190, spacing: isForest ? 62 : 120, clear: isForest ? 0.3 : 0.44 };
		const back = [
			mountains > 0.3
				? peaks(view, horizon + 40, tall, 0.86) + (mountains > 0.6 ? peaks(view, horizon + 60, tall * 0.56, 0.62) : '')
				: hill(view, { at: -0.18, swing: 70, length: 900, depth: 0.88, colour: greens.far }),
			hill(view, { at: -0.02, swing: 46, length: 760, depth: 0.72, colour: greens.far }),
			hill(view, { at: 0.03, swing: 20, length: 640, depth: 0.62, trees: { tall: 100 + woods * 90, spacing: 30 } }),
			hill(view, { at: 0.12, swing: 24, length: 700, depth: 0.42, trees: near }),
			isForest ? wood(view, stage, { depth: 0.2, tall: 420, spacing: 120, clear: 0.72 }) : '',
			land.back,
		];
		return { ...land, back: back.join(''), front: window(view, isForest ? 760 : 430, lip) + land.front };
	};

export const countries = {
	meadow: country(0.35, 0.4),
	mountains: country(1, 0.5),
	forest: country(0.2, 1),
	snowfield: country(0.7, 0.5),
};

/** Dark trees at the edges, nearer than everything else, that make the view a window. */
function window(view: View, tall: number, colour: Hex): string {
	const { width, height, chance, greens, light } = view;
	const name = chance.pick(greens.trees);
	const kind = name === 'snowyPine' || name === 'poplar' ? 'pineTree' : name;
	const size = Math.min(tall, height * 0.72) * (kind === 'tree' || kind === 'blossomTree' ? 0.7 : 1);
	const dark = mix(colour, light.deep, 0.15);
	const own = { colour: dark, accent: dark, light: unlit(light) };
	return [-0.03, 1.03, chance.pick([0.06, 0.94])]
		.map((x, index) => {
			const tall = size * (index === 2 ? 0.5 : chance.between(0.7, 1));
			return prop(view, kind, { at: [width * x, height + 20], height: tall, ...own });
		})
		.join('');
}

/** Cottages on hills. */
export function village(frame: Frame): Land {
	const view = viewOf(frame, 'village');
	const { chance, scene, horizon, height, y } = view;
	const roofs: [Hex, ...Hex[]] = scene.season === 'winter' ? ['#f2f6fc'] : ['#b5483c', '#8a4a45', '#5f6a80', '#a8653a'];
	const rows = [0.04, 0.14].map((at, index) => {
		const ridge = hills(chance, y(at), 26, 620);
		const depth = 0.62 - index * 0.26;
		return (
			wood(view, ridge, { depth, tall: 110 + index * 50, spacing: 130 }) +
			ground(view, ridge, misty(view, view.greens.ground, depth)) +
			row(view, (x) => ridge(x) + 10, {
				of: ['house', 'house', 'cabin', 'church'],
				tall: 76 + index * 56,
				spacing: 120 + index * 80,
				depth: depth * 0.8,
				colour: (name) =>
					name === 'cabin' ? '#8f5a38' : chance.pick<Hex>(['#f2e3c6', '#e8c9a0', '#d9d5cf', '#e6b59a']),
				accent: () => chance.pick(roofs),
			})
		);
	});
	const { back, ...land } = meadow(
		view,
		hills(chance, y(0.34), 16, 900),
		hills(chance, height - (height - horizon) * 0.04, 14, 700),
	);
	return { ...land, back: peaks(view, horizon + 40, Math.min(horizon * 0.45, 340), 0.86) + rows.join('') + back };
}

/** Water before a wooded bank with mountains, which it mirrors. */
export function lake(frame: Frame): Land {
	const view = viewOf(frame, 'lake');
	const { chance, horizon, light, y } = view;
	const bank = hills(chance, horizon - 6, 12, 500);
	const scenery =
		peaks(view, horizon + 8, Math.min(340, horizon * 0.5), 0.8) +
		wood(view, bank, { depth: 0.56, tall: 120, spacing: 34 }) +
		ground(view, bank, misty(view, view.greens.ground, 0.5), horizon + 10);
	const mirror = group(scenery, `opacity="0.5" transform="translate(0 ${round(horizon * 2 + 6)})scale(1 -1)"`);
	const { back, front, lip, ...land } = meadow(view, hills(chance, y(0.62), 24, 1000), hills(chance, y(0.95), 16, 700));
	const strokes = Array.from({ length: 70 }, () => {
		const down = chance.next() * 0.6;
		return box(chance.between(-60, view.width), y(down) + 6, chance.between(40, 200), 1.5 + down * 4, 2);
	});
	return {
		...land,
		back:
			scenery +
			waters(view, horizon + 2) +
			mirror +
			fill(strokes.join(''), mix(light.sky[2], '#ffffff', 0.3), 0.35) +
			back,
		front: front + row(view, () => y(1) + 6, { of: ['reed'], tall: 210, spacing: 40, clear: 0.6, colour: () => lip }),
		footing: (x, depth) => land.footing(x, depth * 0.86),
		water: y(0.34),
	};
}

const BEDS: readonly Hex[] = ['#e8506a', '#f5b53a', '#9a7ae0', '#f28ab5', '#f4f1ea', '#e8683a', '#6a8ae8'];

/** Rows of flowers that run to the horizon. */
export function garden(frame: Frame): Land {
	const view = viewOf(frame, 'garden');
	const { chance, greens, height, width, light, scene, y } = view;
	const beds = chance.shuffled(BEDS);
	const near = lit(light, greens.ground, 0.12);
	const [top, vanish] = [y(0.16), width * 0.5 + (view.luminary.at[0] - width * 0.5) * 0.3];
	const rows: string[] = [];
	const count = Math.ceil(9 * Math.max(1, width / 1000));
	for (let bed = -count; bed <= count; bed++) {
		const [from, to] = [vanish + bed * 46, vanish + bed * 250];
		const own = scene.tint && adjust(scene.tint, { l: (bed % 3) * 0.05 - 0.04, h: (bed % 3) * 12 - 10 });
		const tone = lit(light, own ?? beds[Math.abs(bed) % 4]!, 0.08);
		const soil = path`M${from - 12} ${top}L${from + 12} ${top}L${to + 66} ${height + 10}L${to - 66} ${height + 10}Z`;
		let [petals, lights] = ['', ''];
		for (let at = 0.01; at < 1; at += 0.012 + at * 0.03) {
			const [x, r] = [from + (to - from) * at, 2.4 + at * 10];
			if (x < -80 || x > width + 80) continue;
			for (let bloom = 0; bloom < 5; bloom++) {
				const spread = chance.between(-1, 1) * (12 + at * 54);
				const petal = disc(x + spread, top + at * (height - top) + chance.between(-r, r), r * chance.between(0.7, 1.1));
				if (chance.chance(0.7)) petals += petal;
				else lights += petal;
			}
		}
		rows.push(
			fill(soil, mix(near, light.deep, 0.22)),
			fill(petals, shaded(view, tone, [light.haze, 0.45], 0.2, 0.4)),
			fill(lights, mix(tone, light.glow, 0.4)),
		);
	}
	return {
		back:
			hill(view, { at: -0.02, swing: 30, length: 600, depth: 0.84, colour: greens.far }) +
			hill(view, { at: 0.06, swing: 14, length: 600, depth: 0.5, trees: { tall: 130, spacing: 54 } }) +
			ground(view, () => top, shaded(view, near, [light.haze, 0.4], 0.3, 0.5)) +
			rows.join(''),
		front: tufts(view, () => height - 30, mix(near, light.deep, 0.6), []),
		footing: (_, depth) => top + (height - top) * (0.62 - depth * 0.42),
		shadow: mix(near, light.deep, 0.66),
	};
}
