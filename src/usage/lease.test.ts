import { beforeEach, describe, expect, test } from 'vitest';
import { openStore } from '../store/open-store.ts';
import { type Space, StoreError } from '../store/store.ts';
import { LEASE_MS, Lease, RENEW_EVERY_MS } from './lease.ts';

describe('a process', () => {
	let space: Space;
	let now: number;
	/** On a machine of its own, whose clock may be off. */
	const start = (host: string, offMs = 0, on = space) =>
		new Lease(on, () => now + offMs, { host, pid: 1, isAlive: () => true });

	beforeEach(async () => {
		space = (await openStore('memory:')).space('ledger');
		now = Date.parse('2026-11-20T12:00:00Z');
	});

	test('counts as living as long as it says so', async () => {
		const [one, other] = [start('one'), start('other')];
		await one.renew();
		const isLiving = await one.guard();
		for (let round = 0; round < 10; round++) {
			now += RENEW_EVERY_MS;
			await one.renew();
			expect([isLiving(), await other.hasExpired(one.processId)]).toEqual([true, false]);
		}
		now += LEASE_MS;
		expect([isLiving(), await other.hasExpired(one.processId)]).toEqual([false, true]);
	});

	test('that said so too late never counts as having lived all the time, whatever it says later', async () => {
		const one = start('one');
		await one.renew();
		const isLiving = await one.guard();
		now += LEASE_MS;
		// What begins now is for the time from now on.
		const isLivingSince = await one.guard();
		expect([isLiving(), isLivingSince()]).toEqual([false, true]);
		now += 2 * LEASE_MS;
		expect([isLiving(), isLivingSince()]).toEqual([false, false]);
		await one.renew();
		expect([isLiving(), isLivingSince()]).toEqual([false, false]);
	});

	test('takes itself for dead before any other does, though clocks differ', async () => {
		const [one, other] = [start('one', -1500), start('other', 1500)];
		await one.renew();
		const isLiving = await one.guard();
		while (isLiving()) {
			expect(await other.hasExpired(one.processId)).toBe(false);
			now += 250;
		}
		expect(await other.hasExpired(one.processId)).toBe(false);
	});

	test('that can not say so begins nothing', async () => {
		let isReachable = true;
		const commit: Space['commit'] = async (change) => {
			if (!isReachable) throw new StoreError('The store is gone.');
			return space.commit(change);
		};
		const one = start('one', 0, { ...space, commit });
		await one.renew();
		now += LEASE_MS;
		isReachable = false;
		await expect(one.guard()).rejects.toThrow(StoreError);
	});

	test('that has ended in order leaves what it had at once; one killed on the same machine does so, too', async () => {
		const [one, other] = [start('one'), start('other')];
		await one.renew();
		await one.release();
		expect(await other.hasExpired(one.processId)).toBe(true);

		const killed = new Lease(space, () => now, { host: 'other', pid: 2, isAlive: () => true });
		await killed.renew();
		const next = new Lease(space, () => now, { host: 'other', pid: 3, isAlive: (pid) => pid !== 2 });
		expect([await other.hasExpired(killed.processId), await next.hasExpired(killed.processId)]).toEqual([false, true]);
	});
});
