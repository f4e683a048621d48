import type { FilesDriver } from './files.ts';

/** Keeps files in the memory of this process. */
export class MemoryFiles implements FilesDriver {
	readonly #files = new Map<string, { bytes: Uint8Array; expires: number }>();

	async put(name: string, bytes: Uint8Array, expires = Number.POSITIVE_INFINITY): Promise<void> {
		for (const other of this.#files.keys()) this.#read(other);
		// A copy, because the caller may write into its own array.
		this.#files.set(name, { bytes: Uint8Array.from(bytes), expires });
	}

	async get(name: string): Promise<Uint8Array | undefined> {
		return this.#read(name);
	}

	async expiryOf(name: string): Promise<number | undefined> {
		const expires = this.#files.get(name)?.expires;
		return expires === Number.POSITIVE_INFINITY ? undefined : expires;
	}

	async delete(name: string): Promise<boolean> {
		return this.#read(name) !== undefined && this.#files.delete(name);
	}

	async names(): Promise<string[]> {
		return [...this.#files.keys()].filter((name) => this.#read(name) !== undefined);
	}

	/** Returns the bytes of a file, and removes it if it has expired. */
	#read(name: string): Uint8Array | undefined {
		const file = this.#files.get(name);
		if (file && file.expires < Date.now()) this.#files.delete(name);
		return this.#files.get(name)?.bytes;
	}
}
