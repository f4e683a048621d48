/** Open country: meadow, hills, mountains, forest, snowfield. */
import { mix } from '../colour.ts';
import { type Frame, ground, hills, type Land, misty, shaded } from '../frame.ts';
import { lit } from '../light.ts';
import { framing, greens, tufts, winter, wood } from './flora.ts';
import { peaks } from './peaks.ts';

interface Layout {
	readonly mountains: number;
	readonly woods: number;
}

const layouts: Record<string, Layout> = {
	meadow: { mountains: 0.35, woods: 0.4 },
	mountains: { mountains: 1, woods: 0.5 },
	forest: { mountains: 0.2, woods: 1 },
	snowfield: { mountains: 0.7, woods: 0.5 },
};

export function country(frame: Frame): Land {
	const { random: chance, horizon, height, light, scene } = frame;
	const random = chance.fork('country');
	const layout = layouts[scene.place ?? 'meadow'] ?? layouts['meadow']!;
	const palette = greens(frame);
	const deep = height - horizon;
	const back: string[] = [];
	if (layout.mountains > 0.3) {
		const tall = horizon * (0.24 + 0.52 * layout.mountains);
		back.push(
			peaks(frame, {
				base: horizon + 40,
				height: Math.min(tall, 760),
				width: 620,
				depth: 0.86,
				colour: palette.rock,
				snow: 0.34,
				random,
			}),
		);
		if (layout.mountains > 0.6)
			back.push(
				peaks(frame, {
					base: horizon + 60,
					height: Math.min(tall * 0.56, 460),
					width: 420,
					depth: 0.62,
					colour: palette.rock,
					snow: palette === winter ? 0.4 : 0.16,
					random,
				}),
			);
	} else {
		back.push(ground(frame, hills(random, horizon - 70, 70, 900), misty(frame, palette.far, 0.88)));
	}
	back.push(ground(frame, hills(random, horizon - 8, 46, 760), misty(frame, palette.far, 0.72)));
	const clear: [number, number] = [frame.width * 0.28, frame.width * 0.72];
	if (layout.woods > 0.3) {
		const far = hills(random, horizon + deep * 0.03, 20, 640);
		back.push(
			wood(frame, { ridge: far, depth: 0.66, height: 105 + layout.woods * 90, spacing: 30, random }),
			ground(frame, far, misty(frame, palette.ground, 0.62)),
		);
		const middle = hills(random, horizon + deep * 0.12, 24, 700);
		back.push(
			wood(frame, {
				ridge: middle,
				depth: 0.42,
				height: 150 + layout.woods * 190,
				spacing: layout.woods > 0.8 ? 62 : 120,
				random,
				clear: layout.woods > 0.8 ? [clear[0] + 60, clear[1] - 60] : clear,
			}),
		);
		back.push(ground(frame, middle, misty(frame, palette.ground, 0.42)));
	} else back.push(ground(frame, hills(random, horizon + deep * 0.1, 30, 600), misty(frame, palette.ground, 0.45)));
	const stage = hills(random, horizon + deep * 0.27, 20, 1100);
	if (layout.woods > 0.8)
		back.push(
			wood(frame, {
				ridge: stage,
				depth: 0.2,
				height: 420,
				spacing: 120,
				random,
				clear: [frame.width * 0.14, frame.width * 0.86],
			}),
		);
	const near = lit(light, palette.ground, 0.12);
	back.push(ground(frame, stage, shaded(frame, near, [light.glow, 0.22], 0.35, 0.4)));
	back.push(tufts(frame, stage, random, mix(near, light.deep, 0.4), palette.flower));
	const edge = hills(random, height - deep * 0.03, 18, 800);
	const choice = random.pick(palette.kinds);
	const kind = choice === 'poplar' || choice === 'birch' ? 'pine' : choice;
	const lip = mix(lit(light, palette.ground), light.deep, palette === winter ? 0.3 : 0.62);
	return {
		back: back.join(''),
		front:
			framing(frame, layout.woods > 0.8 ? 760 : 430, kind, lip, random) +
			ground(frame, edge, lip) +
			tufts(frame, (x) => edge(x) - 30, random, mix(lip, light.deep, 0.3), []),
		footing: (x, depth) => stage(x) + (height - stage(x)) * (0.5 - depth * 0.42),
		shadow: mix(near, light.deep, 0.62),
	};
}
