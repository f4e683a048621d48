import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Job, Limit } from '../domain/job.ts';
import { refund, refundableCalls } from './jobs.ts';
import { createLedgerFixture, quoted } from './ledger.fixture.ts';

const CENT = 10_000;

/** The plan of a deployment whose calls have prices. */
const PRICED = { price: 30, prices: [{ usd_per_call: 4 * CENT }] };

const ofMember = (usd: number): Limit => ({ scope: 'member', period: 'day', usd });

const priced = (cents: number) => ({ quote: quoted(cents * CENT) });

describe('a cap in money', () => {
	test('takes the most that a call can cost, and gets back what it did not cost', async () => {
		const { setCaps, granted, denied, sent, settle, used, receipts, verify, ledger } =
			await createLedgerFixture(PRICED);
		await setCaps(ofMember(20 * CENT));
		const dear = await sent(await granted('ada', priced(17)));
		expect(await denied('ada', priced(4))).toBe('member day 170000/200000');
		expect(await settle(dear, 'succeeded', 1, undefined, ledger, 4.2 * CENT)).toMatchObject({ usd: 42_000 });
		expect(await used('member', 'day', 'ada', 'usd')).toBe(42_000);
		expect(await used('member', 'month', 'ada', 'usd')).toBe(42_000);
		expect(await used('member', 'day')).toBe(1);
		await granted('ada', priced(15.8));
		expect(await denied('ada', { quote: quoted(1) })).toBe('member day 200000/200000');
		expect((await receipts()).map(({ usd }) => usd)).toEqual([42_000]);
		expect(await verify()).toEqual([]);
	});

	test('counts no more than was reserved, and all of it where nothing is known', async () => {
		const { granted, sent, settle, used, verify, ledger } = await createLedgerFixture(PRICED);
		const settled = async (outcome: 'succeeded' | 'unknown' | 'failed', paid?: number) =>
			settle(await sent(await granted('ada', priced(4))), outcome, 1, undefined, ledger, paid);
		await settled('succeeded', 9 * CENT);
		await settled('succeeded');
		await settled('unknown', CENT);
		await settled('failed');
		expect(await used('server', 'month', 'ada', 'usd')).toBe(12 * CENT);
		expect(await verify()).toEqual([]);
	});

	test('holds beside a cap in calls', async () => {
		const { setCaps, granted, denied } = await createLedgerFixture(PRICED);
		await setCaps({ scope: 'server', period: 'day', images: 2, usd: 10 * CENT });
		await granted('ada', priced(4));
		expect(await denied('ada', priced(7))).toBe('server day 40000/100000');
		await granted('ada', priced(6));
		expect(await denied('ada', { quote: quoted(0) })).toBe('server day 2/2');
	});

	test('of the operator holds in all servers, and a month has its own', async () => {
		const caps = { memberUsdPerDay: 8 * CENT, serverUsdPerMonth: 10 * CENT };
		const { granted, denied, verify } = await createLedgerFixture({ ...PRICED, caps });
		await granted('ada', priced(4));
		await granted('ada', { ...priced(4), server: 'guild' });
		expect(await denied('ada', priced(1))).toBe('operatorMember day 80000/80000');
		await granted('ben', priced(6));
		expect(await denied('chiyo', priced(1))).toBe('operatorServer month 100000/100000');
		expect(await verify()).toEqual([]);
	});

	test('is raised by a grant of money, and not by one of calls', async () => {
		const { setCaps, changeSettings, granted, denied } = await createLedgerFixture(PRICED);
		await setCaps(ofMember(4 * CENT));
		const grant = { member: 'ada', period: 'day', window: '2026-11-20' } as const;
		await changeSettings({ grants: [{ ...grant, images: 5 }] });
		await granted('ada', priced(4));
		expect(await denied('ada', priced(4))).toBe('member day 40000/40000');
		await changeSettings({ grants: [{ ...grant, images: 0, usd: 6 * CENT }] });
		await granted('ada', priced(6));
		expect(await denied('ada', priced(1))).toBe('member day 100000/100000');
	});

	test('counts calls beyond the plan alone where nothing has a price', async () => {
		const { setCaps, changeSettings, granted, denied, used } = await createLedgerFixture({
			price: 30,
			imagesPerMonth: 2,
		});
		await setCaps(ofMember(6 * CENT));
		await changeSettings({ overageMills: 1000 });
		for (let calls = 0; calls < 4; calls += 1) await granted('ada');
		expect(await used('member', 'day', 'ada', 'usd')).toBe(6 * CENT);
		expect(await denied('ada')).toBe('member day 60000/60000');
	});

	test('beyond the plan is what the call costs', async () => {
		const plan = { ...PRICED, imagesPerMonth: 1 };
		const { changeSettings, granted, denied, sent, settle, used, ledger } = await createLedgerFixture(plan);
		await changeSettings({ overageMills: 100 });
		await granted('ada', priced(4));
		const second = await sent(await granted('ada', priced(9)));
		expect(await denied('ada', priced(4))).toBe('overage month 90000/100000');
		await settle(second, 'succeeded', 1, undefined, ledger, 2 * CENT);
		expect(await used('overage', 'month')).toBe(2 * CENT);
	});

	test('gets back the money of calls of unknown outcome when moderators refund them', async () => {
		const { easel, settings, setCaps, granted, sent, settle, used, verify } = await createLedgerFixture(PRICED);
		await setCaps(ofMember(4 * CENT));
		const job = await sent(await granted('ada', priced(4)));
		await settle(job, 'unknown', 0);
		const calls = await Array.fromAsync(refundableCalls(easel, job.place));
		expect(await refund(easel, await settings.get(job.place), calls)).toBe(1);
		expect(await used('member', 'day', 'ada', 'usd')).toBe(0);
		await granted('ada', priced(4));
		expect(await verify()).toEqual([]);
	});
});

