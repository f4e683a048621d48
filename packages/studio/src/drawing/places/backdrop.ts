import { isMark } from '../../scene/names.ts';
import { lch, mix, toLch } from '../tools/colour.ts';
import { type Frame, glow, type Land } from '../tools/frame.ts';
import { box, disc, fill, line, stop } from '../tools/svg.ts';

/** A plain background, as of product shots, portraits and logos, with a shape about what is shown on it. */
export function backdrop(frame: Frame): Land {
	const { width, height, scene, light, definitions, random } = frame;
	const { framing, tint, second } = scene;
	const neutral = framing === 'portrait' ? mix(light.sky[1], '#8d8f9a', 0.45) : '#f6f4ef';
	const colour = tint ?? (framing === 'sticker' ? lch(0.86, 0.06, random.fork('paper').between(0, 360)) : neutral);
	const isDark = toLch(colour).l < 0.5;
	const raised = scene.texts.length > 0;
	const [x, y, r] = [width / 2, height * (raised ? 0.42 : 0.5), Math.min(width, height) * (raised ? 0.32 : 0.4)];
	const soft = mix(second ?? colour, isDark ? '#ffffff' : '#31406a', second ? 0 : 0.14);
	const all = box(0, 0, width, height);
	const parts: string[] = [];
	if (isMark(framing)) parts.push(fill(all, colour));
	else if (second && scene.subjects.length === 0)
		parts.push(
			fill(all, definitions.linear([stop(0, colour), stop(1, second)], { from: [0, 0], to: [width, height] })),
		);
	else {
		const stops = [
			stop(0, mix(colour, '#ffffff', 0.2)),
			stop(0.72, colour),
			stop(0.76, mix(colour, '#1b1830', 0.1)),
			stop(1, mix(colour, '#ffffff', 0.14)),
		];
		parts.push(
			fill(all, definitions.linear(stops)),
			glow(frame, [x, height * 0.42], height * 0.6, mix(colour, '#ffffff', 0.7), 0.55),
		);
	}
	if (framing === 'icon') {
		const stops = [stop(0, mix(second ?? soft, '#ffffff', 0.3)), stop(1, second ?? mix(soft, '#2b2350', 0.2))];
		parts.push(fill(box(x - r, y - r, 2 * r, 2 * r, r * 0.44), definitions.linear(stops)));
	}
	if (framing === 'logo')
		parts.push(
			fill(disc(x, y, r), soft),
			line(disc(x, y, r * 0.93), mix(soft, isDark ? '#1b1830' : '#ffffff', 0.6), 7),
		);
	// A mark of its own for what has no drawing.
	if (isMark(framing) && scene.subjects.length === 0) {
		const hue = random.fork('mark').between(0, 360);
		for (const turn of [0, 1, 2]) {
			const angle = (turn / 3) * Math.PI * 2 - Math.PI / 2;
			const paint =
				tint && !second ? mix(tint, '#ffffff', 0.2 + turn * 0.2) : (second ?? lch(0.62, 0.15, hue + turn * 45));
			parts.push(fill(disc(x + Math.cos(angle) * r * 0.28, y + Math.sin(angle) * r * 0.28, r * 0.36), paint, 0.8));
		}
	}
	return {
		back: parts.join(''),
		footing: (depth) => height * (isMark(framing) ? (raised ? 0.64 : 0.76) : 0.82 - depth * 0.1),
		shadow: isMark(framing) ? soft : mix(colour, '#1b1830', 0.5),
	};
}
