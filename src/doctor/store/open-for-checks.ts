import type { Config } from '../../config/config.ts';
import { openStore } from '../../store/open-store.ts';
import { type Store, StoreError } from '../../store/store.ts';
import { parseStoreAddress } from '../../store/store-address.ts';
import { type Finding, fault, warning } from '../check.ts';
import { sqliteObstacle } from './sqlite-state.ts';

/** The store, or why there is none to look at. */
export type OpenedStore = { store: Store } | { finding: Finding };

/** Opens the store once for all checks. No lease is taken, and nothing is migrated, so that it can be in use meanwhile. */
export function createStoreOpener({ store: url }: Config): { open(): Promise<OpenedStore>; close(): Promise<void> } {
	let opened: Promise<OpenedStore> | undefined;
	return {
		open: () => (opened ??= openForChecks(url)),
		async close() {
			const result = await opened;
			if (result && 'store' in result) await result.store.close();
		},
	};
}

async function openForChecks(url: string): Promise<OpenedStore> {
	const address = parseStoreAddress(url);
	if (address.kind === 'memory')
		return {
			finding: warning('STORE_URL is memory:, so everything is forgotten at a stop, what was counted too.', {
				variable: 'STORE_URL',
				step: 'Set STORE_URL to sqlite:data/easel.db, or to a Redis server.',
			}),
		};
	const obstacle = address.kind === 'sqlite' ? sqliteObstacle(address.path) : undefined;
	if (obstacle) return { finding: obstacle };
	try {
		const store = await openStore(url);
		await store.ping();
		return { store };
	} catch (error) {
		if (!(error instanceof StoreError)) throw error;
		const step =
			address.kind === 'redis'
				? 'Check address, user and password in STORE_URL, and that the server runs.'
				: 'Let this user read and write the file and its folder, and check the disk.';
		return { finding: fault(error.message, { variable: 'STORE_URL', step }) };
	}
}
