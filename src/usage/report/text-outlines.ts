import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import opentype, { type Font, type Glyph } from 'opentype.js';

export type TextFont = {
	/** Pixels per em. */
	size: number;
	bold: boolean;
};

type Script = 'latin' | 'cyrillic';
type Weight = 400 | 700;

/**
 * Sets text as outlines, so that an SVG can be rasterized without fonts. Letters are those of Inter's Latin file, which
 * also has the punctuation and arrows that charts use, and of its Cyrillic file. Any other letter becomes an open box.
 */
export class TextOutlines {
	readonly #fonts = new Map<string, Font>();

	/** Returns the width of a text in pixels. */
	width(text: string, font: TextFont): number {
		return this.#layOut(text, font).width;
	}

	/** Returns a text as the `d` attribute of a path that starts at x on the baseline y. */
	path(text: string, x: number, y: number, font: TextFont): string {
		return this.#layOut(text, font)
			.glyphs.map(({ glyph, offset }) => glyph.getPath(x + offset, y, font.size).toPathData(2))
			.join('');
	}

	/**
	 * Places one kerned glyph for each character, in pixels. Inter's substitutions are not applied: opentype.js does not
	 * support them.
	 */
	#layOut(text: string, { size, bold }: TextFont) {
		let width = 0;
		let previous: { font: Font; glyph: Glyph } | undefined;
		const glyphs = [...text.replaceAll(/\p{Zs}/gu, ' ')].map((character) => {
			const font = this.#font(/\p{sc=Cyrillic}/u.test(character) ? 'cyrillic' : 'latin', bold ? 700 : 400);
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

	#font(script: Script, weight: Weight): Font {
		const key = `${script} ${weight}`;
		const font = this.#fonts.get(key) ?? loadFont(script, weight);
		this.#fonts.set(key, font);
		return font;
	}
}

const { resolve } = createRequire(import.meta.url);

function loadFont(script: Script, weight: Weight): Font {
	const bytes = readFileSync(resolve(`@fontsource/inter/files/inter-${script}-${weight}-normal.woff`));
	return opentype.parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}

/** Parses size and weight of a CSS font, as in `bold 24px sans-serif` or `font-size:24px;font-weight:bold`. */
export const parseFont = (css: string): TextFont => ({
	size: Number(/([\d.]+)px/.exec(css)?.[1] ?? 12),
	bold: /\bbold|\b[6-9]00\b/.test(css),
});

/**
 * The distance in em from the alphabetic baseline up to the central one: half the difference of Inter's ascender and
 * descender.
 */
const CENTRAL_BASELINE = (1984 - 494) / 2 / 2048;

/** The attributes of a text that its path expresses by its shape. All other ones, such as fill and transform, are copied. */
const TEXT_ATTRIBUTES = new Set(['x', 'y', 'style', 'dominant-baseline', 'text-anchor', 'xml:space']);

const ANCHOR_SHIFTS: Record<string, number> = { start: 0, middle: 0.5, end: 1 };

/**
 * Replaces each `<text>` of an SVG by a `<path>`. Texts must have the form that ECharts writes: characters, and no `<tspan>`.
 *
 * @throws TypeError when a text has another form, because it would disappear where there are no fonts
 */
export function svgTextToPaths(svg: string, outlines: TextOutlines): string {
	const result = svg.replace(/<text\b([^<>]*)>([^<>]*)<\/text>/g, (_, attributes: string, content: string) => {
		const all = [...attributes.matchAll(/([\w:-]+)="([^"]*)"/g)].map(
			([, name = '', value = '']) => [name, value] as const,
		);
		const given = new Map(all);
		const text = decodeEntities(content);
		const font = parseFont(given.get('style') ?? '');
		const shift = ANCHOR_SHIFTS[given.get('text-anchor') ?? 'start'] ?? 0;
		const rise = given.get('dominant-baseline') === 'central' ? font.size * CENTRAL_BASELINE : 0;
		const x = Number(given.get('x') ?? 0) - outlines.width(text, font) * shift;
		const y = Number(given.get('y') ?? 0) + rise;
		const copied = all.filter(([name]) => !TEXT_ATTRIBUTES.has(name)).map(([name, value]) => ` ${name}="${value}"`);
		return `<path d="${outlines.path(text, x, y, font)}"${copied.join('')}/>`;
	});
	if (/<(text|tspan)\b/.test(result)) throw new TypeError('The SVG contains text that cannot be outlined.');
	return result;
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

const decodeEntities = (text: string) =>
	text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? '');
