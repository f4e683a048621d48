import sharp from 'sharp';
import { expect, test } from 'vitest';
import { catalogues, type Language } from '../../i18n/catalogues.ts';
import { fontOf, readLettering, svgTextToPaths } from './outlines.ts';

const lettering = readLettering();
const svg = (text: string) => `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100">${text}</svg>`;

/** The box of what is drawn, in pixels. */
async function inkOf(text: string) {
	const drawn = svgTextToPaths(svg(text), lettering);
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

test('text begins, is centred or ends where it is anchored', async () => {
	const [start, middle, end] = await Promise.all(
		['start', 'middle', 'end'].map((anchor) =>
			inkOf(`<text text-anchor="${anchor}" x="100" y="50" ${FORTY}>HH</text>`),
		),
	);
	expect(start!.left).toBeGreaterThanOrEqual(100);
	expect(end!.right).toBeLessThanOrEqual(100);
	expect(Math.abs((middle!.left + middle!.right) / 2 - 100)).toBeLessThan(1.5);
});

test('there are letters for all that charts say, but in Japanese', () => {
	const letter = (character: string) => lettering.path(character, 0, 40, fontOf('40px'));
	const box = letter('\uffff');
	const said = ['de', 'fr', 'es', 'pt-BR', 'ru'].flatMap((language) =>
		[...new Set(Object.values(catalogues[language as Language]).join(''))].filter((character) => !/\s/.test(character)),
	);
	expect(said.filter((character) => letter(character) === box)).toEqual([]);
});

test('capitals stand on the alphabetic baseline, and about the central one', async () => {
	const alphabetic = await inkOf(`<text x="20" y="60" ${FORTY}>H</text>`);
	expect(alphabetic.bottom).toBe(59);
	const central = await inkOf(`<text dominant-baseline="central" x="20" y="60" ${FORTY}>H</text>`);
	expect(Math.abs((central.top + central.bottom + 1) / 2 - 60)).toBeLessThan(1);
});

test('what else a text has, its path has too', () => {
	const drawn = svgTextToPaths(
		svg(
			'<text transform="rotate(90)" fill="#123456" fill-opacity="0.5" class="a" x="1" y="2" style="font-size:9px">A</text>',
		),
		lettering,
	);
	expect(drawn).toMatch(/<path d="M[^"]+" transform="rotate\(90\)" fill="#123456" fill-opacity="0.5" class="a"\/>/);
});

test('marked-up characters are one letter', () => {
	const pathOf = (content: string) => svgTextToPaths(`<text ${FORTY}>${content}</text>`, lettering);
	expect(pathOf('&lt;&amp;&quot;')).toBe(
		`<path d="${lettering.path('<&"', 0, 0, { size: 40, bold: false })}" fill="#000"/>`,
	);
	expect(pathOf('&amp;lt;')).toContain(lettering.path('&lt;', 0, 0, { size: 40, bold: false }));
});

test('a letter that is not there becomes a box', () => {
	expect(lettering.path('愛', 0, 40, { size: 40, bold: false })).not.toBe('');
});

test('text in another form is refused rather than lost', () => {
	expect(() => svgTextToPaths(svg('<text><tspan>a</tspan></text>'), lettering)).toThrow(TypeError);
	expect(() => svgTextToPaths(svg('<text x="1"/>'), lettering)).toThrow(TypeError);
});

test('fonts are read in both ways of writing them', () => {
	expect(fontOf('bold 24.5px sans-serif')).toEqual({ size: 24.5, bold: true });
	expect(fontOf('font-size:28px;font-family:sans-serif;font-weight:700;')).toEqual({ size: 28, bold: true });
	expect(fontOf('')).toEqual({ size: 12, bold: false });
});
