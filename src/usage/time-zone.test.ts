import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changeThrough, createLedgerFixture, otherProcess, PLACE } from './ledger.fixture.ts';

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
	test('leaves the running day and month as they are, for the server and its members', async () => {
		const { clock, setCaps, changeSettings, granted, denied, used } = await createLedgerFixture();
		await setCaps(dayCap, { scope: 'member', period: 'month', images: 3 });
		await granted();
		await granted();
		for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'UTC', 'Asia/Tokyo']) {
			await changeSettings({ timeZone });
			expect(await denied()).toBe('server day 2/2');
			expect(await used('member', 'month')).toBe(2);
		}
		clock.now = Date.UTC(2026, 10, 20, 23, 59);
		expect(await denied()).toBe('server day 2/2');
		clock.now = Date.UTC(2026, 10, 21);
		await granted();
		expect(await denied()).toBe('member month 3/3');
	});

	test('holds from the next month on', async () => {
		const { clock, settings, setCaps, changeSettings, granted, denied } = await createLedgerFixture();
		await setCaps(dayCap);
		await granted();
		await changeSettings({ timeZone: 'Asia/Tokyo' });
		const until = Date.UTC(2026, 11, 1);
		expect(await settings.get(PLACE)).toMatchObject({
			timeZone: 'Asia/Tokyo',
			previousZone: { timeZone: 'UTC', until },
		});
		// 09:00 in Tokyo.
		clock.now = until;
		expect((await settings.get(PLACE)).previousZone).toBeUndefined();
		await granted();
		await granted();
		clock.now = Date.UTC(2026, 11, 1, 14, 59);
		expect(await denied()).toBe('server day 2/2');
		clock.now = Date.UTC(2026, 11, 1, 15);
		await granted();
	});

	test('resets no cap where the new zone is still in the month before', async () => {
		const { clock, setCaps, changeSettings, granted, denied } = await createLedgerFixture();
		await setCaps({ scope: 'server', period: 'month', images: 1 });
		await granted();
		await changeSettings({ timeZone: 'America/New_York' });
		clock.now = Date.UTC(2026, 11, 1, 4, 59);
		expect(await denied()).toBe('server month 1/1');
		clock.now = Date.UTC(2026, 11, 1, 5);
		await granted();
	});

	test('is taken back by setting the zone that holds', async () => {
		const { settings, changeSettings, granted } = await createLedgerFixture();
		await granted();
		await changeSettings({ timeZone: 'Asia/Tokyo' });
		await changeSettings({ timeZone: 'UTC' });
		expect(await settings.get(PLACE)).toMatchObject({ timeZone: 'UTC' });
		expect((await settings.get(PLACE)).previousZone).toBeUndefined();
	});

	test('holds at once where nothing was counted in the running month', async () => {
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

	test('goes on with the windows of a store in which a change held at once', async () => {
		const { clock, space, setCaps, granted, denied } = await createLedgerFixture();
		await setCaps(dayCap, { scope: 'server', period: 'month', images: 3 });
		const stored = await space.keyv.get<{ version: number; settings: object }>('settings:test:club');
		const resetsAt = Date.UTC(2026, 10, 21, 10);
		const day = { id: '2026-11-20', startsAt: 0, resetsAt, dueAt: 0 };
		const month = { id: '2026-11', startsAt: 0, resetsAt: Date.UTC(2026, 10, 30, 10), dueAt: 0 };
		const carried = { changes: 1, day, month };
		const changed = { ...stored?.settings, timeZone: 'Pacific/Kiritimati', carried };
		await space.keyv.set('settings:test:club', { ...stored, settings: changed });
		await granted();
		await granted();
		clock.now = resetsAt - 1;
		expect(await denied()).toBe('server day 2/2');
		clock.now = resetsAt;
		expect((await granted()).debits).toContainEqual(['count:test:club:server:2026-11-22.1', 1]);
		expect(await denied()).toBe('server month 3/3');
		clock.now = month.resetsAt;
		expect((await granted()).debits).toContainEqual(['count:test:club:server:2026-12.1', 1]);
	});

	test('never allows more than a third cap within a day, however often it is made', async () => {
		const step = fc.record({
			wait: fc.oneof(fc.integer({ min: 0, max: 90 }), fc.integer({ min: 0, max: 96 * 60 })),
			zone: fc.option(fc.constantFrom(...ZONES)),
		});
		await fc.assert(
			fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 60 }), async (steps) => {
				const { clock, setCaps, changeSettings, request, verify } = await createLedgerFixture();
				clock.now = Date.UTC(2026, 10, 28);
				await setCaps(dayCap);
				const granted: number[] = [];
				for (const { wait, zone } of steps) {
					clock.now += wait * 60_000;
					if (zone) await changeSettings({ timeZone: zone });
					for (let index = 0; index < 3; index++) {
						const result = await request();
						if (typeof result === 'object' && 'state' in result) granted.push(clock.now);
					}
				}
				// A month's first day can be short, where the new zone is ahead. A day has 23 hours when clocks are set forward.
				for (const [index, at] of granted.entries())
					expect((granted[index + 6] ?? Number.POSITIVE_INFINITY) - at).toBeGreaterThanOrEqual(23 * HOUR);
				expect(await verify()).toEqual([]);
			}),
			{ numRuns: 60 },
		);
	});
});
