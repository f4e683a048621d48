import { migrate } from '../../src/store/migrations/migrate.ts';
import type { Store } from '../../src/store/store.ts';
import { Ledger } from '../../src/usage/ledger.ts';
import { SettingsRepository } from '../../src/usage/settings/settings-repository.ts';
import type { Figures } from '../runner.ts';
import { openBackend } from './backend.ts';
import { createBenchProcess, makePicture } from './bench-bot.ts';
import { timed } from './timed.ts';

const DAY_MS = 24 * 3600_000;
const RETENTION_MS = 30 * DAY_MS;

/** By then, everything of a picture has expired that ever does: a counter lasts until its month has ended, and the retention time. */
const LONG_AFTER_MS = 200 * DAY_MS;

const PICTURES = 2000;

/** Returns the bytes and entries that are kept of an ended, delivered picture: at once, after the retention time, and later. */
export async function measureBytes(store: Store, url: string): Promise<Figures> {
	const easel = createBenchProcess(store, RETENTION_MS);
	const backend = await openBackend(url);
	const before = await backend.size();
	const perPicture = async (name: string) => {
		const { bytes, entries } = await backend.size();
		return {
			[`bytes ${name}`]: (bytes - before.bytes) / PICTURES,
			[`entries ${name}`]: (entries - before.entries) / PICTURES,
		};
	};
	for (let number = 0; number < PICTURES; number++) await makePicture(easel.services, number);
	const atOnce = await perPicture('at once');

	await ledgerAt(store, Date.now() + RETENTION_MS + DAY_MS, RETENTION_MS).sumUpOldReceipts();
	await backend.expire(RETENTION_MS + DAY_MS);
	const afterRetention = await perPicture('after 31 days');
	await backend.expire(LONG_AFTER_MS);
	const later = await perPicture('after 200 days');
	backend.close();
	await easel.close();
	return { ...atOnce, ...afterRetention, ...later };
}

/** Adds up the receipts of all earlier months. */
export async function measureSums(store: Store, pictures: number): Promise<Figures> {
	const ledger = ledgerAt(store, Date.now(), 32 * DAY_MS);
	const figures = await timed('sums', 1, () => ledger.sumUpOldReceipts());
	return { receipts: pictures, ...figures };
}

/** Brings a store of version 1 to the present one: its entries had no expiry, and there were no indexes. */
export async function measureMigration(store: Store, url: string): Promise<Figures> {
	const backend = await openBackend(url);
	const { entries } = await backend.size();
	backend.close();
	const figures = await timed('migration', 1, () => migrate(store, { retentionMs: RETENTION_MS, now: Date.now }));
	return { entries, 'ms per 100,000': (figures['migration, ms']! * 1e5) / entries, ...figures };
}

function ledgerAt(store: Store, at: number, retentionMs: number): Ledger {
	const space = store.space('ledger');
	const now = () => at;
	const settings = new SettingsRepository(space, now);
	return new Ledger({ space, settings, plan: { price: 30 }, processId: 'bench', now, retentionMs });
}
