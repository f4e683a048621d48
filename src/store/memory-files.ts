import type { FilesDriver } from './files.ts';

/** Files of this process alone. */
export function createMemoryFiles(): FilesDriver {
	const files = new Map<string, { bytes: Uint8Array; expires: number }>();

	function alive(name: string): Uint8Array | undefined {
		const file = files.get(name);
		if (file && file.expires < Date.now()) files.delete(name);
		return files.get(name)?.bytes;
	}

	return {
		async put(name, bytes, expires = Number.POSITIVE_INFINITY) {
			for (const other of files.keys()) alive(other);
			// A copy: whoever gave them may write into theirs.
			files.set(name, { bytes: Uint8Array.from(bytes), expires });
		},
		get: async (name) => alive(name),
		delete: async (name) => alive(name) !== undefined && files.delete(name),
		names: async () => [...files.keys()].filter((name) => alive(name) !== undefined),
	};
}
