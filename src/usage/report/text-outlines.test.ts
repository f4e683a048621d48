import sharp from 'sharp';
import { expect, test } from 'vitest';
import { catalogues, type Language } from '../../i18n/catalogues.ts';
import { parseFont, svgTextToPaths, TextOutlines } from './text-outlines.ts';

const outlines = new TextOutlines();
const svg = (text: string) => `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100">${text}</svg>`;

/** Returns the bounds of the dark pixels of a drawn text. */
async function boundsOf(text: string) {
	const drawn = svgTextToPaths(svg(text), outlines);
	const { data, info } = await sharp(Buffer.from(drawn))
		.flatten({ background: '#fff' })
		.greyscale()
		.raw()
		.toBuffer({ resolveWithObject: true });
	const dark = [...data.keys()].filter((pixel) => (data[pixel] ?? 255) < 128);
	const xs = dark.map((pixel) => pixel % info.width);
	const ys = dark.map((pixel) => Math.floor(pixel / info.width));
	return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}

const FORTY = 'style="font-size:40px;font-family:sans-serif;" fill="#000"';

test('starts, centres or ends text at its anchor', async () => {
	const [start, middle, end] = await Promise.all(
		['start', 'middle', 'end'].map((anchor) =>
			boundsOf(`<text text-anchor="${anchor}" x="100" y="50" ${FORTY}>HH</text>`),
		),
	);
	expect(start!.left).toBeGreaterThanOrEqual(100);
	expect(end!.right).toBeLessThanOrEqual(100);
	expect(Math.abs((middle!.left + middle!.right) / 2 - 100)).toBeLessThan(1.5);
});

test('has the letters of every language except Japanese', () => {
	const letter = (character: string) => outlines.path(character, 0, 40, parseFont('40px'));
	const box = letter('\uffff');
	const letters = ['de', 'fr', 'es', 'pt-BR', 'ru'].flatMap((language) =>
		[...new Set(Object.values(catalogues[language as Language]).join(''))].filter((character) => !/\s/.test(character)),
	);
	expect(letters.filter((character) => letter(character) === box)).toEqual([]);
});

test('places capitals on the alphabetic baseline, and centres them on the central one', async () => {
	const alphabetic = await boundsOf(`<text x="20" y="60" ${FORTY}>H</text>`);
	expect(alphabetic.bottom).toBe(59);
	const central = await boundsOf(`<text dominant-baseline="central" x="20" y="60" ${FORTY}>H</text>`);
	expect(Math.abs((central.top + central.bottom + 1) / 2 - 60)).toBeLessThan(1);
});

test('copies the other attributes of a text to its path', () => {
	const drawn = svgTextToPaths(
		svg(
			'<text transform="rotate(90)" fill="#123456" fill-opacity="0.5" class="a" x="1" y="2" style="font-size:9px">A</text>',
		),
		outlines,
	);
	expect(drawn).toMatch(/<path d="M[^"]+" transform="rotate\(90\)" fill="#123456" fill-opacity="0.5" class="a"\/>/);
});

test('decodes entities', () => {
	const pathOf = (content: string) => svgTextToPaths(`<text ${FORTY}>${content}</text>`, outlines);
	expect(pathOf('&lt;&amp;&quot;')).toBe(
		`<path d="${outlines.path('<&"', 0, 0, { size: 40, bold: false })}" fill="#000"/>`,
	);
	expect(pathOf('&amp;lt;')).toContain(outlines.path('&lt;', 0, 0, { size: 40, bold: false }));
});

test('draws a missing letter as a box', () => {
	expect(outlines.path('愛', 0, 40, { size: 40, bold: false })).not.toBe('');
});

test('throws for text in another form', () => {
	expect(() => svgTextToPaths(svg('<text><tspan>a</tspan></text>'), outlines)).toThrow(TypeError);
	expect(() => svgTextToPaths(svg('<text x="1"/>'), outlines)).toThrow(TypeError);
});

test('parses both ways of writing a font', () => {
	expect(parseFont('bold 24.5px sans-serif')).toEqual({ size: 24.5, bold: true });
	expect(parseFont('font-size:28px;font-family:sans-serif;font-weight:700;')).toEqual({ size: 28, bold: true });
	expect(parseFont('')).toEqual({ size: 12, bold: false });
});
