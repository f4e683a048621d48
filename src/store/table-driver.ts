import { decide } from './decide.ts';
import type { Driver } from './driver.ts';
import type { FilesDriver } from './files.ts';
import { KeyvStorage } from './keyv-storage.ts';
import type { TableDoor } from './table.ts';

/** Everything that a store has to offer, on a table. */
export function createTableDriver(door: TableDoor, files: (namespace: string) => FilesDriver): Driver {
	return {
		namespace: (space) => space,
		storage: () => new KeyvStorage(door),
		commit: (change) =>
			door.write((table) => {
				const { outcome, write, remove } = decide(change, table.get);
				for (const [key, { entry, expires }] of write) table.set(key, entry, expires);
				for (const key of remove) table.delete(key);
				return outcome;
			}),
		async *list(prefix) {
			for await (const key of door.keys(prefix)) {
				// One at a time: an entry may be long, and there may be many.
				const entry = await door.read((table) => table.get(key));
				if (entry !== undefined) yield [key, entry];
			}
		},
		files,
		ping: () => door.read((table) => void table.get('')),
		close: () => door.close(),
	};
}
