/**
 * Letters of an SVG as outlines, so that whoever rasterises it needs no font. They come from Inter's Latin file, which also has
 * the punctuation and arrows that charts use, and its Cyrillic one; any other letter becomes an open box.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import opentype, { type Font, type Glyph } from 'opentype.js';

const resolver = createRequire(import.meta.url);

/** Sets text in two weights. Sizes are pixels to the em. */
export type TextOutlines = {
	width(text: string, font: TextFont): number;
	/** The `d` of a path, begun at x on the baseline y. */
	path(text: string, x: number, y: number, font: TextFont): string;
};

export type TextFont = { size: number; bold: boolean };

export function readLettering(): TextOutlines {
	const faces = new Map<string, Font>();
	const faceOf = (script: Script, weight: Weight) => {
		const known = faces.get(`${script} ${weight}`) ?? readFace(script, weight);
		faces.set(`${script} ${weight}`, known);
		return known;
	};

	/** Glyphs and where each begins, in pixels; one character is one glyph, kerned. Inter's substitutions are too much for opentype.js. */
	function set(text: string, { size, bold }: TextFont) {
		let width = 0;
		let before: { font: Font; glyph: Glyph } | undefined;
		const glyphs = [...text.replaceAll(/\p{Zs}/gu, ' ')].map((character) => {
			const font = faceOf(/\p{sc=Cyrillic}/u.test(character) ? 'cyrillic' : 'latin', bold ? 700 : 400);
			const scale = size / font.unitsPerEm;
			const glyph = font.charToGlyph(character);
			if (before?.font === font) width += font.getKerningValue(before.glyph, glyph) * scale;
			before = { font, glyph };
			const from = width;
			width += (glyph.advanceWidth ?? 0) * scale;
			return { glyph, from };
		});
		return { glyphs, width };
	}
	return {
		width: (text, font) => set(text, font).width,
		path: (text, x, y, font) =>
			set(text, font)
				.glyphs.map(({ glyph, from }) => glyph.getPath(x + from, y, font.size).toPathData(2))
				.join(''),
	};
}

type Script = 'latin' | 'cyrillic';
type Weight = 400 | 700;

function readFace(script: Script, weight: Weight): Font {
	const bytes = readFileSync(resolver.resolve(`@fontsource/inter/files/inter-${script}-${weight}-normal.woff`));
	return opentype.parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}

/** Reads a CSS font, of which size and weight are heeded: `bold 24px sans-serif`, `font-size:24px;font-weight:bold`. */
export const fontOf = (css: string): TextFont => ({
	size: Number(/([\d.]+)px/.exec(css)?.[1] ?? 12),
	bold: /\bbold|\b[6-9]00\b/.test(css),
});

/** Inter's central baseline lies half the difference of ascender and descender above the alphabetic one, in em. */
const CENTRAL = (1984 - 494) / 2 / 2048;

/** Turned into the path's own shape; whatever else a text has (fill, transform, class …) the path has too. */
const TYPESETTING = new Set(['x', 'y', 'style', 'dominant-baseline', 'text-anchor', 'xml:space']);

/**
 * Replaces each `<text>` of an SVG in the form that ECharts writes (one line of characters, no `<tspan>`) by a `<path>`.
 * @throws TypeError when there is text in another form, which would else be lost where there are no fonts
 */
export function svgTextToPaths(svg: string, lettering: TextOutlines): string {
	const drawn = svg.replace(/<text\b([^<>]*)>([^<>]*)<\/text>/g, (_, attributes: string, content: string) => {
		const all = [...attributes.matchAll(/([\w:-]+)="([^"]*)"/g)].map(
			([, name = '', value = '']) => [name, value] as const,
		);
		const given = new Map(all);
		const text = decode(content);
		const font = fontOf(given.get('style') ?? '');
		const shift = { start: 0, middle: 0.5, end: 1 }[given.get('text-anchor') ?? 'start'] ?? 0;
		const x = Number(given.get('x') ?? 0) - lettering.width(text, font) * shift;
		const y = Number(given.get('y') ?? 0) + (given.get('dominant-baseline') === 'central' ? font.size * CENTRAL : 0);
		const kept = all.filter(([name]) => !TYPESETTING.has(name)).map(([name, value]) => ` ${name}="${value}"`);
		return `<path d="${lettering.path(text, x, y, font)}"${kept.join('')}/>`;
	});
	if (/<(text|tspan)\b/.test(drawn)) throw new TypeError('The drawing has text in a form that can not be outlined.');
	return drawn;
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

const decode = (text: string) => text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? '');
