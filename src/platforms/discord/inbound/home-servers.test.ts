import { Keyv } from 'keyv';
import { pino } from 'pino';
import { describe, expect, test, vi } from 'vitest';
import { eventually } from '../../../../packages/fakes/src/eventually.ts';
import { UserRecords } from '../api/user-records.ts';
import { HomeServers } from './home-servers.ts';

const log = pino({ level: 'silent' });
const DAY_MS = 24 * 3600_000;

describe('the home server', () => {
	test('is the one that a user used the bot in last, in any process', async () => {
		const keyv = new Keyv();
		const findMember = async () => ({ roles: ['painters'] });
		const records = [0, 1].map(() => new UserRecords(keyv, 60_000, log));
		const processes = records.map((one) => new HomeServers(one, findMember, log));
		for (const [process, server] of [
			[0, 'atelier'],
			[1, 'gallery'],
			[0, 'atelier'],
		] as const) {
			records[process]?.note('home', 'ada', server);
			await eventually(async () => {
				for (const homes of processes) expect(await homes.of('ada')).toEqual({ server, roles: ['painters'] });
			});
		}
	});

	test('is looked up once in five minutes, and kept when that fails', async () => {
		vi.useFakeTimers();
		const findMember = vi.fn(async (): Promise<{ roles: string[] } | undefined> => ({ roles: ['painters'] }));
		const records = new UserRecords(new Keyv(), 60_000, log);
		await records.remember('home', 'ada', 'atelier');
		const homes = new HomeServers(records, findMember, log);
		for (let request = 0; request < 2; request++)
			expect(await homes.of('ada')).toEqual({ server: 'atelier', roles: ['painters'] });
		expect(findMember).toHaveBeenCalledTimes(1);
		vi.advanceTimersByTime(5 * 60_000);
		findMember.mockRejectedValueOnce(new Error('Service Unavailable'));
		expect(await homes.of('ada')).toEqual({ server: 'atelier', roles: ['painters'] });
		findMember.mockResolvedValueOnce(undefined);
		expect(await homes.of('ada')).toEqual({ server: 'user:ada', roles: [] });
		vi.useRealTimers();
	});

	test('is kept for a year after its last use, however short the retention time is', async () => {
		vi.useFakeTimers();
		const records = new UserRecords(new Keyv(), 60_000, log);
		const homes = new HomeServers(records, async () => ({ roles: [] }), log);
		await records.remember('home', 'ada', 'atelier');
		for (const days of [300, 300]) {
			vi.advanceTimersByTime(days * DAY_MS);
			expect(await homes.of('ada')).toEqual({ server: 'atelier', roles: [] });
		}
		vi.advanceTimersByTime(368 * DAY_MS);
		expect(await homes.of('ada')).toEqual({ server: 'user:ada', roles: [] });
		vi.useRealTimers();
	});
});
