import { Keyv } from 'keyv';
import { pino } from 'pino';
import { describe, expect, test, vi } from 'vitest';
import { eventually } from '../../../../packages/fakes/src/eventually.ts';
import { UserRecords } from './people.ts';

const log = pino({ level: 'silent' });
const DAY_MS = 24 * 3600_000;

describe('the home server', () => {
	test('is the one that a user used the bot in last, in any process', async () => {
		const keyv = new Keyv();
		const findMember = async () => ({ roles: ['painters'] });
		const processes = [0, 1].map(() => new UserRecords({ keyv, retentionMs: 60_000, findMember, log }));
		for (const [process, server] of [
			[0, 'atelier'],
			[1, 'gallery'],
			[0, 'atelier'],
		] as const) {
			processes[process]?.note('home', 'ada', server);
			await eventually(async () => {
				for (const records of processes) expect(await records.homeOf('ada')).toEqual({ server, roles: ['painters'] });
			});
		}
	});

	test('is looked up once in five minutes, and kept when that fails', async () => {
		vi.useFakeTimers();
		const findMember = vi.fn(async (): Promise<{ roles: string[] } | undefined> => ({ roles: ['painters'] }));
		const records = new UserRecords({ keyv: new Keyv(), retentionMs: 60_000, findMember, log });
		await records.remember('home', 'ada', 'atelier');
		for (let request = 0; request < 2; request++)
			expect(await records.homeOf('ada')).toEqual({ server: 'atelier', roles: ['painters'] });
		expect(findMember).toHaveBeenCalledTimes(1);
		vi.advanceTimersByTime(5 * 60_000 + 1);
		findMember.mockRejectedValueOnce(new Error('Service Unavailable'));
		expect(await records.homeOf('ada')).toEqual({ server: 'atelier', roles: ['painters'] });
		vi.advanceTimersByTime(5 * 60_000 + 1);
		findMember.mockResolvedValueOnce(undefined);
		expect(await records.homeOf('ada')).toEqual({ server: 'user:ada', roles: [] });
		vi.useRealTimers();
	});

	test('is kept for a year after its last use, however short the retention time is', async () => {
		vi.useFakeTimers();
		const findMember = async () => ({ roles: [] });
		const records = new UserRecords({ keyv: new Keyv(), retentionMs: 60_000, findMember, log });
		await records.remember('home', 'ada', 'atelier');
		for (const days of [300, 300]) {
			vi.advanceTimersByTime(days * DAY_MS);
			expect(await records.homeOf('ada')).toEqual({ server: 'atelier', roles: [] });
		}
		vi.advanceTimersByTime(368 * DAY_MS);
		expect(await records.homeOf('ada')).toEqual({ server: 'user:ada', roles: [] });
		vi.useRealTimers();
	});
});
