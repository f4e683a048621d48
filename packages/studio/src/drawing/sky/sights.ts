/** Sights in the sky: aurora, rainbow, shooting stars, lightning. */
import { lch, mix } from '../tools/colour.ts';
import type { Frame } from '../tools/frame.ts';
import { glow } from '../tools/frame.ts';
import type { Random } from '../tools/random.ts';
import { disc, fill, group, line, type Point, path, round, stop } from '../tools/svg.ts';

export function aurora(frame: Frame, random: Random): string {
	const hue = random.between(140, 175);
	const veils: string[] = [];
	for (let veil = 0; veil < 3; veil++) {
		const base = frame.horizon * (0.42 + veil * 0.16);
		const [swing, phase, pace] = [random.between(50, 110), random.between(0, 7), random.between(160, 260)];
		const colour = lch(0.82, 0.19, hue + veil * 22);
		const violet = lch(0.62, 0.2, hue + 130);
		const paint = frame.definitions.linear([
			stop(0, violet, 0),
			stop(0.35, violet, 0.14),
			stop(0.8, colour, 0.5),
			stop(0.94, mix(colour, '#ffffff', 0.3), 0.62),
			stop(1, colour, 0),
		]);
		const rays: string[] = [];
		const step = Math.max(13, frame.width / 130);
		for (let x = -20; x < frame.width + 20; x += step) {
			const y = base + Math.sin(x / pace + phase) * swing + Math.sin(x / (pace * 0.37) + phase) * swing * 0.35;
			const tall = random.between(170, 420) * (0.75 + 0.4 * Math.sin(x / 97 + veil));
			rays.push(
				fill(
					path`M${x} ${y - tall}L${x + step * 2.1} ${y - tall * 0.93}L${x + step * 2.1} ${y + 8}L${x} ${y}Z`,
					paint,
					random.between(0.35, 0.8),
				),
			);
		}
		veils.push(rays.join(''));
	}
	return veils.join('');
}

export function rainbow(frame: Frame): string {
	const [x, y] = [frame.width * (frame.luminary.at[0] < frame.width / 2 ? 0.72 : 0.28), frame.horizon + 90];
	const radius = Math.min(620, frame.horizon * 0.95);
	const bows = [25, 55, 95, 150, 225, 265, 310].map((hue, index) =>
		line(
			`M${x - radius + index * 15} ${y}A${radius - index * 15} ${radius - index * 15} 0 0 1 ${x + radius - index * 15} ${y}`,
			lch(0.78, 0.15, hue),
			15.5,
		),
	);
	return group(bows.join(''), 'opacity="0.5" stroke-linecap="butt"');
}

export function comet(frame: Frame, random: Random): string {
	const tails: string[] = [];
	for (let index = 0; index < 3; index++) {
		const [x, y, length] = [
			random.between(0.2, 0.9) * frame.width,
			random.between(0.08, 0.5) * frame.horizon,
			random.between(120, 260),
		];
		const paint = frame.definitions.linear([stop(0, '#ffffff', 0.95), stop(1, '#ffffff', 0)], {
			from: [x, y],
			to: [x + length, y - length * 0.6],
		});
		tails.push(
			fill(path`M${x - 3} ${y + 2}L${x + length} ${y - length * 0.6}L${x + 2} ${y - 3}Z`, paint),
			fill(disc(x, y, 4), '#ffffff'),
		);
	}
	return tails.join('');
}

export function lightning(frame: Frame, random: Random): string {
	const bolts: string[] = [];
	for (let bolt = 0; bolt < random.whole(1, 2); bolt++) {
		let [x, y] = [random.between(0.15, 0.85) * frame.width, frame.horizon * 0.12];
		const main: Point[] = [[x, y]];
		const forks: string[] = [];
		while (y < frame.horizon * 0.98) {
			x += random.between(-55, 55);
			y += random.between(30, 70);
			main.push([x, y]);
			if (random.chance(0.28)) forks.push(`M${x} ${y}l${random.between(-60, 60)} 50l${random.between(-40, 40)} 60`);
		}
		const path = `M${main.map((point) => point.map(round).join(' ')).join('L')}`;
		bolts.push(
			glow(frame, main[1]!, 420, '#dfe6ff', 0.5),
			line(path, '#cdd6ff', 16, 0.22),
			line(forks.join(''), '#e8ecff', 3, 0.8),
			line(path, '#ffffff', 5.5),
		);
	}
	return bolts.join('');
}
