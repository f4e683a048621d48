import type { Hex } from './colour.ts';

/** One decimal is a tenth of a thousandth of the picture's short side: enough, and half the text. */
export const round = (value: number): number => Math.round(value * 10) / 10;

export type Point = readonly [x: number, y: number];

/** A gradient's or line's stops: offset 0–1, colour, opacity. */
export type Stop = readonly [offset: number, colour: Hex, opacity?: number];

export const stop = (offset: number, colour: Hex, opacity = 1): Stop => [offset, colour, opacity];

export const disc = (x: number, y: number, r: number): string => oval(x, y, r, r);

/** Runs clockwise as `box` does, so that overlapping parts of one path add up. */
export function oval(x: number, y: number, rx: number, ry: number): string {
	const [a, b] = [round(rx), round(ry)];
	return `M${round(x - rx)} ${round(y)}a${a} ${b} 0 1 1 ${round(rx * 2)} 0a${a} ${b} 0 1 1 ${round(-rx * 2)} 0Z`;
}

export const box = (x: number, y: number, w: number, h: number): string =>
	`M${round(x)} ${round(y)}h${round(w)}v${round(h)}h${round(-w)}Z`;

/** A smooth curve through points (Catmull–Rom), without its `M`. */
export function through(points: readonly Point[]): string {
	let curve = '';
	for (let index = 0; index < points.length - 1; index++) {
		const at = (offset: number) => points[Math.min(points.length - 1, Math.max(0, index + offset))]!;
		const [a, b, c, d] = [at(-1), at(0), at(1), at(2)];
		const first = [b[0] + (c[0] - a[0]) / 6, b[1] + (c[1] - a[1]) / 6];
		const second = [c[0] - (d[0] - b[0]) / 6, c[1] - (d[1] - b[1]) / 6];
		curve += `C${[...first, ...second, ...c].map(round).join(' ')}`;
	}
	return curve;
}

export function fill(shape: string, paint: string, opacity = 1): string {
	return `<path d="${shape}" fill="${paint}"${opacity < 1 ? ` opacity="${Math.round(opacity * 1000) / 1000}"` : ''}/>`;
}

export function line(shape: string, paint: string, width: number, opacity = 1): string {
	const faint = opacity < 1 ? ` opacity="${Math.round(opacity * 1000) / 1000}"` : '';
	return `<path d="${shape}" fill="none" stroke="${paint}" stroke-width="${round(width)}" stroke-linecap="round" stroke-linejoin="round"${faint}/>`;
}

export const group = (content: string, attributes = ''): string => `<g${attributes && ` ${attributes}`}>${content}</g>`;

/** Gradients and filters of one picture, each under a name of its own. */
export type Definitions = ReturnType<typeof definitions>;

export function definitions() {
	const elements: string[] = [];
	const add = (element: (id: string) => string) => {
		const id = `d${elements.length}`;
		elements.push(element(id));
		return id;
	};
	const stopsOf = (stops: readonly Stop[]) =>
		stops
			.map(([offset, colour, opacity = 1]) => {
				const faint = opacity < 1 ? ` stop-opacity="${Math.round(opacity * 1000) / 1000}"` : '';
				return `<stop offset="${Math.round(offset * 1000) / 1000}" stop-color="${colour}"${faint}/>`;
			})
			.join('');
	return {
		/** Any element that takes an id; returns the id. */
		add,
		/** From top to bottom of what it fills. */
		linear: (stops: readonly Stop[]) =>
			`url(#${add((id) => `<linearGradient id="${id}" x2="0" y2="1">${stopsOf(stops)}</linearGradient>`)})`,
		/** From the middle of what it fills outwards. */
		radial: (stops: readonly Stop[]) =>
			`url(#${add((id) => `<radialGradient id="${id}">${stopsOf(stops)}</radialGradient>`)})`,
		toString: () => `<defs>${elements.join('')}</defs>`,
	};
}
