import { type Hex, mix } from '../colour.ts';
import { type Frame, misty } from '../frame.ts';
import { lit } from '../light.ts';
import type { Random } from '../random.ts';
import { fill, type Point, polygon, stop } from '../svg.ts';

/** Peaks with a lit and a shaded face, and snow where they are high. */
export function peaks(
	frame: Frame,
	options: { base: number; height: number; width: number; depth: number; colour: Hex; snow: number; random: Random },
): string {
	const { base, height, width, depth, colour, snow, random } = options;
	const shadeRight = frame.luminary.at[0] < frame.width / 2;
	const body = misty(frame, colour, depth, 0.75);
	const side = mix(lit(frame.light, colour, depth), frame.light.deep, 0.3 * (1 - depth * 0.4));
	const white = lit(frame.light, '#ffffff', depth * 0.62);
	const drawn: { apex: number; svg: string }[] = [];
	for (let x = -width * 0.3; x < frame.width + width * 0.5; x += width * random.between(0.42, 0.75)) {
		const tall = height * random.between(0.55, 1.1);
		const half = width * random.between(0.5, 0.75) * (tall / height + 0.35);
		const top: Point = [x, base - tall];
		const flank = (s: number): Point[] =>
			[0.2, 0.4, 0.62, 0.82, 1].map((at) => [
				x + s * half * (at + random.between(-0.04, 0.04)),
				base - tall * (1 - at ** 0.92) + random.between(-12, 12),
			]);
		const [left, right] = [flank(-1), flank(1)];
		const spine: Point[] = [0.16, 0.32, 0.5, 0.7, 1].map((at, index) => [
			x + (index % 2 ? -1 : 1) * half * 0.1 * random.between(0.4, 1.5) + half * 0.1 * at,
			base - tall * (1 - at),
		]);
		const faces = shadeRight
			? polygon([top, ...right, ...spine.reverse()])
			: polygon([top, ...left, ...spine.reverse()]);
		let svg = fill(polygon([...left.reverse(), top, ...right, [x + half, base + 80], [x - half, base + 80]]), body);
		svg += fill(faces, frame.definitions.linear([stop(0, side, 0.85), stop(1, side, 0.05)]));
		if (snow > 0) {
			const cap = tall * snow * random.between(0.75, 1.15);
			const reach = half * (cap / tall) ** 1.09;
			const edge: Point[] = [];
			for (let at = 1; at >= -1; at -= 0.28)
				edge.push([
					x + at * reach * 0.98,
					base - tall + cap * (0.62 + 0.38 * Math.abs(at)) + random.between(-1, 1) * cap * 0.22,
				]);
			const snowRight: Point[] = [top, ...edge.filter(([ex]) => (shadeRight ? ex >= x : ex <= x))];
			svg += fill(polygon([top, ...edge]), white);
			svg += fill(polygon(snowRight), mix(white, side, 0.42));
		}
		drawn.push({ apex: top[1], svg });
	}
	return drawn
		.sort((a, b) => a.apex - b.apex)
		.map(({ svg }) => svg)
		.join('');
}
