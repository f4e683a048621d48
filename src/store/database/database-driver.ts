import type { Driver } from '../driver.ts';
import { evaluateChange } from '../evaluate-change.ts';
import { type FilesDriver, writeAndDelete } from '../files/files.ts';
import type { Database } from './database.ts';
import { KeyvAdapter } from './keyv-adapter.ts';

/**
 * Creates a driver on a database.
 *
 * @param files returns the files of a namespace
 * @param health is written to, to find out whether files can be
 */
export function createDatabaseDriver(
	database: Database,
	files: (namespace: string) => FilesDriver,
	health: FilesDriver = files('health'),
): Driver {
	return {
		namespace: (space) => space,
		storage: (lazy) => new KeyvAdapter(database, lazy),
		commit: (change) =>
			database.write((table) => {
				const { result, write, remove } = evaluateChange(change, table.get);
				for (const [key, { entry, expires }] of write) table.set(key, entry, expires);
				for (const key of remove) table.delete(key);
				if (result !== 'done') return result;
				for (const { expires, ...member } of change.index) table.addMember(member, expires);
				for (const member of change.unindex) table.removeMember(member);
				return result;
			}, change.lazy),
		async *list(prefix) {
			for await (const key of database.keys(prefix)) {
				// One at a time, because an entry may be long and there may be many.
				const entry = await database.read((table) => table.get(key));
				if (entry !== undefined) yield [key, entry];
			}
		},
		members: (index, page) => database.members(index, page),
		files,
		snapshot: (path) => database.snapshot(path),
		clear: (namespace) =>
			database.write((table) => {
				table.clear(`${namespace}:`);
				table.clearIndexes(`${namespace}:`);
			}),
		ping: () => writeAndDelete(health),
		warnings: async () => [],
		close: () => database.close(),
	};
}
