import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Job } from '../domain/job.ts';
import { createLedgerFixture } from './ledger.fixture.ts';
import { counterField } from './windows.ts';

test('counters equal the sum of receipts and running jobs after any sequence of operations', async () => {
	const step = fc.oneof(
		fc.record({ do: fc.constant('reserve' as const), who: fc.constantFrom('ada', 'bjorn', 'chiyo') }),
		fc.record({ do: fc.constant('send' as const), job: fc.nat(20) }),
		fc.record({
			do: fc.constant('settle' as const),
			job: fc.nat(20),
			outcome: fc.constantFrom('succeeded' as const, 'failed' as const, 'unknown' as const),
		}),
		fc.record({ do: fc.constant('close' as const), job: fc.nat(20) }),
		fc.record({ do: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 400 }) }),
	);
	await fc.assert(
		fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
			const { ledger, clock, changeSettings, request, settle, verify } = await createLedgerFixture({
				imagesPerMonth: 3,
				price: 30,
			});
			await changeSettings({
				timeZone: 'America/New_York',
				overageMills: 60,
				limits: [
					{ scope: 'member', period: 'day', images: 2 },
					{ scope: 'channel', target: 'general', period: 'month', images: 5 },
				],
			});
			const jobs: Job[] = [];
			for (const one of steps) {
				if (one.do === 'reserve') {
					const job = await request(one.who);
					if (typeof job === 'object' && 'state' in job) jobs.push(job);
				} else if (one.do === 'wait') clock.now += one.hours * 3600_000;
				else {
					const index = one.job % Math.max(1, jobs.length);
					const job = jobs[index];
					if (!job) continue;
					if (one.do === 'close') await ledger.end(job, { outcome: 'unknown', pictures: 0 });
					else if (one.do === 'settle') await settle(job, one.outcome, 1);
					else jobs[index] = (await ledger.send(job)) ?? job;
				}
			}
			expect(await verify()).toEqual([]);
		}),
		{ numRuns: 150 },
	);
});

test('a counter that is off is reported', async () => {
	const { space, granted, verify } = await createLedgerFixture();
	await granted();
	await space.commit({ add: [{ ...counterField('count:test:club:server:2026-11'), by: 1 }] });
	expect(await verify()).toEqual([{ key: 'count:test:club:server:2026-11', counted: 2, computed: 1 }]);
});
