import type { Database } from '../database/database.ts';
import { deserialize, serialize } from '../serialize.ts';
import type { FilesDriver } from './files.ts';
import type { FolderFiles } from './folder-files.ts';

/**
 * Length up to which a file is kept as an entry, in bytes: that takes one wait for the disk instead of two, which it shares with other
 * entries. Longer ones would pass through the log and the pages of the database. https://sqlite.org/fasterthanfs.html
 */
const MAX_ENTRY_BYTES = 64 * 1024;

/** The space of these entries. */
const SPACE = 'small-files';

/** Keeps the small files of a space as entries of a database, and all others as files. */
export class SmallFiles implements FilesDriver {
	readonly #database: Database;
	readonly #prefix: string;
	readonly #others: FolderFiles;

	/**
	 * @param space the name of the space that the files are of
	 * @param others keeps the other files of that space
	 */
	constructor(database: Database, space: string, others: FolderFiles) {
		this.#database = database;
		this.#prefix = `${SPACE}:${space}:`;
		this.#others = others;
	}

	/** While both are there, which happens when a file is replaced by one of the other size, the entry counts. */
	async put(name: string, bytes: Uint8Array, expires?: number): Promise<void> {
		if (bytes.length > MAX_ENTRY_BYTES) {
			await this.#others.put(name, bytes, expires);
			await this.#deleteEntry(name);
			return;
		}
		const value = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
		const entry = serialize({ value, ...(expires !== undefined && { expires }) });
		await this.#database.write((table) => table.set(this.#prefix + name, entry, expires));
		await this.#deleteOther(name);
	}

	async get(name: string): Promise<Uint8Array | undefined> {
		const entry = await this.#entry(name);
		return entry === undefined ? this.#others.get(name) : Buffer.from(entry.value, 'base64');
	}

	async expiryOf(name: string): Promise<number | undefined> {
		const entry = await this.#entry(name);
		return entry === undefined ? this.#others.expiryOf(name) : entry.expires;
	}

	async delete(name: string): Promise<boolean> {
		const wasEntry = await this.#deleteEntry(name);
		return (await this.#deleteOther(name)) || wasEntry;
	}

	async names(): Promise<string[]> {
		const names: string[] = [];
		for await (const key of this.#database.keys(this.#prefix)) {
			const name = key.slice(this.#prefix.length);
			if (await this.#entry(name)) names.push(name);
		}
		return [...new Set([...names, ...(await this.#others.names())])];
	}

	async #entry(name: string): Promise<{ value: string; expires?: number | undefined } | undefined> {
		const entry = await this.#database.read((table) => table.get(this.#prefix + name));
		if (entry === undefined) return undefined;
		const { value = '', expires } = deserialize<string>(entry);
		return { value, expires };
	}

	async #deleteOther(name: string): Promise<boolean> {
		return this.#others.has(name) && this.#others.delete(name);
	}

	/** Returns whether there was one. A read takes much less time than a write. Lazy, since a file that is there again does no harm. */
	async #deleteEntry(name: string): Promise<boolean> {
		const key = this.#prefix + name;
		const exists = await this.#database.read((table) => table.get(key) !== undefined);
		return exists && this.#database.write((table) => table.delete(key), true);
	}
}
