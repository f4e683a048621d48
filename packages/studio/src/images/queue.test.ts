import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createQueue } from './queue.ts';

const STAYS = new AbortController().signal;

it('draws few at once, first come, first served, and lets in as many again when done', async () => {
	const { admit } = createQueue({ atOnce: 2, atMost: 6 });
	for (let round = 0; round < 3; round++) {
		const order: string[] = [];
		let running = 0;
		const request = (name: string, count: number) =>
			admit(count, STAYS, (inTurn) =>
				Promise.all(
					Array.from({ length: count }, (_, index) =>
						inTurn(async () => {
							order.push(`${name}${index}`);
							expect(++running).toBeLessThanOrEqual(2);
							await Promise.resolve();
							running--;
						}),
					),
				),
			);
		const requests = [request('a', 3), request('b', 1), request('c', 2)];
		await expect(request('d', 1)).rejects.toMatchObject({ status: 429 });
		await Promise.all(requests);
		expect(order).toEqual(['a0', 'a1', 'a2', 'b0', 'c0', 'c1']);
	}
});

it('loses no turn, whoever fails or walks away', async () => {
	const fate = fc.constantFrom('draws', 'fails', 'leaves');
	await fc.assert(
		fc.asyncProperty(fc.array(fate, { maxLength: 20 }), fc.integer({ min: 1, max: 3 }), async (fates, atOnce) => {
			const { admit } = createQueue({ atOnce, atMost: 20 });
			const requests = fates.map((fate) => {
				const leaving = new AbortController();
				const request = admit(1, leaving.signal, (inTurn) =>
					inTurn(async () => {
						await Promise.resolve();
						if (fate === 'fails') throw new Error('The brush broke.');
						return 'drawn';
					}),
				);
				if (fate === 'leaves') leaving.abort(new Error('Gone.'));
				return request;
			});
			await Promise.allSettled(requests);
			const all = Array.from({ length: 20 }, () => admit(1, STAYS, (inTurn) => inTurn(async () => 'drawn')));
			expect(await Promise.all(all)).toEqual(Array(20).fill('drawn'));
		}),
	);
});
