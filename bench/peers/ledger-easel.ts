import type { Limit } from '../../src/domain/limit.ts';
import { openStore } from '../../src/store/open-store.ts';
import { serverLayers } from '../../src/usage/caps/layers.ts';
import { Ledger } from '../../src/usage/ledger.ts';
import { SettingsRepository } from '../../src/usage/settings/settings-repository.ts';
import { CAP, FILL_AT_ONCE, type LedgerPeer, place } from './ledger-peer.ts';

/** Easel's ledger on a store. */
export async function openEaselLedger(storeUrl: string): Promise<LedgerPeer> {
	const store = await openStore(storeUrl);
	const space = store.space('ledger');
	const settings = new SettingsRepository(space, Date.now);
	const limits: Limit[] = [];
	for (const scope of ['server', 'member'] as const)
		for (const period of ['day', 'month'] as const) limits.push({ scope, period, images: CAP });
	await settings.change(place, { id: 'mod', name: 'Mod' }, 'bench', (before) => ({ ...before, limits }));
	const rules = await settings.get(place);
	const plan = { imagesPerMonth: CAP, price: 30 };
	const ledger = new Ledger({
		space,
		settings,
		plan,
		processId: 'bench',
		now: Date.now,
		retentionMs: 30 * 24 * 3600_000,
	});
	return {
		async fill(count) {
			for (let start = 0; start < count; start += FILL_AT_ONCE) {
				const some = Array.from({ length: Math.min(FILL_AT_ONCE, count - start) }, (_, i) => ({ id: `m${start + i}` }));
				const layers = some.flatMap((member) => serverLayers(rules, place, member, Date.now()));
				await space.commit({ add: layers.map(({ key }) => ({ key, by: 1 })) });
			}
		},
		async call(id, member) {
			const person = { id: member, name: member };
			const job = await ledger.reserve({ id, command: 'imagine', place, person, answer: { place, key: id } });
			if (job === 'duplicate' || 'denied' in job) throw new Error('The benchmark was refused.');
			await ledger.settle(job, 'succeeded', 1);
		},
		close: () => store.close(),
	};
}
