import { randomUUID } from 'node:crypto';
import { type Files, MAX_NAME, StoreError } from '../store.ts';

/** Tells whether a text can be the name of a file. */
export const isFileName = (name: string): boolean => /^[\x21-\x7e]+$/.test(name) && name.length <= MAX_NAME;

/** The part that each kind of store implements for files. Every call rejects with `StoreError` when it cannot be done. */
export type FilesDriver = {
	/** @param expires Unix milliseconds; never when undefined */
	put(name: string, bytes: Uint8Array, expires?: number): Promise<void>;
	get(name: string): Promise<Uint8Array | undefined>;
	/** Returns when a file expires, in Unix milliseconds; undefined when it never does or is absent. */
	expiryOf(name: string): Promise<number | undefined>;
	delete(name: string): Promise<boolean>;
	names(): Promise<string[]>;
};

/** Files that are not kept beside the entries of the store. */
export type ExternalFiles = {
	/** Returns the files of one space. */
	space(name: string): FilesDriver;
	/** Rejects with `StoreError` when files cannot be written, read or deleted. */
	check(): Promise<void>;
	/** Waits for what was begun. */
	close(): Promise<void>;
};

/** Creates the files of a space. Checks names, and refuses every call once the store is closed. */
export function createFiles(driver: FilesDriver, isOpen: () => boolean): Files {
	function check(name: string): void {
		if (!isFileName(name))
			throw new TypeError(`A file name consists of 1 to ${MAX_NAME} ASCII characters without spaces.`);
		if (!isOpen()) throw new StoreError('The store is closed.');
	}
	return {
		async put(name, bytes, ttlMs) {
			check(name);
			await driver.put(name, bytes, ttlMs === undefined ? undefined : Date.now() + ttlMs);
		},
		async get(name) {
			check(name);
			return driver.get(name);
		},
		async delete(name) {
			check(name);
			return driver.delete(name);
		},
		async names(prefix) {
			if (!isOpen()) throw new StoreError('The store is closed.');
			return (await driver.names()).filter((name) => name.startsWith(prefix));
		},
	};
}

/** Writes a file and deletes it, because files need more space than entries. */
export async function writeAndDelete(files: FilesDriver): Promise<void> {
	const name = randomUUID();
	await files.put(name, new Uint8Array(1));
	await files.delete(name);
}
