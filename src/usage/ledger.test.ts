import { describe, expect, test } from 'vitest';
import type { Job } from '../domain/job.ts';
import { SentenceError } from '../i18n/translator.ts';
import { deploymentUsage, usageStatus } from './caps.ts';
import { openWork } from './jobs.ts';
import { changeThrough, createLedgerFixture, otherProcess, PLACE } from './ledger.fixture.ts';
import type { Settings } from './settings.ts';

describe('caps', () => {
	test('of a server, a channel and all members each deny calls, the widest first', async () => {
		const { setCaps, granted, denied } = await createLedgerFixture();
		await setCaps(
			{ scope: 'server', period: 'month', images: 4 },
			{ scope: 'channel', target: 'general', period: 'day', images: 3 },
			{ scope: 'member', period: 'day', images: 2 },
		);
		await granted('ada');
		await granted('ada');
		expect(await denied('ada')).toBe('member day 2/2');
		await granted('bjorn');
		expect(await denied('bjorn')).toBe('channel day 3/3');
		await granted('bjorn', { channel: 'gallery' });
		expect(await denied('chiyo', { channel: 'gallery' })).toBe('server month 4/4');
	});

	test('that are reached take nothing from any layer', async () => {
		const { setCaps, denied, used } = await createLedgerFixture();
		await setCaps({ scope: 'member', period: 'day', images: 0 });
		expect(await denied('ada')).toBe('member day 0/0');
		expect(await used('server', 'month')).toBe(0);
	});

	test("of roles replace the cap for all members, and a member's best role counts", async () => {
		const { setCaps, granted, denied } = await createLedgerFixture();
		await setCaps(
			{ scope: 'member', period: 'day', images: 1 },
			{ scope: 'role', target: 'painters', period: 'day', images: 3 },
			{ scope: 'role', target: 'guests', period: 'day', images: 2 },
		);
		const roles = ['guests', 'painters'];
		for (let i = 0; i < 3; i++) await granted('ada', { roles });
		expect(await denied('ada', { roles })).toBe('role day 3/3');
		await granted('bjorn');
		expect(await denied('bjorn')).toBe('member day 1/1');
	});

	test('for one member apply beside the cap of a role', async () => {
		const { setCaps, granted, denied } = await createLedgerFixture();
		await setCaps(
			{ scope: 'role', target: 'painters', period: 'day', images: 3 },
			{ scope: 'member', target: 'ada', period: 'day', images: 1 },
		);
		await granted('ada', { roles: ['painters'] });
		expect(await denied('ada', { roles: ['painters'] })).toBe('member day 1/1');
	});

	test('are never exceeded by concurrent requests', async () => {
		const { setCaps, request, used } = await createLedgerFixture();
		await setCaps({ scope: 'server', period: 'day', images: 100 });
		const results = await Promise.all(Array.from({ length: 1000 }, (_, i) => request(`member-${i % 50}`)));
		expect(results.filter((result) => typeof result === 'object' && 'state' in result)).toHaveLength(100);
		expect(await used('server', 'day')).toBe(100);
	});

	test('apply as they are at that moment, also when another process has just changed them', async () => {
		const { space, setCaps, granted, denied } = await createLedgerFixture();
		await setCaps({ scope: 'server', period: 'day', images: 2 });
		await granted();
		await changeThrough(otherProcess(space), { limits: [{ scope: 'server', period: 'day', images: 1 }] });
		expect(await denied()).toBe('server day 1/1');
	});

	test("use the server's own days", async () => {
		const { clock, changeSettings, granted, denied } = await createLedgerFixture();
		await changeSettings({ timeZone: 'America/New_York', limits: [{ scope: 'member', period: 'day', images: 1 }] });
		// 23:30 in New York, the day after in UTC.
		clock.now = Date.UTC(2026, 10, 21, 4, 30);
		await granted();
		expect(await denied()).toBe('member day 1/1');
		clock.now = Date.UTC(2026, 10, 21, 5, 0);
		await granted();
	});

	test('of chat are separate from those of pictures and from the plan', async () => {
		const { setCaps, request, granted, settle, verify, receipts, easel, settings } = await createLedgerFixture({
			imagesPerMonth: 1,
			price: 30,
		});
		await setCaps(
			{ what: 'chat', scope: 'member', period: 'day', images: 2 },
			{ scope: 'server', period: 'day', images: 1 },
		);
		const chat = (id: string) => request('ada', { id, what: 'chat' });
		expect(await chat('t1')).toMatchObject({ what: 'chat', usd: 0 });
		await granted();
		const second = (await chat('t2')) as Job;
		expect(await chat('t3')).toMatchObject({ denied: { name: 'member', what: 'chat', limit: 2 }, used: 2 });
		await settle(second, 'failed', 0);
		expect(await chat('t4')).toMatchObject({ id: 't4' });
		expect(await verify()).toEqual([]);
		expect(await receipts()).toEqual([]);
		expect(await usageStatus(easel, await settings.get(PLACE), PLACE, { id: 'ada' }, 'chat')).toMatchObject([
			{ name: 'server', used: 2 },
			{ name: 'server' },
			{ name: 'member', period: 'day', limit: 2, used: 2 },
			{ name: 'member' },
		]);
	});
});

