import { expect, test } from 'vitest';
import { createLedgerFixture, PLACE } from '../ledger.fixture.ts';

test('a channel that gets a cap within its window starts with what the window has seen', async () => {
	const { ledger, setCaps, granted, denied, sent, used } = await createLedgerFixture();
	await ledger.settle(await sent(await granted('ada')), 'succeeded', 1);
	await ledger.settle(await sent(await granted('ada')), 'failed', 0);
	await granted('bjorn');
	await granted('bjorn', { channel: 'gallery' });
	await setCaps({ scope: 'channel', target: 'general', period: 'day', images: 3 });
	const layer = (await ledger.usageStatus(PLACE, { id: 'ada' })).find(({ name }) => name === 'channel');
	if (!layer) throw new Error('The channel is not counted.');
	await ledger.backfillCounter(PLACE, layer);
	await ledger.backfillCounter(PLACE, layer);
	expect(await used('channel', 'day')).toBe(2);
	await granted('chiyo');
	expect(await denied('chiyo')).toBe('channel day 3/3');
	expect(await ledger.verify()).toEqual([]);
});
