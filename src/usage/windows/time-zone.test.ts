import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changeThrough, createLedgerFixture, otherProcess, PLACE } from '../ledger.fixture.ts';

const HOUR = 3600_000;

/** From the first to the last midnight of the earth, with halves and quarters of an hour, and clock changes. */
const ZONES = [
	'UTC',
	'Pacific/Pago_Pago',
	'America/New_York',
	'America/St_Johns',
	'Africa/Cairo',
	'Europe/Berlin',
	'Asia/Kathmandu',
	'Australia/Lord_Howe',
	'Pacific/Kiritimati',
];

const dayCap = { scope: 'server', period: 'day', images: 2 } as const;

describe('a change of the time zone', () => {
	test('keeps what the running day and month have counted, for the server and its members', async () => {
		const { setCaps, changeSettings, granted, denied, used } = await createLedgerFixture();
		await setCaps(dayCap, { scope: 'member', period: 'month', images: 3 });
		await granted();
		await granted();
		expect(await denied()).toBe('server day 2/2');
		for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'UTC']) {
			await changeSettings({ timeZone });
			expect(await denied()).toBe('server day 2/2');
			expect(await used('member', 'month')).toBe(2);
		}
	});

	test('lets the day end at the first midnight of the new zone that is not earlier than the end it had', async () => {
		const { clock, setCaps, changeSettings, granted, denied } = await createLedgerFixture();
		await setCaps(dayCap);
		await granted();
		await granted();
		// 02:00 on the 21st in Kiritimati, whose midnight is at 10:00 UTC.
		await changeSettings({ timeZone: 'Pacific/Kiritimati' });
		clock.now = Date.UTC(2026, 10, 21, 9, 59);
		expect(await denied()).toBe('server day 2/2');
		clock.now = Date.UTC(2026, 10, 21, 10);
		await granted();
		await granted();
		expect(await denied()).toBe('server day 2/2');
		clock.now = Date.UTC(2026, 10, 22, 10);
		await granted();
	});

	test('does not count a later day on the counters of an earlier zone', async () => {
		const { clock, setCaps, changeSettings, granted, denied } = await createLedgerFixture();
		await changeSettings({ timeZone: 'Pacific/Kiritimati' });
		await setCaps(dayCap);
		// The 21st in Kiritimati.
		await granted();
		await changeSettings({ timeZone: 'Pacific/Pago_Pago' });
		await granted();
		expect(await denied()).toBe('server day 2/2');
		// The 21st of Kiritimati ends at 10:00 UTC, an hour before the 21st of Pago Pago begins.
		clock.now = Date.UTC(2026, 10, 21, 11);
		await granted();
		await granted();
		expect(await denied()).toBe('server day 2/2');
	});

	test('does not reset a cap by itself, also after the end that the day had at first', async () => {
		const { clock, setCaps, changeSettings, granted, denied } = await createLedgerFixture();
		await setCaps(dayCap);
		await granted();
		await granted();
		await changeSettings({ timeZone: 'Pacific/Kiritimati' });
		// New York's midnight was at 05:00 UTC.
		clock.now = Date.UTC(2026, 10, 21, 9);
		await changeSettings({ timeZone: 'America/New_York' });
		expect(await denied()).toBe('server day 2/2');
		clock.now = Date.UTC(2026, 10, 22, 5);
		await granted();
	});

	test('applies at once where nothing was counted in the running month', async () => {
		const { clock, setCaps, changeSettings, granted } = await createLedgerFixture();
		await setCaps(dayCap);
		await changeSettings({ timeZone: 'Asia/Kathmandu' });
		await granted();
		await granted();
		clock.now = Date.UTC(2026, 10, 20, 18, 15);
		await granted();
	});

	test('keeps the count of a call that is reserved meanwhile', async () => {
		const { space, setCaps, granted, denied } = await createLedgerFixture();
		await setCaps(dayCap);
		const other = otherProcess({
			...space,
			async commit(change) {
				if (change.once?.startsWith('audit:') && (await space.keyv.get('job:meanwhile')) === undefined)
					await granted('ada', { id: 'meanwhile' });
				return space.commit(change);
			},
		});
		await changeThrough(other, { timeZone: 'Pacific/Kiritimati' });
		await granted();
		expect(await denied()).toBe('server day 2/2');
	});

	test('adds what a channel has seen in the running day when the channel gets a cap', async () => {
		const { ledger, settings, changeSettings, granted } = await createLedgerFixture();
		await granted();
		await changeSettings({ timeZone: 'Pacific/Kiritimati' });
		await granted();
		await changeSettings({ limits: [{ scope: 'channel', target: PLACE.channel, period: 'day', images: 5 }] });
		const status = await ledger.usageStatus(PLACE, { id: 'ada' }, 'pictures', await settings.get(PLACE));
		const layer = status.find(({ name }) => name === 'channel');
		await ledger.backfillCounter(PLACE, layer as NonNullable<typeof layer>);
		expect((await ledger.usageStatus(PLACE, { id: 'ada' })).find(({ name }) => name === 'channel')?.used).toBe(2);
		expect(await ledger.verify()).toEqual([]);
	});

	test('never allows more than two caps within a day, however often it is made', async () => {
		const step = fc.record({
			wait: fc.oneof(fc.integer({ min: 0, max: 90 }), fc.integer({ min: 0, max: 24 * 60 })),
			zone: fc.option(fc.constantFrom(...ZONES)),
		});
		await fc.assert(
			fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 60 }), async (steps) => {
				const { clock, ledger, setCaps, changeSettings, request } = await createLedgerFixture();
				await setCaps(dayCap, { scope: 'member', period: 'month', images: 7 });
				const granted: number[] = [];
				for (const { wait, zone } of steps) {
					clock.now += wait * 60_000;
					if (zone) await changeSettings({ timeZone: zone });
					for (let index = 0; index < 3; index++) {
						const result = await request();
						if (typeof result === 'object' && 'state' in result) granted.push(clock.now);
					}
					for (const { name, period, window } of await ledger.usageStatus(PLACE, { id: 'ada' }))
						if (name === 'server' && period === 'day')
							expect(window.resetsAt - clock.now).toBeLessThanOrEqual(49 * HOUR);
				}
				// A day has 23 hours when clocks are set forward.
				for (const [index, at] of granted.entries())
					expect((granted[index + 4] ?? Number.POSITIVE_INFINITY) - at).toBeGreaterThanOrEqual(23 * HOUR);
				expect(await ledger.verify()).toEqual([]);
			}),
			{ numRuns: 60 },
		);
	});
});
