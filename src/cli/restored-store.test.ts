import { expect, test } from 'vitest';
import { Conversations } from '../bot/chat/conversations.ts';
import { outcomeOfCrash } from '../jobs/outcome.ts';
import { migrate } from '../store/migrate.ts';
import { openStore } from '../store/open-store.ts';
import { usageStatus } from '../usage/caps.ts';
import { createLedgerContext } from '../usage/ledger.fixture.ts';
import { DEFAULT_SETTINGS } from '../usage/settings.ts';
import { findMismatches } from '../usage/windows.ts';
import { adaptRestoredStore } from './backups.ts';

const options = { retentionMs: 30 * 24 * 3600_000, now: Date.now };
const place = { platform: 'test', server: 'club', channel: 'general' };
const message = { place, key: 'answer' };

test('no call of a restored store is sent again, and all stay counted', async () => {
	const store = await openStore('memory:');
	await migrate(store, options);
	const easel = createLedgerContext(store, { plan: { imagesPerMonth: 9, price: 30 } }, 'old');
	const { ledger } = easel;
	const person = { id: 'ada', name: 'Ada' };
	const [reserved, sent] = await Promise.all(
		['reserved', 'sent'].map((id) => ledger.reserve({ id, command: 'imagine', place, person, message })),
	);
	if (typeof reserved !== 'object' || !('state' in reserved) || typeof sent !== 'object' || !('state' in sent))
		throw new Error('Not reserved');
	await ledger.send(sent);
	const conversations = new Conversations(store.space('chats'), options.retentionMs);
	await conversations.wait({ ...place, thread: 't' }, 'old');

	expect(await adaptRestoredStore(store, options)).toEqual({ markedCalls: 1, droppedTurns: 1, mismatches: [] });
	expect(await adaptRestoredStore(store, options)).toEqual({ markedCalls: 0, droppedTurns: 0, mismatches: [] });

	expect(await ledger.send(reserved)).toBeUndefined();
	for await (const job of ledger.openJobs())
		expect(await ledger.end(job, { outcome: outcomeOfCrash(job), pictures: 0 })).toMatchObject({ outcome: 'unknown' });
	expect(
		(await usageStatus(easel, DEFAULT_SETTINGS, place, { id: 'ada' })).find(({ name }) => name === 'plan')?.used,
	).toBe(2);
	expect(await findMismatches(store.space('ledger'), options)).toEqual([]);
	expect(await Array.fromAsync(conversations.waiting())).toEqual([]);
	await store.close();
});
