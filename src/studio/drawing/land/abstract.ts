import type { Frame, Land } from '../frame.ts';
import { box, fill } from '../svg.ts';
export function abstract(frame: Frame): Land {
	return {
		back: fill(box(0, 0, frame.width, frame.height), frame.light.sky[1]),
		front: '',
		footing: (_, depth) => frame.height * (0.8 - depth * 0.3),
		shadow: frame.light.deep,
	};
}
