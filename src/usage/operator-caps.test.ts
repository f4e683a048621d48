import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Job } from '../domain/job.ts';
import type { Easel } from '../easel.ts';
import { type OperatorCaps, usageStatus } from './caps.ts';
import { changeThrough, createLedgerFixture, PLACE } from './ledger.fixture.ts';
import { DEFAULT_SETTINGS } from './settings.ts';

const withCaps = (caps: OperatorCaps) => ({ price: 30, caps });

describe("the operator's caps", () => {
	test('apply to every server, beside those of moderators, and take nothing when they deny', async () => {
		const { setCaps, granted, denied, used, settle, verify } = await createLedgerFixture(
			withCaps({ serverPerDay: 2, serverPerMonth: 3 }),
		);
		await setCaps({ scope: 'server', period: 'day', images: 100 }, { scope: 'member', period: 'day', images: 1 });
		await granted('ada');
		expect(await denied('ada')).toBe('member day 1/1');
		const second = await granted('bjorn');
		expect(await denied('chiyo')).toBe('operatorServer day 2/2');
		await granted('chiyo', { server: 'guild' });
		await settle(second, 'failed', 0);
		await granted('chiyo');
		expect(await used('operatorServer', 'day')).toBe(2);
		expect(await used('member', 'day', 'bjorn')).toBe(0);
		expect(await verify()).toEqual([]);
	});

	test('count a person over all servers and direct messages of a platform', async () => {
		const { granted, denied } = await createLedgerFixture(withCaps({ serverPerDay: 10, memberPerDay: 3 }));
		await granted('ada');
		await granted('ada', { server: 'empty-1' });
		await granted('ada', { server: 'user:ada' });
		for (const server of ['empty-2', 'user:ada', 'club'])
			expect(await denied('ada', { server })).toBe('operatorMember day 3/3');
		await granted('bjorn');
	});

	test("reset at midnight in UTC, whatever a moderator makes the server's time zone", async () => {
		const { clock, settings, granted, denied, setCaps } = await createLedgerFixture(withCaps({ serverPerDay: 1 }));
		await setCaps();
		await granted();
		for (const timeZone of ['Pacific/Kiritimati', 'Etc/GMT+12', 'Asia/Tokyo']) {
			await changeThrough(settings, { timeZone });
			expect(await denied('bjorn'), timeZone).toBe('operatorServer day 1/1');
		}
		clock.now = Date.UTC(2026, 10, 20, 23, 59);
		expect(await denied('bjorn')).toBe('operatorServer day 1/1');
		clock.now = Date.UTC(2026, 10, 21);
		await granted('bjorn');
	});

	test('do not count chat turns', async () => {
		const { easel, request } = await createLedgerFixture(withCaps({ serverPerDay: 0, memberPerDay: 0 }));
		expect(await request('ada', { what: 'chat' })).toMatchObject({ state: 'reserved' });
		const statuses = await usageStatus(easel, DEFAULT_SETTINGS, PLACE, { id: 'ada' }, 'chat');
		expect(statuses.map(({ name }) => name)).not.toContain('operatorServer');
	});

	test('are never exceeded by concurrent requests in several servers', async () => {
		const { request } = await createLedgerFixture(withCaps({ serverPerDay: 20, memberPerDay: 7 }));
		const results = await Promise.all(
			Array.from({ length: 300 }, (_, i) => request(`person-${i % 6}`, { server: `server-${i % 2}` })),
		);
		// Three people are in each server: 3 · 7 calls, of which the server's cap allows 20.
		expect(results.filter((result) => typeof result === 'object' && 'state' in result)).toHaveLength(40);
	});
});

