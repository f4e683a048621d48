import sharp from 'sharp';
import { expect, test } from 'vitest';
import { catalogueOf, type Language } from '../../i18n/catalogues.ts';
import { type PlacedText, SvgDrawing, textPath } from './svg-drawing.ts';

const SIZE = { width: 200, height: 100 };
const FONT = { size: 40 };

/** Returns the bounds of the dark pixels of a drawn text. */
async function boundsOf(text: string, place: Omit<PlacedText, 'size'> & { isTurned?: boolean }) {
	const svg = new SvgDrawing(SIZE, '#fff');
	svg.text(text, { ...FONT, ...place }, '#000');
	const { data, info } = await sharp(Buffer.from(svg.toString()))
		.greyscale()
		.raw()
		.toBuffer({ resolveWithObject: true });
	const dark = [...data.keys()].filter((pixel) => (data[pixel] ?? 255) < 128);
	const xs = dark.map((pixel) => pixel % info.width);
	const ys = dark.map((pixel) => Math.floor(pixel / info.width));
	return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}

test('starts, centres or ends text at its anchor', async () => {
	const [start, middle, end] = await Promise.all(
		(['start', 'middle', 'end'] as const).map((anchor) => boundsOf('HH', { anchor, x: 100, y: 50 })),
	);
	expect(start!.left).toBeGreaterThanOrEqual(100);
	expect(end!.right).toBeLessThanOrEqual(100);
	expect(Math.abs((middle!.left + middle!.right) / 2 - 100)).toBeLessThan(1.5);
});

test('has the letters of every language except Japanese', () => {
	const letter = (character: string) => textPath(character, { ...FONT, x: 0, y: 40 });
	const box = letter('\uffff');
	const letters = ['de', 'fr', 'es', 'pt-BR', 'ru'].flatMap((language) =>
		[...new Set(Object.values(catalogueOf(language as Language)).join(''))].filter(
			(character) => !/\s/.test(character),
		),
	);
	expect(letters.filter((character) => letter(character) === box)).toEqual([]);
});

test('centres capitals on their place, also when they are turned', async () => {
	const { top, bottom } = await boundsOf('H', { x: 20, y: 60 });
	expect(Math.abs((top + bottom + 1) / 2 - 60)).toBeLessThan(1);
	const turned = await boundsOf('H', { x: 80, y: 60, anchor: 'middle', isTurned: true });
	expect(Math.abs((turned.left + turned.right + 1) / 2 - 80)).toBeLessThan(1);
	expect(turned.right - turned.left).toBe(bottom - top);
});

test('draws a missing letter as a box', () => {
	expect(textPath('愛', { ...FONT, x: 0, y: 40 })).not.toBe('');
});

test('draws a rectangle that is thinner than its border', () => {
	const svg = new SvgDrawing(SIZE, '#fff');
	const border = { colour: '#000', width: 2 };
	svg.rectangle({ x: 10, y: 10, width: 20, height: 0.5 }, { fill: '#f00', border });
	expect(svg.toString()).toContain('<rect x="11" y="11" width="18" height="0" rx="0" fill="#f00" stroke="#000"');
});
