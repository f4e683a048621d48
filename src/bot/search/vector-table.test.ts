import fc from 'fast-check';
import { expect, test } from 'vitest';
import { likeness, quantize, SKETCH_LENGTH, sketchOf } from './int8-vector.ts';
import { type SearchableResult, VectorTable } from './vector-table.ts';

const vector = (length: number) =>
	fc
		.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: length, maxLength: length })
		.filter((numbers) => Math.hypot(...numbers) > 0.1);
const anyone = () => true;
const result = (job: string, person = 'ada'): SearchableResult => ({ job, person, channel: 'general', private: false });

test('a vector keeps its direction in whole numbers', () => {
	fc.assert(
		fc.property(vector(64), vector(64), (one, other) => {
			const exact = one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);
			const cosine = exact / (Math.hypot(...one) * Math.hypot(...other));
			expect(likeness(quantize(one), quantize(other))).toBeCloseTo(cosine, 1);
		}),
	);
});

test('the table returns the nearest that are accepted, as a comparison with every one does', async () => {
	const vectors = fc.array(vector(12), { minLength: 1, maxLength: 40 });
	await fc.assert(
		fc.asyncProperty(vectors, vector(12), fc.integer({ min: 1, max: 9 }), async (all, asked, count) => {
			const table = new VectorTable(100);
			const sketches = all.map((numbers) => sketchOf(quantize(numbers)));
			for (const [index, sketch] of sketches.entries()) table.add(result(`${index}`, index % 2 ? 'ada' : 'bo'), sketch);
			const query = sketchOf(quantize(asked));
			const found = await table.nearest(query, count, ({ person }) => person === 'ada');
			const expected = sketches
				.map((sketch, index) => ({ index, value: likeness(sketch, query) }))
				.filter(({ index }) => index % 2)
				.toSorted((one, other) => other.value - one.value)
				.slice(0, count);
			const values = found.map((job) => likeness(sketches[Number(job)] ?? query, query));
			expect(values.map((value) => value.toFixed(4))).toEqual(expected.map(({ value }) => value.toFixed(4)));
		}),
	);
});

test('a full table replaces the oldest, and a removed result is not found', async () => {
	const table = new VectorTable(1500);
	const sketch = sketchOf(quantize([1, 2, 3]));
	for (let index = 0; index < 1502; index++) table.add(result(`${index}`), sketch);
	expect(table.size).toBe(1500);
	expect([table.has('0'), table.has('1'), table.has('2')]).toEqual([false, false, true]);
	table.remove('2');
	table.remove('unknown');
	const jobs = await table.nearest(sketch, 2000, anyone);
	expect(jobs).toHaveLength(1499);
	expect(jobs).not.toContain('2');
	table.add(result('3'), sketch);
	expect(table.size).toBe(1499);
});

test('sketches of long vectors are about as alike as the vectors', () => {
	const near = fc.tuple(vector(1024), vector(1024)).map(([one, noise]) => {
		const other = one.map((value, index) => value + 0.3 * (noise[index] ?? 0));
		return [quantize(one), quantize(other)] as const;
	});
	fc.assert(
		fc.property(near, ([one, other]) => {
			expect(sketchOf(one)).toHaveLength(SKETCH_LENGTH);
			// Four standard deviations of a projection to so few numbers.
			expect(Math.abs(likeness(sketchOf(one), sketchOf(other)) - likeness(one, other))).toBeLessThan(0.25);
		}),
		{ numRuns: 30 },
	);
});
