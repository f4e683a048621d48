import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startStudio } from '../../test/studio.fixture.ts';
import { embed } from './embed.ts';

const DIMENSIONS = 256;

function likeness(a: string, b: string) {
	const [left, right] = [embed(a, DIMENSIONS), embed(b, DIMENSIONS)];
	return left.reduce((sum, value, index) => sum + value * (right[index] ?? 0), 0);
}

describe('embed', () => {
	it('returns a vector of length 1 for any text', () => {
		fc.assert(
			fc.property(
				fc.string({ unit: 'grapheme', minLength: 1 }),
				fc.integer({ min: 8, max: 1024 }),
				(text, dimensions) => {
					const vector = embed(text, dimensions);
					expect(vector).toHaveLength(dimensions);
					expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
					expect(embed(text, dimensions)).toEqual(vector);
				},
			),
		);
	});

	it('is nearer for texts that share half of their words than for texts that share none', () => {
		const word = fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'), minLength: 4, maxLength: 10 });
		const words = fc.uniqueArray(word, { minLength: 24, maxLength: 24 });
		fc.assert(
			fc.property(words, (words) => {
				const text = words.slice(0, 8).join(' ');
				const near = words.slice(4, 12).toReversed().join(' ');
				const far = words.slice(16, 24).join(' ');
				expect(likeness(text, near)).toBeGreaterThan(likeness(text, far));
			}),
			{ numRuns: 300 },
		);
	});

	it('ignores case and order, and gives common words and endings little weight', () => {
		expect(likeness('A Red Fox', 'a red fox')).toBeCloseTo(1);
		expect(likeness('fox red', 'red fox')).toBeCloseTo(1);
		expect(likeness('the fox in the snow', 'fox, snow')).toBeGreaterThan(0.8);
		expect(likeness('painting lighthouses', 'a painter of a lighthouse')).toBeGreaterThan(0.35);
		expect(likeness('the of and to', 'a red fox')).toBeLessThan(0.3);
	});
});

describe('/v1/embeddings', () => {
	it('returns numbers, or base64 on request, in the order of the input', async () => {
		const { post } = await startStudio();
		const input = ['a red fox', 'a blue whale'];
		type Answer = { object: string; model: string; data: { object: string; index: number; embedding: never }[] };
		const ask = async (extra: object) => (await (await post('/v1/embeddings', { input, ...extra })).json()) as Answer;
		const floats = await ask({});
		expect(floats).toMatchObject({ object: 'list', model: 'alpha3-embedding', usage: { prompt_tokens: 14 } });
		expect(floats.data.map(({ object, index }) => [object, index])).toEqual([
			['embedding', 0],
			['embedding', 1],
		]);
		expect(floats.data.map(({ embedding }) => Float32Array.from(embedding))).toEqual(
			input.map((text) => embed(text, 256)),
		);
		const base64 = await ask({ encoding_format: 'base64', dimensions: 64, model: 'alpha3-embedding' });
		for (const { embedding, index } of base64.data) {
			const bytes = Buffer.from(embedding, 'base64');
			const vector = Float32Array.from({ length: 64 }, (_, at) => bytes.readFloatLE(at * 4));
			expect(vector).toEqual(embed(input[index] ?? '', 64));
		}
	});
});
