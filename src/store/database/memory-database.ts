import { type IndexPage, StoreError } from '../store.ts';
import { type Database, ExpiredEntries, type Table } from './database.ts';

type Row = { entry: string; expires?: number | undefined };

/**
 * A database in the memory of this process, for trials and tests. Nothing survives the process, and no other process
 * sees it.
 */
export class MemoryDatabase implements Database {
	readonly #rows = new Map<string, Row>();
	readonly #indexes = new Map<string, Member[]>();
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
		const start = after === undefined ? 0 : positionOf(index, `${after}\0`);
		const end = before === undefined ? index.length : positionOf(index, before);
		const [step, from] = descending ? [-1, end - 1] : [1, start];
		const page: string[] = [];
		for (let at = from; at >= start && at < end && page.length < limit; at += step) {
			const member = index[at];
			if (member && isUnexpired(member)) page.push(member.member);
		}
		return page;
	}

	async snapshot(): Promise<never> {
		throw new StoreError('A store in memory: belongs to one process, so there is nothing that could be backed up.');
	}

	async close(): Promise<void> {
		this.#isOpen = false;
		this.#rows.clear();
		this.#indexes.clear();
	}
}

type Member = { member: string; expires: number | undefined };

const isUnexpired = ({ expires }: { expires?: number | undefined }) => expires === undefined || expires >= Date.now();

/** Returns the position of a member, or where it has to be inserted. */
function positionOf(index: readonly Member[], member: string): number {
	let [low, high] = [0, index.length];
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((index[middle] as Member).member < member) low = middle + 1;
		else high = middle;
	}
	return low;
}

function createTable(rows: Map<string, Row>, indexes: Map<string, Member[]>): Table {
	const get = (key: string) => {
		const row = rows.get(key);
		return row && isUnexpired(row) ? row.entry : undefined;
	};
	return {
		get,
		set: (key, entry, expires) => void rows.set(key, { entry, expires }),
		delete: (key) => rows.delete(key),
		clear(prefix = '') {
			for (const key of rows.keys()) if (key.startsWith(prefix)) rows.delete(key);
		},
		clearIndexes(prefix) {
			for (const name of indexes.keys()) if (name.startsWith(prefix)) indexes.delete(name);
		},
		addMember({ index: name, member }, expires) {
			const index = indexes.get(name) ?? [];
			indexes.set(name, index);
			const position = positionOf(index, member);
			index.splice(position, index[position]?.member === member ? 1 : 0, { member, expires });
		},
		removeMember({ index: name, member }) {
			const index = indexes.get(name) ?? [];
			const position = positionOf(index, member);
			if (index[position]?.member === member) index.splice(position, 1);
			if (index.length === 0) indexes.delete(name);
		},
		dropExpired() {
			for (const key of rows.keys()) if (get(key) === undefined) rows.delete(key);
			for (const [name, index] of indexes) {
				const unexpired = index.filter(isUnexpired);
				if (unexpired.length === 0) indexes.delete(name);
				else indexes.set(name, unexpired);
			}
			return 0;
		},
	};
}
