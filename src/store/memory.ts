import { StoreError } from './store.ts';
import type { Table, TableDoor } from './table.ts';

/** Keeps everything in this process, for trials and tests: nothing outlives it, and no other process sees it. */
export function openMemory(): TableDoor {
	const rows = new Map<string, { entry: string; expires?: number | undefined }>();
	let open = true;

	const table: Table = {
		get(key) {
			const row = rows.get(key);
			return row && (row.expires === undefined || row.expires >= Date.now()) ? row.entry : undefined;
		},
		set: (key, entry, expires) => void rows.set(key, { entry, expires }),
		delete: (key) => rows.delete(key),
		clear(prefix = '') {
			for (const key of rows.keys()) if (key.startsWith(prefix)) rows.delete(key);
		},
		dropExpired() {
			for (const key of rows.keys()) if (table.get(key) === undefined) rows.delete(key);
		},
	};

	async function run<Result>(work: (table: Table) => Result): Promise<Result> {
		if (!open) throw new StoreError('The store is closed.');
		return work(table);
	}

	return {
		read: run,
		write: run,
		async *keys(prefix) {
			yield* (await run(() => [...rows.keys()])).filter((key) => key.startsWith(prefix));
		},
		async close() {
			open = false;
			rows.clear();
		},
	};
}
