import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cut, tokensOf } from './tokens.ts';

it('cuts any text into pieces that join into it again', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
			expect(tokensOf(text).join('')).toBe(text);
			expect(tokensOf(text).every((token) => token.isWellFormed())).toBe(true);
		}),
	);
});

it('counts about as models do', () => {
	expect(tokensOf('The quick brown fox jumps over the lazy dog.')).toHaveLength(10);
	expect(tokensOf('Uncharacteristically')).toHaveLength(3);
});

it('ends before the first stop text and at the last token allowed', () => {
	fc.assert(
		fc.property(
			fc.string(),
			fc.array(fc.string({ minLength: 1 })),
			fc.integer({ min: 1, max: 20 }),
			(text, stop, maxTokens) => {
				const { tokens, finish } = cut(text, { stop, maxTokens });
				const kept = tokens.join('');
				expect(text.startsWith(kept)).toBe(true);
				expect(stop.some((mark) => kept.includes(mark))).toBe(false);
				expect(finish === 'length').toBe(tokensOf(kept).length === maxTokens && !isWhole(kept, text, stop));
			},
		),
	);
});

/** Tells that only a stop text or the end follows. */
function isWhole(kept: string, text: string, stop: readonly string[]) {
	return kept === text || stop.some((mark) => text.startsWith(mark, kept.length));
}
