import { expect, test } from 'vitest';
import { storeContract } from '../../../test/contract/store.ts';
import { openStore } from '../open-store.ts';

storeContract('memory:', async () => {
	const store = await openStore('memory:');
	return { store, cleanup: () => store.close() };
});

test('opens a separate store each time', async () => {
	const [one, other] = await Promise.all([openStore('memory:'), openStore('memory:')]);
	await one.space('a').commit({ once: 'x' });
	expect(await other.space('a').commit({ once: 'x' })).toBe('done');
});
