import { expect } from 'vitest';
import type { ContractTest } from './contract-test.ts';

const NOT_SERVED = /This Easel serves certain servers only/;

/** Tests that nothing happens in a server that the operator does not let Easel serve. */
export function unservedServers(test: ContractTest): void {
	test('a server that is not served gets a sentence for commands and buttons', async ({ harness, service, bjorn }) => {
		let isServed = true;
		await harness.restart({ serves: () => isServed });
		const result = await bjorn.does('/imagine', { prompt: 'while it is served' }).sees({ pictures: 1 });
		isServed = false;
		await bjorn.does('/imagine', { prompt: 'too late' }).sees({ text: NOT_SERVED, private: true });
		await bjorn.presses('Again', result).sees({ text: NOT_SERVED, private: true });
		isServed = true;
		await bjorn.does('/usage').sees(/You today: 1 used/);
		expect(service.requests).toHaveLength(1);
	});
}
