import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clip, oneLine } from './text.ts';

describe('clip', () => {
	test('keeps a text that fits', () => {
		expect(clip('a red fox', 9)).toBe('a red fox');
	});

	test('cuts between graphemes and marks the cut', () => {
		expect(clip('a red fox', 6)).toBe('a red…');
		expect(clip('fox 👩‍👩‍👧', 9)).toBe('fox …');
	});

	test('never exceeds its limit, and never splits a surrogate pair', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 20 }), (text, max) => {
				const clipped = clip(text, max);
				expect(clipped.length).toBeLessThanOrEqual(max);
				expect(clipped.isWellFormed()).toBe(true);
			}),
		);
	});
});

describe('oneLine', () => {
	test('removes line ends, control characters and direction marks', () => {
		expect(oneLine(' a\r\nred\u202e \u0000fox ')).toBe('a red fox');
	});
});
