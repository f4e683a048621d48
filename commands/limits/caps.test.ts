import { expect, test } from 'vitest';
import { refundCalls, unknownCalls } from '../../src/bot/moderation/refund-calls.ts';
import type { Limit } from '../../src/domain/job.ts';
import type { Easel } from '../../src/easel.ts';
import { createLedgerFixture, MODERATOR, PLACE } from '../../src/usage/ledger.fixture.ts';
import { clearLimit, setLimit } from './caps.ts';

async function createContext() {
	const fixture = await createLedgerFixture();
	const { settings, ledger, clock } = fixture;
	return { ...fixture, easel: { settings, ledger, now: () => clock.now } as Easel };
}

test('a cap replaces the one with the same scope, target, period and kind of call', async () => {
	const { easel, settings } = await createContext();
	const caps: Limit[] = [
		{ scope: 'member', period: 'day', images: 1 },
		{ scope: 'member', period: 'day', images: 2 },
		{ scope: 'member', period: 'month', images: 3 },
		{ scope: 'member', target: 'ada', period: 'day', images: 4 },
		{ what: 'chat', scope: 'member', period: 'day', images: 5 },
	];
	for (const cap of caps) await setLimit(easel, PLACE, MODERATOR, cap);
	expect((await settings.get(PLACE)).limits).toEqual(caps.slice(1));
	expect(await clearLimit(easel, PLACE, MODERATOR, { scope: 'member', period: 'day' })).toEqual(caps[1]);
	expect(await clearLimit(easel, PLACE, MODERATOR, { scope: 'member', period: 'day' })).toBeUndefined();
	expect((await settings.get(PLACE)).limits).toEqual(caps.slice(2));
	expect((await easel.settings.audit(PLACE, 2)).map(({ version, command }) => `${version} ${command}`)).toEqual([
		'6 limits clear',
		'5 limits set',
	]);
});

test("a channel's cap counts the calls that its window has already seen", async () => {
	const { easel, ledger, granted, denied, sent, used } = await createContext();
	await granted();
	await ledger.settle(await sent(await granted()), 'failed', 0);
	await granted('bjorn', { channel: 'gallery' });
	expect(await used('channel', 'day')).toBeUndefined();
	const cap = { scope: 'channel', target: PLACE.channel, period: 'day', images: 2 } as const;
	expect(await setLimit(easel, PLACE, MODERATOR, cap)).toBe(1);
	await granted();
	expect(await denied()).toBe('channel day 2/2');
	expect(await ledger.verify()).toEqual([]);
});

test('chosen calls of unknown outcome are given back once, with one change for each member in the log', async () => {
	const { easel, ledger, granted, sent, used } = await createContext();
	for (const member of ['ada', 'ada', 'bob']) await ledger.settle(await sent(await granted(member)), 'unknown', 0);
	expect(await unknownCalls(easel, PLACE, 2)).toHaveLength(2);
	const chosen = (await unknownCalls(easel, PLACE, 9)).slice(1);
	expect(await refundCalls(easel, PLACE, MODERATOR, chosen)).toBe(2);
	expect(await refundCalls(easel, PLACE, MODERATOR, chosen)).toBe(0);
	expect(await used('server', 'month')).toBe(1);
	expect((await easel.settings.audit(PLACE, 2)).map(({ refund }) => refund)).toEqual([
		{ member: 'bob', calls: 1 },
		{ member: 'ada', calls: 1 },
	]);
	expect(await ledger.verify()).toEqual([]);
});
