import { beforeEach, describe, expect, test } from 'vitest';
import { openStore } from '../store/open-store.ts';
import { type Space, StoreError } from '../store/store.ts';
import { LEASE_MS, Lease, RENEW_EVERY_MS } from './lease.ts';

describe('a lease', () => {
	let space: Space;
	let now: number;
	/** Returns the lease of a process on a machine of its own, whose clock may be off. */
	const leaseOn = (host: string, skewMs = 0, on = space) =>
		new Lease(on, () => now + skewMs, { host, pid: 1, isAlive: () => true });

	beforeEach(async () => {
		space = (await openStore('memory:')).space('ledger');
		now = Date.parse('2026-11-20T12:00:00Z');
	});

	test('is held as long as it is renewed', async () => {
		const [one, other] = [leaseOn('one'), leaseOn('other')];
		await one.renew();
		const isHeld = await one.guard();
		for (let round = 0; round < 10; round++) {
			now += RENEW_EVERY_MS;
			await one.renew();
			expect([isHeld(), await other.hasExpired(one.processId)]).toEqual([true, false]);
		}
		now += LEASE_MS;
		expect([isHeld(), await other.hasExpired(one.processId)]).toEqual([false, true]);
	});

	test('that was renewed too late stays lapsed for earlier guards', async () => {
		const one = leaseOn('one');
		await one.renew();
		const isHeld = await one.guard();
		now += LEASE_MS;
		// A new guard is about the time from now on.
		const isHeldSince = await one.guard();
		expect([isHeld(), isHeldSince()]).toEqual([false, true]);
		now += 2 * LEASE_MS;
		expect([isHeld(), isHeldSince()]).toEqual([false, false]);
		await one.renew();
		expect([isHeld(), isHeldSince()]).toEqual([false, false]);
	});

	test('lapses for its owner before it expires for others, although clocks differ', async () => {
		const [one, other] = [leaseOn('one', -1500), leaseOn('other', 1500)];
		await one.renew();
		const isHeld = await one.guard();
		while (isHeld()) {
			expect(await other.hasExpired(one.processId)).toBe(false);
			now += 250;
		}
		expect(await other.hasExpired(one.processId)).toBe(false);
	});

	test('that lapsed and cannot be renewed gives no guard', async () => {
		let isReachable = true;
		const commit: Space['commit'] = async (change) => {
			if (!isReachable) throw new StoreError('The store is gone.');
			return space.commit(change);
		};
		const one = leaseOn('one', 0, { ...space, commit });
		await one.renew();
		now += LEASE_MS;
		isReachable = false;
		await expect(one.guard()).rejects.toThrow(StoreError);
	});

	test('expires at once when it is released, and when its process on the same machine was killed', async () => {
		const [one, other] = [leaseOn('one'), leaseOn('other')];
		await one.renew();
		await one.release();
		expect(await other.hasExpired(one.processId)).toBe(true);

		const killed = new Lease(space, () => now, { host: 'other', pid: 2, isAlive: () => true });
		await killed.renew();
		const next = new Lease(space, () => now, { host: 'other', pid: 3, isAlive: (pid) => pid !== 2 });
		expect([await other.hasExpired(killed.processId), await next.hasExpired(killed.processId)]).toEqual([false, true]);
	});
});
