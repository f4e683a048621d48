import { afterEach, expect, test, vi } from 'vitest';
import { claimJob, openJobs, ownerKey } from './jobs.ts';
import { createLedgerFixture } from './ledger.fixture.ts';

afterEach(() => {
	vi.useRealTimers();
});

test('an open job is claimed by one process alone', async () => {
	const { ledger, granted } = await createLedgerFixture();
	const job = await granted();
	expect(await Promise.all([ledger.claim(job), ledger.claim(job)])).toMatchObject([{ claims: 1 }, undefined]);
});

test('a process that was suspended for days cannot repeat a claim, and leaves nothing behind', async () => {
	const { space, ledger, granted, sent } = await createLedgerFixture();
	const job = await granted();
	const claimed = await claimJob(space, job, 'first');
	vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60 * 24 * 3600_000 });
	expect(await claimJob(space, job, 'suspended')).toBeUndefined();

	await ledger.close(await ledger.settle(await sent(job), 'unknown', 0), 'delivered');
	expect(claimed && (await claimJob(space, claimed, 'suspended'))).toMatchObject({ state: 'delivered' });
	expect(await space.keyv.get(ownerKey(job.id))).toBeUndefined();
});

test('an open job names its present owner, whatever the previous one writes', async () => {
	const { space, ledger, granted, sent } = await createLedgerFixture();
	const job = await granted();
	expect(await claimJob(space, job, 'other')).toMatchObject({ process: 'other', claims: 1 });
	await sent(job);
	const [open] = await Array.fromAsync(openJobs(space));
	expect(open).toMatchObject({ id: job.id, state: 'sent', process: 'other', caller: 'this', claims: 1 });
	expect(await ledger.claim(job)).toBeUndefined();
	expect(open && (await ledger.claim(open))).toMatchObject({ process: 'this', claims: 2 });
});

test('a closed job is not open any more', async () => {
	const { ledger, granted, sent } = await createLedgerFixture();
	const settled = await ledger.settle(await sent(await granted()), 'succeeded', 1);
	expect(await Array.fromAsync(ledger.openJobs())).toHaveLength(1);
	await ledger.close(settled, 'delivered');
	expect(await Array.fromAsync(ledger.openJobs())).toEqual([]);
	expect(await ledger.has(settled.id)).toBe(true);
});

test('a closed job names the process that has closed it, also when another one had claimed it', async () => {
	const { space, ledger, granted, sent } = await createLedgerFixture();
	const job = await sent(await granted());
	await claimJob(space, job, 'other');
	const [open] = await Array.fromAsync(openJobs(space));
	expect(open).toMatchObject({ process: 'other', caller: 'this' });
	if (open) await ledger.close(open, 'delivered');
	expect(await ledger.find(job.id)).toMatchObject({ state: 'delivered', process: 'this', caller: 'this' });
});
