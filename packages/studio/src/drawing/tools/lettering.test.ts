import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { fitLetters, legible, letterPath } from './lettering.ts';

describe('letterPath', () => {
	it('sets letters into a box that begins at 0, 0 and holds their ink', async () => {
		const { path, width, height } = letterPath('Agfox', { size: 60, weight: 700 });
		const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="200"><path d="${path}"/></svg>`;
		const { info } = await sharp(Buffer.from(svg)).trim().toBuffer({ resolveWithObject: true });
		expect(info.width).toBeLessThanOrEqual(Math.ceil(width));
		expect(info.height).toBeLessThanOrEqual(Math.ceil(height));
		expect(info.width).toBeGreaterThan(width * 0.85);
	});

	it('knows Latin, Greek, Cyrillic and Vietnamese, and grows with the size', () => {
		for (const text of ['Grüße', 'Ωμέγα', 'Лиса', 'Cáo đỏ', 'Łódź']) {
			const small = letterPath(text, { size: 20 });
			expect(small.path).toMatch(/^M/);
			expect(letterPath(text, { size: 40 }).width).toBeCloseTo(small.width * 2, 1);
		}
	});

	it('sets the scripts of the seven languages, and says what it leaves out', () => {
		for (const text of ['Straße', 'façade', 'Español', 'Ação', 'Лиса и снег', '日本語のキツネ、ひらがな'])
			expect(legible(text)).toEqual({ text, leftOut: [] });
		expect(legible('Über 狐 여우 5 🦊')).toEqual({ text: 'Über 狐 5', leftOut: ['여우', '🦊'] });
		expect(letterPath('狐', { size: 20 }).path).not.toBe('');
		expect(letterPath('🦊', { size: 20 })).toMatchObject({ path: '', width: 0 });
		expect(letterPath('', { size: 20 })).toMatchObject({ path: '', width: 0 });
		expect(() => letterPath('\ud800\u0000<&', { size: 20 })).not.toThrow();
	});

	it('has every coordinate of every letter, also next to nothing', () => {
		const coordinates: Record<string, number> = { M: 2, L: 2, Q: 4, C: 6, H: 1, V: 1, Z: 0 };
		for (const text of ['FRESH FISH', 'Sale 5 §', 'Ошибки']) {
			for (let size = 20; size < 140; size += 2.9) {
				for (const [, command = '', numbers = ''] of letterPath(text, { size }).path.matchAll(/([A-Z])([^A-Z]*)/g)) {
					expect(numbers.match(/-?[\d.]+/g)?.length ?? 0).toBe(coordinates[command]);
				}
			}
		}
	});

	it('is sharp-edged geometry only: no character of the text reaches the path', () => {
		expect(letterPath('"><script>&', { size: 20 }).path).toMatch(/^[MLCQHVZ\d\s.-]+$/);
	});
});

describe('fitLetters', () => {
	it('breaks a long text into lines and stays inside', () => {
		const fitted = fitLetters('The quick brown fox jumps over the lazy dog', { width: 300, height: 200 });
		expect(fitted.lines.length).toBeGreaterThan(2);
		expect(fitted.width).toBeLessThanOrEqual(300.01);
		expect(fitted.lines.join(' ')).toBe('The quick brown fox jumps over the lazy dog');
	});

	it('keeps to the largest size allowed', () => {
		expect(fitLetters('Hi', { width: 900, height: 900, largest: 50 }).size).toBe(50);
	});
});
