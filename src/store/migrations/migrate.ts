import { type Change, NewerStoreError, type Space, type Store } from '../store.ts';
import type { Migration, MigrationOptions, SpaceMigration } from './migration.ts';
import { toVersion2 } from './version-2.ts';
import { toVersion3 } from './version-3.ts';

/** The version of what this program stores. Raise it, and add a migration, whenever the shape of an entry changes. */
export const SCHEMA_VERSION = 3;

/** How many entries are changed by one commit. */
const ENTRIES_PER_COMMIT = 100;

/** Migrations by the version that they lead to. */
const MIGRATIONS: Record<number, Migration> = { 2: toVersion2, 3: toVersion3 };

/** The counter in each space that holds its version. In version 1 there was none. */
const VERSION_KEY = 'schema';

/**
 * Brings a store to this version. It can be interrupted at any time and started again, also in several processes at once; processes
 * of earlier versions must have been stopped.
 *
 * @returns the version that the store had
 * @throws NewerStoreError when a newer version of Easel has written the store
 */
export async function migrate(store: Store, options: MigrationOptions): Promise<number> {
	let oldest = SCHEMA_VERSION;
	for (const name of SPACES) {
		const space = store.space(name);
		const version = await versionOf(space);
		if (version === undefined) {
			await setVersion(space, SCHEMA_VERSION);
			continue;
		}
		if (version > SCHEMA_VERSION)
			throw new NewerStoreError('The store was written by a newer version of Easel. Start that version.');
		oldest = Math.min(oldest, version);
		for (let to = version + 1; to <= SCHEMA_VERSION; to += 1) {
			const migration = MIGRATIONS[to]?.(options)[name];
			if (migration) await migrateSpace(space, to, migration);
			await setVersion(space, to);
		}
	}
	return oldest;
}

/** Returns the versions of what a store contains, without changing it; none for an empty store. */
export async function storedVersions(store: Store): Promise<number[]> {
	const versions = new Set<number>();
	for (const name of SPACES) {
		const version = await versionOf(store.space(name));
		if (version !== undefined) versions.add(version);
	}
	return [...versions].sort((a, b) => a - b);
}

/** The spaces that have a version. */
const SPACES = ['ledger', 'chats', 'recent', 'waiting', 'requests', 'log', 'pictures', 'discord', 'sandbox'];

/** Returns undefined for a space without entries and files. */
async function versionOf(space: Space): Promise<number | undefined> {
	const stored = (await space.keyv.get<number>(VERSION_KEY)) ?? 0;
	if (stored > 0) return stored;
	for await (const [key] of space.list('')) if (key !== VERSION_KEY) return 1;
	return (await space.files.names('')).length > 0 ? 1 : undefined;
}

async function migrateSpace(space: Space, to: number, { entry, finish }: SpaceMigration): Promise<void> {
	// Once another process has finished, and works with the entries, a commit of this one is refused.
	const guard = { key: VERSION_KEY, by: 0, atMost: to - 1 };
	const commit = async (change: Change) => void (await space.commit({ ...change, add: [guard] }));
	let changes: Change[] = [];
	for await (const [key, value] of space.list('')) {
		const change = key === VERSION_KEY ? undefined : entry(key, value);
		if (change) changes.push(change);
		if (changes.length < ENTRIES_PER_COMMIT) continue;
		await commit(merged(changes));
		changes = [];
	}
	await commit(merged(changes));
	await finish?.(space, commit);
}

async function setVersion(space: Space, to: number): Promise<void> {
	const stored = (await space.keyv.get<number>(VERSION_KEY)) ?? 0;
	if (stored < to) await space.commit({ add: [{ key: VERSION_KEY, by: to - stored, atMost: to }] });
}

const merged = (changes: readonly Change[]): Change => ({
	put: changes.flatMap(({ put = [] }) => put),
	remove: changes.flatMap(({ remove = [] }) => remove),
	index: changes.flatMap(({ index = [] }) => index),
	unindex: changes.flatMap(({ unindex = [] }) => unindex),
});
