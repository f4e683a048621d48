import type { Font, Glyph } from 'opentype.js';
import { interFont } from '../../fonts/inter.ts';

export type TextFont = {
	/** Pixels per em. */
	size: number;
	bold?: boolean;
};

/**
 * The distance in em from the alphabetic baseline up to the central one: half the difference of Inter's ascender and
 * descender.
 */
const CENTRAL_BASELINE = (1984 - 494) / 2 / 2048;

const ANCHOR_SHIFTS = { start: 0, middle: 0.5, end: 1 };

export type PlacedText = TextFont & {
	x: number;
	/** The middle between ascenders and descenders. */
	y: number;
	anchor?: keyof typeof ANCHOR_SHIFTS;
};

/**
 * Returns a text as the `d` attribute of a path, so that an SVG can be rasterized without fonts. Letters are those of Inter's Latin
 * file, which also has the punctuation and arrows that charts use, and of its Cyrillic file. Any other letter becomes an open box.
 */
export function textPath(text: string, { x, y, anchor = 'start', ...font }: PlacedText): string {
	const { glyphs, width } = layOut(text, font);
	const left = x - width * ANCHOR_SHIFTS[anchor];
	const baseline = y + font.size * CENTRAL_BASELINE;
	return glyphs.map(({ glyph, offset }) => glyph.getPath(left + offset, baseline, font.size).toPathData(2)).join('');
}

/** Returns the width of a text in pixels. */
export const textWidth = (text: string, font: TextFont): number => layOut(text, font).width;

/**
 * Places one kerned glyph for each character, in pixels. Inter's substitutions are not applied: opentype.js does not
 * support them.
 */
function layOut(text: string, { size, bold = false }: TextFont) {
	let width = 0;
	let previous: { font: Font; glyph: Glyph } | undefined;
	const glyphs = [...text.replaceAll(/\p{Zs}/gu, ' ')].map((character) => {
		const font = interFont(/\p{sc=Cyrillic}/u.test(character) ? 'cyrillic' : 'latin', bold ? 700 : 400);
		const scale = size / font.unitsPerEm;
		const glyph = font.charToGlyph(character);
		if (previous?.font === font) width += font.getKerningValue(previous.glyph, glyph) * scale;
		previous = { font, glyph };
		const offset = width;
		width += (glyph.advanceWidth ?? 0) * scale;
		return { glyph, offset };
	});
	return { glyphs, width };
}

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
