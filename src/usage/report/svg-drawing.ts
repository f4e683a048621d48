import { type PlacedText, textPath } from './text-outlines.ts';

type Stroke = { colour: string; width: number; dashes?: readonly [number, number] };

/** An SVG that is drawn shape by shape, each over those before it. Its text needs no fonts. Lengths are pixels. */
export class SvgDrawing {
	readonly #size: { width: number; height: number };
	readonly #shapes: string[] = [];

	constructor(size: { width: number; height: number }, page: string) {
		this.#size = size;
		this.rectangle({ x: 0, y: 0, ...size }, { fill: page });
	}

	/** Draws a rectangle. Its border lies inside. */
	rectangle(
		{ x, y, width, height }: { x: number; y: number; width: number; height: number },
		{ fill, border, radius = 0 }: { fill: string; border?: Stroke; radius?: number },
	): void {
		const inset = (border?.width ?? 0) / 2;
		const inside = (length: number) => round(Math.max(0, length - 2 * inset));
		const box = `x="${round(x + inset)}" y="${round(y + inset)}" width="${inside(width)}" height="${inside(height)}"`;
		this.#shapes.push(`<rect ${box} rx="${radius}" fill="${fill}"${border ? strokeOf(border) : ''}/>`);
	}

	/** Draws a horizontal line. */
	line({ from, to, y }: { from: number; to: number; y: number }, stroke: Stroke): void {
		this.#shapes.push(`<path d="M${round(from)} ${round(y)}H${round(to)}" fill="none"${strokeOf(stroke)}/>`);
	}

	/** Draws a text, which runs upwards when it is turned. */
	text(text: string, { isTurned = false, ...place }: PlacedText & { isTurned?: boolean }, fill: string): void {
		const turn = isTurned ? ` transform="rotate(-90 ${round(place.x)} ${round(place.y)})"` : '';
		this.#shapes.push(`<path d="${textPath(text, place)}" fill="${fill}"${turn}/>`);
	}

	toString(): string {
		const { width, height } = this.#size;
		const root = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`;
		return `${root}${this.#shapes.join('')}</svg>`;
	}
}

const strokeOf = ({ colour, width, dashes }: Stroke) =>
	` stroke="${colour}" stroke-width="${width}"${dashes ? ` stroke-dasharray="${dashes.join(' ')}"` : ''}`;

const round = (pixels: number) => Math.round(pixels * 10) / 10;
