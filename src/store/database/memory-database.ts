import { StoreError } from '../store.ts';
import type { Database, Table } from './database.ts';

type Row = { entry: string; expires?: number | undefined };

/**
 * A database in the memory of this process, for trials and tests. Nothing survives the process, and no other process
 * sees it.
 */
export class MemoryDatabase implements Database {
	readonly #rows = new Map<string, Row>();
	readonly #table = createTable(this.#rows);
	#isOpen = true;

	async read<Result>(work: (table: Table) => Result): Promise<Result> {
		if (!this.#isOpen) throw new StoreError('The store is closed.');
		return work(this.#table);
	}

	write<Result>(work: (table: Table) => Result): Promise<Result> {
		return this.read(work);
	}

	async *keys(prefix: string): AsyncGenerator<string> {
		yield* (await this.read(() => [...this.#rows.keys()])).filter((key) => key.startsWith(prefix));
	}

	async close(): Promise<void> {
		this.#isOpen = false;
		this.#rows.clear();
	}
}

function createTable(rows: Map<string, Row>): Table {
	const get = (key: string) => {
		const row = rows.get(key);
		return row && (row.expires === undefined || row.expires >= Date.now()) ? row.entry : undefined;
	};
	return {
		get,
		set: (key, entry, expires) => void rows.set(key, { entry, expires }),
		delete: (key) => rows.delete(key),
		clear(prefix = '') {
			for (const key of rows.keys()) if (key.startsWith(prefix)) rows.delete(key);
		},
		dropExpired() {
			for (const key of rows.keys()) if (get(key) === undefined) rows.delete(key);
		},
	};
}
