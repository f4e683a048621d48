import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clip, inCode, oneLine, quoted } from './text.ts';

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

	test.each([
		'می‌خواهم',
		'क्‍ष',
		'എന്‍',
		'අම්‍මා',
		'👩‍👩‍👧‍👦',
		'👩🏽‍🚀',
		'🏳️‍🌈',
		'❤️‍🔥',
		'🏴󠁧󠁢󠁥󠁮󠁧󠁿',
		'1️⃣',
		'葛󠄀城市',
		'雪の中の狐。',
		'한국어',
	])('keeps what %s is read by', (text) => expect(oneLine(text)).toBe(text));

	test('leaves nothing invisible beside other letters, or alone', () => {
		const kept = /[\p{Default_Ignorable_Code_Point}\p{Cc}\ufff9-\ufffb\u2800]/u;
		for (let code = 0; code <= 0xe0fff; code += 1) {
			const character = String.fromCodePoint(code);
			if (!kept.test(character)) continue;
			expect(oneLine(`a${character}b`), code.toString(16)).toMatch(/^a ?b$/);
			expect(oneLine(`狐 ${character} 😀 ${character}`), code.toString(16)).toBe('狐 😀');
			expect(oneLine(character.repeat(3))).toBe('');
		}
	});

	test('is linear, and gives the same when it is repeated', () => {
		const unit = fc.constantFrom(
			'a',
			' ',
			'😀',
			'\u200d',
			'\u{1f3f4}',
			'\u{e0061}',
			'\u{e007f}',
			'ک',
			'\u200c',
			'\u094d',
			'狐',
		);
		fc.assert(
			fc.property(fc.string({ unit }), (text) => {
				expect(oneLine(oneLine(text))).toBe(oneLine(text));
			}),
		);
		expect(oneLine('\u{1f3f4}\u{e0061}'.repeat(500_000)).length).toBe(1_000_000);
	});
});

describe('quoted', () => {
	test('makes no markup of a text', () => {
		expect(quoted('[a](https://b) <https://c|d> **e** _f_ ~g~ `h` \\').replace('\u200b', '·')).toBe(
			String.raw`\[a\](https://b) \<·https://c\|d\> \*\*e\*\* \_f\_ \~g\~ \`h\` \\`,
		);
	});

	test('and inCode make no end of a code span', () => {
		expect(inCode('a `b`\n[c]')).toBe('a ˋbˋ [c]');
	});
});