test('a policy is checked with the settings in force at that moment, and takes nothing when it denies', async () => {
	const { space, settings, request, used } = await createLedgerFixture();
	const checkPolicy = ({ blocked }: Settings) =>
		blocked.includes('ada') ? new SentenceError('policy.blocked.pictures') : undefined;
	const allowed = await settings.get(PLACE);
	const reserve = (id: string) => request('ada', { id, checkPolicy, settings: allowed });
	expect(await reserve('1')).toMatchObject({ state: 'reserved' });
	// Another process changes the settings, so the ones that have allowed the request are outdated.
	const other = otherProcess(space);
	await changeThrough(other, { blocked: ['ada'] });
	expect(await reserve('2')).toEqual(new SentenceError('policy.blocked.pictures'));
	expect(await reserve('1')).toBe('duplicate');
	await changeThrough(other, { blocked: [] });
	expect(await reserve('2')).toMatchObject({ state: 'reserved' });
	expect(await used('server', 'month')).toBe(2);
});

test('a delivery is reserved once, also when a cap was reached meanwhile', async () => {
	const { setCaps, request, granted, used } = await createLedgerFixture();
	await granted('ada', { id: 'same' });
	expect(await request('ada', { id: 'same' })).toBe('duplicate');
	await setCaps({ scope: 'server', period: 'day', images: 1 });
	expect(await request('ada', { id: 'same' })).toBe('duplicate');
	expect(await used('server', 'day')).toBe(1);
});

test('calls beyond the plan are taken from the money that moderators allow', async () => {
	const { clock, sent, changeSettings, granted, denied, used, settle, space, easel, verify } =
		await createLedgerFixture({
			imagesPerMonth: 2,
			price: 30,
		});
	const first = await granted();
	await granted();
	expect(await denied()).toBe('plan month 2/2');
	await changeSettings({ overageMills: 70 });
	expect((await granted()).usd).toBe(30_000);
	expect((await granted()).usd).toBe(30_000);
	expect(await denied()).toBe('overage month 60000/70000');
	expect(await openWork(space)).toEqual({ count: 4, oldestAt: clock.now });
	expect(await used('plan', 'month')).toBe(2);
	// A server is among those of the month once a call is settled.
	await settle(await sent(first), 'succeeded', 1);
	expect(await deploymentUsage(easel)).toEqual({
		plan: { used: 2, included: 2 },
		overage: { spent: 60_000, allowed: 70_000 },
	});
	expect(await verify()).toEqual([]);
});

test('no call beyond the plan is made for a price of 0, which no amount of money would end', async () => {
	const { changeSettings, granted, denied, used } = await createLedgerFixture({ imagesPerMonth: 1, price: 0 });
	await granted();
	expect(await denied()).toBe('plan month 1/1');
	await changeSettings({ overageMills: 1000 });
	expect(await denied()).toBe('plan month 1/1');
	expect(await used('plan', 'month')).toBe(1);
});
