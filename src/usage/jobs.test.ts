import { describe, expect, test } from 'vitest';
import { FIRST_STEP } from './jobs.ts';
import { createLedgerFixture } from './ledger.fixture.ts';

const SENTENCE = { kind: 'sentence', text: 'It failed.' } as const;

/** A ledger, and that of another process on the same store. */
async function createTwoProcesses() {
	const fixture = await createLedgerFixture();
	return { ...fixture, other: fixture.process('other') };
}

describe('a job', () => {
	test('is taken over by one process alone', async () => {
		const { granted, other, process } = await createTwoProcesses();
		const job = await granted();
		expect(await Promise.all([other.claim(job), process('third').claim(job)])).toMatchObject([
			{ process: 'other', claims: 1 },
			undefined,
		]);
	});

	test('that was taken over cannot be sent, nor given back twice', async () => {
		const { ledger, granted, other, used, settle, verify } = await createTwoProcesses();
		const job = await granted();
		const claimed = await other.claim(job);
		expect(await ledger.send(job)).toBeUndefined();
		if (claimed) await settle(claimed, 'failed', 0, undefined, other);
		expect(await ledger.answer(job, SENTENCE, { outcome: 'failed', pictures: 0 })).toBeUndefined();
		expect(await used('member', 'day')).toBe(0);
		expect(await verify()).toEqual([]);
	});

	test('that was sent is not given back by a process that has read it before', async () => {
		const { granted, sent, other, used } = await createTwoProcesses();
		const job = await granted();
		await sent(job);
		expect(await other.claim(job)).toBeUndefined();
		expect(await used('member', 'day')).toBe(1);
	});

	test('goes on with its own process when the answer of the store was lost', async () => {
		const { granted, sent, settle, verify } = await createTwoProcesses();
		const job = await granted();
		await sent(job);
		// The process believes that the call was not sent.
		expect(await settle(job, 'failed', 0)).toMatchObject({
			state: 'answered',
			outcome: 'failed',
			step: FIRST_STEP + 2,
		});
		expect(await verify()).toEqual([]);
	});

	test('gets further answers, and is settled once', async () => {
		const { ledger, granted, sent, used, receipts } = await createTwoProcesses();
		const answered = await ledger.answer(await sent(await granted()), SENTENCE, { outcome: 'unknown', pictures: 0 });
		expect(answered).toMatchObject({ outcome: 'unknown', debits: expect.any(Array) });
		const pictures = { kind: 'pictures', count: 1 } as const;
		const again = answered && (await ledger.answer(answered, pictures, { outcome: 'failed', pictures: 1 }));
		expect(again).toMatchObject({ answer: pictures, outcome: 'unknown' });
		expect(await used('member', 'day')).toBe(1);
		expect(await receipts()).toMatchObject([{ outcome: 'unknown' }]);
	});

	test('is open until it is delivered, and is the receipt of its call', async () => {
		const { ledger, granted, sent, settle, receipts } = await createTwoProcesses();
		const answered = await settle(await sent(await granted()), 'succeeded', 1);
		expect(await Array.fromAsync(ledger.openJobs())).toHaveLength(1);
		await ledger.deliver(answered);
		expect(await Array.fromAsync(ledger.openJobs())).toEqual([]);
		expect(await ledger.has(answered.id)).toBe(true);
		expect(await ledger.find(answered.id)).toMatchObject({ state: 'delivered', pictures: 1 });
		expect(await receipts()).toMatchObject([{ id: answered.id, outcome: 'succeeded', person: { id: 'ada' } }]);
	});

	test('is open again when its process finds out more', async () => {
		const { ledger, granted, sent, settle, other } = await createTwoProcesses();
		const job = await sent(await granted());
		const claimed = await other.claim(job);
		if (claimed) await other.deliver(await settle(claimed, 'unknown', 0, undefined, other));
		const stored = await ledger.find(job.id);
		const back = stored && (await ledger.claim(stored));
		expect(back).toMatchObject({ state: 'sent', outcome: 'unknown', process: 'this' });
		expect(await Array.fromAsync(ledger.openJobs())).toMatchObject([{ id: job.id, person: job.person }]);
	});
});
