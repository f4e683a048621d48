import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Budget } from './budget.ts';

const STAYS = new AbortController().signal;

it('lets in as much as fits, first come, first served', async () => {
	const budget = new Budget(2);
	for (let round = 0; round < 3; round++) {
		const order: string[] = [];
		let taken = 0;
		const work = (name: string, amount: number) =>
			budget.use(amount, STAYS, async () => {
				order.push(name);
				taken += Math.min(2, amount);
				expect(taken).toBeLessThanOrEqual(2);
				await Promise.resolve();
				taken -= Math.min(2, amount);
			});
		await Promise.all([work('a', 1), work('b', 1), work('c', 9), work('d', 1)]);
		expect(order).toEqual(['a', 'b', 'c', 'd']);
	}
});

it('loses nothing, whoever fails or walks away', async () => {
	const fate = fc.constantFrom('works', 'fails', 'leaves');
	await fc.assert(
		fc.asyncProperty(fc.array(fate, { maxLength: 20 }), fc.integer({ min: 1, max: 3 }), async (fates, most) => {
			const budget = new Budget(most);
			const all = fates.map((fate, index) => {
				const leaving = new AbortController();
				const done = budget.use((index % 3) + 1, leaving.signal, async () => {
					await Promise.resolve();
					if (fate === 'fails') throw new Error('It broke.');
				});
				if (fate === 'leaves') leaving.abort(new Error('Gone.'));
				return done;
			});
			await Promise.allSettled(all);
			expect(await budget.use(most, STAYS, async () => 'done')).toBe('done');
		}),
	);
});
