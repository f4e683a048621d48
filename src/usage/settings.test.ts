import { describe, expect, test } from 'vitest';
import { changeThrough, createLedgerFixture, otherProcess, PLACE } from './ledger.fixture.ts';
import { SettingsRepository, settingsGuard } from './settings.ts';

describe('settings', () => {
	test('record every change in the audit log, also concurrent ones', async () => {
		const { settings, changeSettings } = await createLedgerFixture();
		await Promise.all([
			changeSettings({ atOnce: 3 }),
			changeSettings({ cooldownSeconds: 10 }),
			changeSettings({ timeZone: 'Asia/Tokyo' }),
		]);
		expect(await settings.get(PLACE)).toMatchObject({ atOnce: 3, cooldownSeconds: 10, timeZone: 'Asia/Tokyo' });
		const entries = await settings.audit(PLACE, 9);
		expect(entries.map(({ version, by }) => `${version} ${by.name}`)).toEqual(['3 Mod', '2 Mod', '1 Mod']);
		expect(entries.map(({ before, after }) => ({ before, after }))).toContainEqual({
			before: { cooldownSeconds: 0 },
			after: { cooldownSeconds: 10 },
		});
	});

	test('have a guard that a change makes fail', async () => {
		const { space, settings } = await createLedgerFixture();
		const guard = settingsGuard(PLACE, await settings.get(PLACE));
		expect(await space.commit({ add: [guard] })).toBe('done');
		await changeThrough(otherProcess(space), { atOnce: 7 });
		expect(await space.commit({ add: [guard] })).toEqual({ refused: guard.key });
		const fresh = await settings.get(PLACE);
		expect(fresh).toMatchObject({ atOnce: 7, version: 1 });
		expect(await space.commit({ add: [settingsGuard(PLACE, fresh)] })).toBe('done');
	});

	test("have the operator's daily cap by default for a person without a server", async () => {
		const { space } = await createLedgerFixture();
		const settings = new SettingsRepository(space, () => 0, 5);
		expect((await settings.get({ platform: 'test', server: 'user:ada' })).limits).toEqual([
			{ scope: 'member', period: 'day', images: 5 },
		]);
		expect((await settings.get(PLACE)).limits).toEqual([]);
	});
});
