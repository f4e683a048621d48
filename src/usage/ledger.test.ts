import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Job } from '../domain/job.ts';
import type { Limit } from '../domain/limit.ts';
import type { Place } from '../domain/place.ts';
import { openStore } from '../store/open-store.ts';
import type { Space } from '../store/store.ts';
import type { Plan } from './layers.ts';
import { Ledger } from './ledger.ts';
import type { Settings } from './settings.ts';
import { SettingsRepository } from './settings-repository.ts';

const place: Place = { platform: 'test', server: 'club', channel: 'general' };
const moderator = { id: 'mod', name: 'Mod' };
/** 20 November 2026, 12:00 UTC. */
const NOON = Date.UTC(2026, 10, 20, 12);

describe('the ledger', () => {
	let space: Space;
	let settings: SettingsRepository;
	let clock: number;
	let ledger: Ledger;
	let asked = 0;

	const open = (plan: Plan = { price: 30 }) =>
		new Ledger({ space, settings, plan, processId: 'this', now: () => clock });

	beforeEach(async () => {
		space = (await openStore('memory:')).space('ledger');
		clock = NOON;
		settings = new SettingsRepository(space, () => clock);
		ledger = open();
	});

	const rule = (edit: Partial<Settings>) =>
		settings.change(place, moderator, 'test', (before) => ({ ...before, ...edit }));
	const caps = (...limits: Limit[]) => rule({ limits });
	const ask = (person = 'ada', options: { id?: string; channel?: string; roles?: string[] } = {}) => {
		const { id = `job-${asked++}`, channel = 'general', roles } = options;
		const where = { ...place, channel };
		const answer = { place: where, key: id };
		return ledger.reserve({
			id,
			command: 'imagine',
			place: where,
			person: { id: person, name: person },
			answer,
			roles,
		});
	};
	const granted = async (...request: Parameters<typeof ask>): Promise<Job> => {
		const job = await ask(...request);
		if (job === 'duplicate' || 'denied' in job) throw new Error(`not granted: ${JSON.stringify(job)}`);
		return job;
	};
	const refusedBy = async (...request: Parameters<typeof ask>) => {
		const refusal = await ask(...request);
		return typeof refusal === 'object' && 'used' in refusal
			? `${refusal.denied.name} ${refusal.denied.period} ${refusal.used}/${refusal.denied.limit}`
			: refusal;
	};
	const send = async (job: Job): Promise<Job> => {
		expect(await ledger.markSent(job)).toBe(true);
		return { ...job, state: 'sent' };
	};
	const used = async (name: string, period: string, person = 'ada') =>
		(await ledger.usageStatus(place, { id: person })).find((one) => one.name === name && one.period === period)?.used;

	describe('caps', () => {
		test('of a server, a channel and every member each refuse, the widest first', async () => {
			await caps(
				{ scope: 'server', period: 'month', images: 4 },
				{ scope: 'channel', target: 'general', period: 'day', images: 3 },
				{ scope: 'member', period: 'day', images: 2 },
			);
			await granted('ada');
			await granted('ada');
			expect(await refusedBy('ada')).toBe('member day 2/2');
			await granted('bjorn');
			expect(await refusedBy('bjorn')).toBe('channel day 3/3');
			await granted('bjorn', { channel: 'gallery' });
			expect(await refusedBy('chiyo', { channel: 'gallery' })).toBe('server month 4/4');
		});

		test('another rule of the server refuses by what is in force when the call is taken, and takes nothing', async () => {
			const answer = { place, key: 'x' };
			const person = { id: 'ada', name: 'Ada' };
			const forbids = ({ blocked }: Settings) => (blocked.includes('ada') ? 'Blocked.' : undefined);
			const reserve = (id: string) =>
				ledger.reserve({ id, command: 'imagine', place, person, answer: { ...answer, key: id }, checkPolicy: forbids });
			expect(await reserve('1')).toMatchObject({ state: 'reserved' });
			// Another process changes the rules: what this one holds is out of date.
			const others = new SettingsRepository(space, () => clock);
			const block = (...blocked: string[]) =>
				others.change(place, moderator, 'test', (before) => ({ ...before, blocked }));
			await block('ada');
			expect(await reserve('2')).toEqual({ denied: 'Blocked.' });
			expect(await reserve('1')).toBe('duplicate');
			await block();
			expect(await reserve('2')).toMatchObject({ state: 'reserved' });
			expect(await used('server', 'month')).toBe(2);
		});

		test('a refusal takes nothing, from any layer', async () => {
			await caps({ scope: 'member', period: 'day', images: 0 });
			expect(await refusedBy('ada')).toBe('member day 0/0');
			expect(await used('server', 'month')).toBe(0);
		});

		test("a member's best role counts, and takes the place of the cap for every member", async () => {
			await caps(
				{ scope: 'member', period: 'day', images: 1 },
				{ scope: 'role', target: 'painters', period: 'day', images: 3 },
				{ scope: 'role', target: 'guests', period: 'day', images: 2 },
			);
			const roles = ['guests', 'painters'];
			for (let i = 0; i < 3; i++) await granted('ada', { roles });
			expect(await refusedBy('ada', { roles })).toBe('role day 3/3');
			await granted('bjorn');
			expect(await refusedBy('bjorn')).toBe('member day 1/1');
		});

		test('a cap for one member holds beside the role', async () => {
			await caps(
				{ scope: 'role', target: 'painters', period: 'day', images: 3 },
				{ scope: 'member', target: 'ada', period: 'day', images: 1 },
			);
			await granted('ada', { roles: ['painters'] });
			expect(await refusedBy('ada', { roles: ['painters'] })).toBe('member day 1/1');
		});

		test('hold however many ask at once', async () => {
			await caps({ scope: 'server', period: 'day', images: 100 });
			const outcomes = await Promise.all(Array.from({ length: 1000 }, (_, i) => ask(`member-${i % 50}`)));
			expect(outcomes.filter((outcome) => typeof outcome === 'object' && 'state' in outcome)).toHaveLength(100);
			expect(await used('server', 'day')).toBe(100);
		});

		test('are those in force at that moment, also where another process has just changed them', async () => {
			await caps({ scope: 'server', period: 'day', images: 2 });
			await granted();
			const elsewhere = new SettingsRepository(space, () => clock);
			await elsewhere.change(place, moderator, 'test', (before) => ({
				...before,
				limits: [{ scope: 'server', period: 'day', images: 1 }],
			}));
			expect(await refusedBy()).toBe('server day 1/1');
		});

		test('one delivery is reserved once', async () => {
			await granted('ada', { id: 'same' });
			expect(await ask('ada', { id: 'same' })).toBe('duplicate');
			await caps({ scope: 'server', period: 'day', images: 1 });
			expect(await ask('ada', { id: 'same' })).toBe('duplicate');
			expect(await used('server', 'day')).toBe(1);
		});

		test('chat has caps of its own, which pictures do not touch, nor chat the plan', async () => {
			ledger = open({ imagesPerMonth: 1, price: 30 });
			await caps(
				{ what: 'chat', scope: 'member', period: 'day', images: 2 },
				{ scope: 'server', period: 'day', images: 1 },
			);
			const talk = async (id: string) =>
				ledger.reserve({
					id,
					command: 'chat',
					what: 'chat',
					place,
					person: { id: 'ada', name: 'ada' },
					answer: { place, key: id },
				});
			expect(await talk('t1')).toMatchObject({ what: 'chat', cost: 0 });
			await granted();
			const second = (await talk('t2')) as Job;
			expect(await talk('t3')).toMatchObject({ denied: { name: 'member', what: 'chat', limit: 2 }, used: 2 });
			await ledger.settle(second, 'failed', 0);
			expect(await talk('t4')).toMatchObject({ id: 't4' });
			expect(await ledger.verify()).toEqual([]);
			expect(await Array.fromAsync(ledger.receipts(place))).toEqual([]);
			expect(await ledger.usageStatus(place, { id: 'ada' }, 'chat')).toMatchObject([
				{ name: 'server', used: 2 },
				{ name: 'server' },
				{ name: 'member', period: 'day', limit: 2, used: 2 },
				{ name: 'member' },
			]);
		});

		test('a channel that gets a cap in the middle of its window starts with what it has seen', async () => {
			await ledger.settle(await send(await granted('ada')), 'succeeded', 1);
			await ledger.settle(await send(await granted('ada')), 'failed', 0);
			await granted('bjorn');
			await granted('bjorn', { channel: 'gallery' });
			await caps({ scope: 'channel', target: 'general', period: 'day', images: 3 });
			const layer = (await ledger.usageStatus(place, { id: 'ada' })).find(({ name }) => name === 'channel');
			if (!layer) throw new Error('The channel is not counted');
			await ledger.backfillCounter(place, layer);
			await ledger.backfillCounter(place, layer);
			expect(await used('channel', 'day')).toBe(2);
			await granted('chiyo');
			expect(await refusedBy('chiyo')).toBe('channel day 3/3');
			expect(await ledger.verify()).toEqual([]);
		});
	});

	describe('the plan', () => {
		test('is shared by every server, and beyond it only money that moderators allowed is spent', async () => {
			ledger = open({ imagesPerMonth: 2, price: 30 });
			await granted();
			await granted();
			expect(await refusedBy()).toBe('plan month 2/2');
			await rule({ overageMills: 70 });
			expect((await granted()).cost).toBe(30);
			expect((await granted()).cost).toBe(30);
			expect(await refusedBy()).toBe('overage month 60/70');
			expect(await used('plan', 'month')).toBe(2);
			expect(await ledger.verify()).toEqual([]);
		});

		test('money for a call that failed is given back', async () => {
			ledger = open({ imagesPerMonth: 0, price: 30 });
			await rule({ overageMills: 30 });
			await ledger.settle(await send(await granted()), 'failed', 0);
			expect(await used('overage', 'month')).toBe(0);
			await granted();
		});
	});

	describe('settling', () => {
		test('gives back what failed to the windows it was taken from, also past midnight and the month', async () => {
			clock = Date.UTC(2026, 10, 30, 23, 59, 59);
			await caps({ scope: 'member', period: 'day', images: 1 });
			const late = await send(await granted());
			clock += 2000;
			const early = await granted();
			await ledger.settle(late, 'failed', 0);
			expect(await used('member', 'day')).toBe(1);
			expect(await used('server', 'month')).toBe(1);
			expect(await refusedBy()).toBe('member day 1/1');
			await ledger.settle(early, 'failed', 0);
			expect(await used('member', 'day')).toBe(0);
			expect(await ledger.verify()).toEqual([]);
		});

		test("days are the server's own", async () => {
			await rule({ timeZone: 'America/New_York', limits: [{ scope: 'member', period: 'day', images: 1 }] });
			// 23:30 in New York, the day after in UTC.
			clock = Date.UTC(2026, 10, 21, 4, 30);
			await granted();
			expect(await refusedBy()).toBe('member day 1/1');
			clock = Date.UTC(2026, 10, 21, 5, 0);
			await granted();
		});

		test('counts once, whatever is said later', async () => {
			const job = await send(await granted());
			expect((await ledger.settle(job, 'unknown', 0)).state).toBe('unknown');
			expect((await ledger.settle(job, 'failed', 0)).state).toBe('unknown');
			expect(await used('member', 'day')).toBe(1);
			expect(await Array.fromAsync(ledger.receipts(place))).toMatchObject([{ id: job.id, outcome: 'unknown' }]);
		});

		test('what was given back unsent can not be sent any more', async () => {
			const job = await granted();
			const taken = await ledger.claim(job);
			await ledger.settle(taken as Job, 'failed', 0);
			expect(await ledger.markSent(job)).toBe(false);
			expect(await used('member', 'day')).toBe(0);
		});

		test('what was sent can not be given back as unsent', async () => {
			const job = await granted();
			await send(job);
			expect((await ledger.settle(job, 'failed', 0)).state).toBe('sent');
			expect(await used('member', 'day')).toBe(1);
		});

		test('a job left behind is taken over by one process alone', async () => {
			const job = await granted();
			expect(await Promise.all([ledger.claim(job), ledger.claim(job)])).toMatchObject([{ hands: 1 }, undefined]);
		});
	});

	test('totals computed from receipts equal the counters, whatever happens in whatever order', async () => {
		const step = fc.oneof(
			fc.record({ do: fc.constant('ask' as const), who: fc.constantFrom('ada', 'bjorn', 'chiyo') }),
			fc.record({ do: fc.constant('send' as const), job: fc.nat(20) }),
			fc.record({
				do: fc.constant('settle' as const),
				job: fc.nat(20),
				outcome: fc.constantFrom('succeeded' as const, 'failed' as const, 'unknown' as const),
			}),
			fc.record({ do: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 400 }) }),
		);
		await fc.assert(
			fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
				space = (await openStore('memory:')).space('ledger');
				settings = new SettingsRepository(space, () => clock);
				ledger = open({ imagesPerMonth: 3, price: 30 });
				await rule({
					timeZone: 'America/New_York',
					overageMills: 60,
					limits: [
						{ scope: 'member', period: 'day', images: 2 },
						{ scope: 'channel', target: 'general', period: 'month', images: 5 },
					],
				});
				const jobs: Job[] = [];
				for (const one of steps) {
					if (one.do === 'ask') {
						const job = await ask(one.who);
						if (typeof job === 'object' && 'state' in job) jobs.push(job);
					} else if (one.do === 'wait') clock += one.hours * 3600_000;
					else {
						const index = one.job % Math.max(1, jobs.length);
						const job = jobs[index];
						if (!job) continue;
						if (one.do === 'settle') await ledger.settle(job, one.outcome, 1);
						else if (await ledger.markSent(job)) jobs[index] = { ...job, state: 'sent' };
					}
				}
				expect(await ledger.verify()).toEqual([]);
			}),
			{ numRuns: 150 },
		);
	});

	test('a verification finds a counter that is off', async () => {
		await granted();
		await space.commit({ add: [{ key: 'count:test:club:server:2026-11', by: 1 }] });
		expect(await ledger.verify()).toEqual([{ key: 'count:test:club:server:2026-11', counted: 2, computed: 1 }]);
	});

	test('every change of the rules is written down, also of two at once', async () => {
		await Promise.all([rule({ atOnce: 3 }), rule({ cooldownSeconds: 10 }), rule({ timeZone: 'Asia/Tokyo' })]);
		expect(await settings.get(place)).toMatchObject({ atOnce: 3, cooldownSeconds: 10, timeZone: 'Asia/Tokyo' });
		expect((await settings.audit(place)).map(({ version, by }) => `${version} ${by.name}`)).toEqual([
			'1 Mod',
			'2 Mod',
			'3 Mod',
		]);
		expect((await settings.audit(place)).map(({ before, after }) => ({ before, after }))).toContainEqual({
			before: { cooldownSeconds: 0 },
			after: { cooldownSeconds: 10 },
		});
	});
});
