import { beforeEach, describe, expect, test } from 'vitest';
import { openStore } from '../store/open-store.ts';
import { type Space, StoreError } from '../store/store.ts';
import { LEASE_MS, Lease, RENEW_EVERY_MS } from './lease.ts';

describe('a lease', () => {
	let space: Space;
	let now: number;
	/** Returns the lease of a process whose clock may be off. */
	const createLease = (skewMs = 0, on = space) => new Lease(on, () => now + skewMs);

	beforeEach(async () => {
		space = (await openStore('memory:')).space('ledger');
		now = Date.parse('2026-11-20T12:00:00Z');
	});

	test('is held as long as it is renewed', async () => {
		const [one, other] = [createLease(), createLease()];
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
		const one = createLease();
		await one.renew();
		const isHeld = await one.guard();
		now += LEASE_MS;
		// A new guard is about the time from now on.
		const isHeldSince = await one.guard();
		expect([isHeld(), isHeldSince()]).toEqual([false, true]);
		expect([one.isHeld, one.losses]).toEqual([true, 1]);
		now += 2 * LEASE_MS;
		expect([isHeld(), isHeldSince()]).toEqual([false, false]);
		expect([one.isHeld, one.losses]).toEqual([false, 1]);
		await one.renew();
		expect([one.isHeld, one.losses]).toEqual([true, 2]);
		expect([isHeld(), isHeldSince()]).toEqual([false, false]);
	});

	test('lapses for its owner before it expires for others, although clocks differ', async () => {
		const [one, other] = [createLease(-1500), createLease(1500)];
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
		const one = createLease(0, { ...space, commit });
		await one.renew();
		now += LEASE_MS;
		isReachable = false;
		await expect(one.guard()).rejects.toThrow(StoreError);
	});

	test('ends at once when it is released', async () => {
		const [one, other] = [createLease(), createLease()];
		await one.renew();
		await one.release();
		expect(await other.stateOf(one.processId)).toBe('gone');
	});

	test('lapses when its renewal takes effect after it has expired', async () => {
		const delayed = delayCommits();
		const one = createLease(0, delayed.space);
		await one.renew();
		const isHeld = await one.guard();
		now += RENEW_EVERY_MS;
		delayed.hold();
		const renewal = one.renew();
		now += LEASE_MS;
		expect(await createLease().hasExpired(one.processId)).toBe(true);
		delayed.release();
		await renewal;
		// It is held again. Until then, others may have claimed its jobs.
		expect(isHeld()).toBe(false);
	});

	test('is not shortened by a renewal that takes effect after a later one', async () => {
		let late: (() => Promise<unknown>) | undefined;
		const commit: Space['commit'] = async (change) => {
			if (late) return space.commit(change);
			late = () => space.commit(change);
			throw new StoreError('The answer was lost.');
		};
		const one = createLease(0, { ...space, commit });
		await one.renew().catch(() => {});
		now += RENEW_EVERY_MS;
		await one.renew();
		await late?.();
		now += LEASE_MS - RENEW_EVERY_MS;
		expect(await createLease().hasExpired(one.processId)).toBe(false);
	});

	test('counts as held when it was renewed while another process read it and was suspended', async () => {
		const one = createLease();
		await one.renew();
		const get = async (key: string) => {
			const value = await space.keyv.get(key);
			now += LEASE_MS;
			await one.renew();
			return value;
		};
		const other = createLease(0, { ...space, keyv: Object.assign(Object.create(space.keyv), { get }) });
		expect(await other.hasExpired(one.processId)).toBe(false);
	});

	test('that is missing does not show that its process is gone until it had the time to renew it', async () => {
		const [one, other] = [createLease(), createLease()];
		const state = () => other.stateOf(one.processId);
		await one.renew();
		// As if the clock of the store had been set forward.
		await space.keyv.delete(`lease:${one.processId}`);
		expect(await state()).toBe('expired');
		await one.renew();
		expect(await state()).toBe('held');
		await space.keyv.delete(`lease:${one.processId}`);
		for (let elapsed = 0; elapsed <= LEASE_MS; elapsed += RENEW_EVERY_MS) {
			expect(await state()).toBe('expired');
			await other.renew();
		}
		expect(await state()).toBe('gone');
	});

	test('leaves nothing in the store after a crash', async () => {
		const puts: { ttlMs?: number }[] = [];
		const commit: Space['commit'] = (change) => {
			puts.push(...(change.put ?? []));
			return space.commit(change);
		};
		await createLease(0, { ...space, commit }).renew();
		expect(puts).not.toEqual([]);
		for (const { ttlMs } of puts) expect(ttlMs).toBeGreaterThan(LEASE_MS);
	});

	/** Returns the space with commits that can be delayed. */
	function delayCommits() {
		let released = Promise.resolve();
		let release = () => {};
		const commit: Space['commit'] = async (change) => {
			await released;
			return space.commit(change);
		};
		return {
			space: { ...space, commit },
			hold() {
				const held = Promise.withResolvers<void>();
				[released, release] = [held.promise, held.resolve];
			},
			release: () => release(),
		};
	}
});
