import { seeded } from '../drawing/tools/random.ts';
import type { Picture } from './picture.ts';

/** Returns an SVG of strokes in the picture's own colours, along lines that swirl: large ones first, small ones over them. */
export function brushStrokes({ data, width, height }: Picture): Buffer {
	const random = seeded('brush');
	const side = Math.min(width, height);
	const strokes: string[] = [];
	for (const [thick, count] of [
		[side / 44, 2000],
		[side / 120, 9000],
	] as const)
		for (let index = 0; index < count * Math.min(3, Math.max(width, height) / side); index++) {
			const [x, y] = [random.whole(0, width - 1), random.whole(0, height - 1)];
			const at = (y * width + x) * 4;
			const shade = random.between(0.9, 1.1);
			const colour = [0, 1, 2].map((channel) => Math.min(255, Math.round((data[at + channel] ?? 0) * shade)));
			const turn = Math.sin((x / side) * 5.3) + Math.cos((y / side) * 6.1) + Math.sin(((x + y) / side) * 3.7);
			const [dx, dy] = [Math.cos(turn) * thick * 1.5, Math.sin(turn) * thick * 1.5];
			strokes.push(
				`<path d="M${(x - dx).toFixed(1)} ${(y - dy).toFixed(1)}q${(dx - dy * 0.3).toFixed(1)} ${(dy + dx * 0.3).toFixed(1)} ${(2 * dx).toFixed(1)} ${(2 * dy).toFixed(1)}" stroke="rgb(${colour.join()})" stroke-width="${thick.toFixed(1)}"/>`,
			);
		}
	return Buffer.from(
		`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><g fill="none" stroke-linecap="round" opacity="0.82">${strokes.join('')}</g></svg>`,
	);
}
