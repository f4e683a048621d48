import { expect, test } from 'vitest';
import type { Limit } from '../../domain/job.ts';
import { createLedgerFixture, MODERATOR, PLACE } from '../ledger.fixture.ts';
import { ServerAdmin } from './server-admin.ts';

async function createAdmin() {
	const fixture = await createLedgerFixture();
	const { settings, ledger, clock } = fixture;
	const report = () => Promise.reject(new Error('No report is made here.'));
	const admin = new ServerAdmin(
		{ settings, ledger, plan: { price: 30 }, report, now: () => clock.now },
		PLACE,
		MODERATOR,
	);
	return { ...fixture, admin };
}

test('a cap replaces the one with the same scope, target, period and kind of call', async () => {
	const { admin } = await createAdmin();
	const caps: Limit[] = [
		{ scope: 'member', period: 'day', images: 1 },
		{ scope: 'member', period: 'day', images: 2 },
		{ scope: 'member', period: 'month', images: 3 },
		{ scope: 'member', target: 'ada', period: 'day', images: 4 },
		{ what: 'chat', scope: 'member', period: 'day', images: 5 },
	];
	for (const cap of caps) await admin.setLimit(cap);
	expect((await admin.settings()).limits).toEqual(caps.slice(1));
	expect(await admin.clearLimit({ scope: 'member', period: 'day' })).toEqual(caps[1]);
	expect(await admin.clearLimit({ scope: 'member', period: 'day' })).toBeUndefined();
	expect((await admin.settings()).limits).toEqual(caps.slice(2));
	expect((await admin.audit(2)).map(({ version, command }) => `${version} ${command}`)).toEqual([
		'6 limits clear',
		'5 limits set',
	]);
});

test("a channel's cap counts the calls that its window has already seen", async () => {
	const { admin, ledger, granted, denied, sent, used } = await createAdmin();
	await granted();
	await ledger.settle(await sent(await granted()), 'failed', 0);
	await granted('bjorn', { channel: 'gallery' });
	expect(await used('channel', 'day')).toBeUndefined();
	const cap = { scope: 'channel', target: PLACE.channel, period: 'day', images: 2 } as const;
	expect(await admin.setLimit(cap)).toMatchObject({ used: 1 });
	await granted();
	expect(await denied()).toBe('channel day 2/2');
	expect(await ledger.verify()).toEqual([]);
});

test('chosen calls of unknown outcome are given back once, with one change for each member in the log', async () => {
	const { admin, ledger, granted, sent, used } = await createAdmin();
	for (const member of ['ada', 'ada', 'bob']) await ledger.settle(await sent(await granted(member)), 'unknown', 0);
	expect(await admin.unknownCalls(2)).toHaveLength(2);
	const chosen = (await admin.unknownCalls(9)).slice(1);
	expect(await admin.refundCalls(chosen)).toBe(2);
	expect(await admin.refundCalls(chosen)).toBe(0);
	expect(await used('server', 'month')).toBe(1);
	expect((await admin.audit(2)).map(({ refund }) => refund)).toEqual([
		{ member: 'bob', calls: 1 },
		{ member: 'ada', calls: 1 },
	]);
	expect(await ledger.verify()).toEqual([]);
});
