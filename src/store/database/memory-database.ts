import { type IndexPage, StoreError } from '../store.ts';
import { type Database, ExpiredEntries, type Table } from './database.ts';

type Row = { entry: string; expires?: number | undefined };

/**
 * A database in the memory of this process, for trials and tests. Nothing survives the process, and no other process
 * sees it.
 */
export class MemoryDatabase implements Database {
	readonly #rows = new Map<string, Row>();
	readonly #indexes = new Map<string, string[]>();
	readonly #table = createTable(this.#rows, this.#indexes);
	readonly #expired = new ExpiredEntries();
	#isOpen = true;

	async read<Result>(work: (table: Table) => Result): Promise<Result> {
		if (!this.#isOpen) throw new StoreError('The store is closed.');
		return work(this.#table);
	}

	write<Result>(work: (table: Table) => Result): Promise<Result> {
		return this.read((table) => {
			this.#expired.dropSome(table);
			return work(table);
		});
	}

	async *keys(prefix: string): AsyncGenerator<string> {
		yield* (await this.read(() => [...this.#rows.keys()])).filter((key) => key.startsWith(prefix));
	}

	async members(name: string, { after, before, limit, descending }: IndexPage): Promise<string[]> {
		const index = await this.read(() => this.#indexes.get(name) ?? []);
		const start = after === undefined ? 0 : positionOf(index, after, true);
		const end = before === undefined ? index.length : positionOf(index, before);
		if (end <= start) return [];
		return descending
			? index.slice(Math.max(start, end - limit), end).reverse()
			: index.slice(start, Math.min(end, start + limit));
	}

	async close(): Promise<void> {
		this.#isOpen = false;
		this.#rows.clear();
		this.#indexes.clear();
	}
}

/** Returns how many members are less than this one, or with `orEqual` not greater. */
function positionOf(index: readonly string[], member: string, orEqual = false): number {
	let [low, high] = [0, index.length];
	while (low < high) {
		const middle = (low + high) >> 1;
		const each = index[middle] as string;
		if (each < member || (orEqual && each === member)) low = middle + 1;
		else high = middle;
	}
	return low;
}

function createTable(rows: Map<string, Row>, indexes: Map<string, string[]>): Table {
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
		addMember({ index: name, member }) {
			const index = indexes.get(name) ?? [];
			indexes.set(name, index);
			const position = positionOf(index, member);
			if (index[position] !== member) index.splice(position, 0, member);
		},
		removeMember({ index: name, member }) {
			const index = indexes.get(name) ?? [];
			const position = positionOf(index, member);
			if (index[position] === member) index.splice(position, 1);
			if (index.length === 0) indexes.delete(name);
		},
		dropExpired() {
			for (const key of rows.keys()) if (get(key) === undefined) rows.delete(key);
			return 0;
		},
	};
}