describe('an operator who sets a cap later', () => {
	test('caps the whole running day and month', async () => {
		const { ledger, clock, granted, sent, restarted, request, verify } = await createLedgerFixture(
			{ price: 30 },
			2 * 24 * 3600_000,
		);
		clock.now = Date.UTC(2026, 10, 3, 12);
		const end = async (job: Job, outcome: 'succeeded' | 'failed' | 'unknown') =>
			ledger.end(await sent(job), { outcome: outcome, pictures: 1 });
		for (const outcome of ['succeeded', 'succeeded', 'failed', 'unknown'] as const) await end(await granted(), outcome);
		clock.now = Date.UTC(2026, 10, 20, 12);
		await end(await granted(), 'succeeded');
		await granted();
		await granted('ada', { what: 'chat' });

		const capped = restarted({ serverPerDay: 9, serverPerMonth: 9, memberPerDay: 9 });
		const figures = async (of: Easel) =>
			(await usageStatus(of, DEFAULT_SETTINGS, PLACE, { id: 'ada' }))
				.filter(({ name }) => name.startsWith('operator'))
				.map(({ name, period, used, limit }) => `${name} ${period} ${used}/${limit}`);
		expect(await figures(capped)).toEqual([
			'operatorServer day 2/9',
			'operatorServer month 5/9',
			'operatorMember day 2/9',
		]);

		// A process that does not have the caps yet makes a call, which counts as well.
		await request('ada', {}, capped.ledger);
		await granted();

		expect(await figures(capped)).toEqual([
			'operatorServer day 4/9',
			'operatorServer month 7/9',
			'operatorMember day 4/9',
		]);

		const lowered = restarted({ serverPerMonth: 7, memberPerDay: 2 });
		expect(await figures(lowered)).toEqual(['operatorServer month 7/7', 'operatorMember day 4/2']);
		expect(await request('bjorn', {}, lowered.ledger)).toMatchObject({ denied: { name: 'operatorServer' }, used: 7 });
		expect(await request('ada', {}, restarted(undefined).ledger)).toMatchObject({ state: 'reserved' });
		expect(await verify()).toEqual([]);
	});
});

test("the operator's caps hold over restarts, changes of the caps and of time zones, refunds and totals", async () => {
	const cap = fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined });
	const step = fc.oneof(
		{
			weight: 6,
			arbitrary: fc.record({
				do: fc.constant('reserve' as const),
				who: fc.constantFrom('ada', 'bjorn'),
				server: fc.constantFrom('club', 'guild', 'user:ada'),
			}),
		},
		fc.record({
			do: fc.constant('settle' as const),
			job: fc.nat(20),
			outcome: fc.constantFrom('succeeded' as const, 'failed' as const, 'unknown' as const),
		}),
		fc.record({ do: fc.constant('close' as const), job: fc.nat(20) }),
		fc.record({
			do: fc.constant('restart' as const),
			caps: fc.record({ serverPerDay: cap, serverPerMonth: cap, memberPerDay: cap }),
		}),
		fc.record({ do: fc.constant('zone' as const), timeZone: fc.constantFrom('UTC', 'Asia/Tokyo', 'America/New_York') }),
		fc.record({ do: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 30 }) }),
	);
	await fc.assert(
		fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
			const { clock, request, restarted, settings, settle, verify } = await createLedgerFixture(
				{ price: 30 },
				40 * 24 * 3600_000,
			);
			let caps: OperatorCaps = { serverPerDay: 2, serverPerMonth: 3, memberPerDay: 2 };
			let { ledger } = restarted(caps);
			const jobs: Job[] = [];
			const failed = new Set<string>();
			const day = (at: number) => new Date(at).toISOString().slice(0, 10);
			const month = (at: number) => day(at).slice(0, 7);
			const countOf = (window: (at: number) => string, isCounted: (job: Job) => boolean) =>
				jobs.filter((job) => isCounted(job) && !failed.has(job.id) && window(job.at) === window(clock.now)).length;
			for (const one of steps) {
				if (one.do === 'reserve') {
					const job = await request(one.who, { server: one.server }, ledger);
					if (job === 'duplicate' || !('state' in job)) continue;
					jobs.push(job);
					const inServer = ({ place }: Job) => place.server === one.server;
					if (!one.server.startsWith('user:')) {
						expect(countOf(day, inServer)).toBeLessThanOrEqual(caps.serverPerDay ?? Infinity);
						expect(countOf(month, inServer)).toBeLessThanOrEqual(caps.serverPerMonth ?? Infinity);
					}
					const ofPerson = ({ person }: Job) => person.id === one.who;
					expect(countOf(day, ofPerson)).toBeLessThanOrEqual(caps.memberPerDay ?? Infinity);
				} else if (one.do === 'restart') {
					caps = one.caps;
					({ ledger } = restarted(caps));
				} else if (one.do === 'zone') await changeThrough(settings, { timeZone: one.timeZone });
				else if (one.do === 'wait') clock.now += one.hours * 3600_000;
				else {
					const job = jobs[one.job % Math.max(1, jobs.length)];
					if (!job) continue;
					if (one.do === 'close') await ledger.end(job, { outcome: 'unknown', pictures: 0 });
					else if ((await settle(job, one.outcome, 1)).outcome === 'failed') failed.add(job.id);
				}
			}
			expect(await verify()).toEqual([]);
		}),
		{ numRuns: 150 },
	);
});