test('a race of two processes for the last cent ends at the cap', async () => {
	const { setCaps, request, used, process, verify } = await createLedgerFixture(PRICED);
	await setCaps({ scope: 'server', period: 'month', usd: 25 * CENT });
	const both = [process('one'), process('two')];
	const results = await Promise.all(
		Array.from({ length: 40 }, (_, index) => request(`member-${index}`, priced(1 + (index % 4)), both[index % 2])),
	);
	const reserved = results.flatMap((result) =>
		typeof result === 'object' && 'usd' in result ? (result.usd ?? 0) : [],
	);
	expect(reserved.reduce((sum, usd) => sum + usd, 0)).toBe(25 * CENT);
	expect(await used('server', 'month', 'ada', 'usd')).toBe(25 * CENT);
	expect(await verify()).toEqual([]);
});

test('what is reserved and settled never passes a cap, whatever calls cost in the end', async () => {
	const step = fc.oneof(
		fc.record({ kind: fc.constant('reserve'), person: fc.constantFrom('ada', 'ben'), most: fc.nat(30_000) }),
		fc.record({
			kind: fc.constant('settle'),
			outcome: fc.constantFrom('succeeded', 'failed', 'unknown'),
			paid: fc.option(fc.nat(60_000), { nil: undefined }),
		}),
	);
	await fc.assert(
		fc.asyncProperty(
			fc.array(step, { maxLength: 25 }),
			fc.nat(80_000),
			fc.nat(50_000),
			async (steps, server, member) => {
				const { setCaps, request, sent, settle, used, verify, ledger } = await createLedgerFixture(PRICED);
				await setCaps({ scope: 'server', period: 'month', usd: server }, ofMember(member));
				const open: Job[] = [];
				for (const each of steps) {
					if ('most' in each) {
						const job = await request(each.person, { quote: quoted(each.most) });
						if (typeof job === 'object' && 'state' in job) open.push(await sent(job));
					} else {
						const job = open.shift();
						if (job) await settle(job, each.outcome as 'failed', 1, undefined, ledger, each.paid);
					}
					expect(await used('server', 'month', 'ada', 'usd')).toBeLessThanOrEqual(server);
					for (const person of ['ada', 'ben'])
						expect(await used('member', 'day', person, 'usd')).toBeLessThanOrEqual(member);
				}
				expect(await verify()).toEqual([]);
			},
		),
		{ numRuns: 60 },
	);
});
