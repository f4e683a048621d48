import { timeKey } from './pages.ts';
import { type IndexMember, type Space, type Store, StoreVersionError } from './store.ts';

/** The version of what this program stores. Raise it whenever the shape of an entry changes, and bring the last one up here. */
export const SCHEMA_VERSION = 3;

/** How many entries are changed by one commit. */
const ENTRIES_PER_COMMIT = 100;

/** The counter in each space that holds its version. In version 1 there was none. */
const VERSION_KEY = 'schema';

/** The spaces that have a version. */
const SPACES = ['ledger', 'chats', 'recent', 'waiting', 'requests', 'log', 'pictures', 'discord', 'sandbox'];

const REVIEW_MS = 30 * 24 * 3600_000;

/** What jobs and receipts of version 2 have in common. A job that has ended, and an opening receipt, have no person. */
type Call = { id: string; at: number; place: { platform: string; server: string }; person: { id: string } };

/**
 * Brings a store of version 2 to this version. It can be interrupted at any time and started again, also in several processes at once;
 * processes of earlier versions must have been stopped.
 *
 * @param options.retentionMs how long prompts, pictures, chats and names are kept
 * @returns the version that the store had
 * @throws StoreVersionError when a newer version of Easel has written the store, or version 1; nothing is changed then
 */
export async function migrate(store: Store, options: { retentionMs: number }): Promise<number> {
	const [oldest = SCHEMA_VERSION, newest = oldest] = await storedVersions(store);
	if (newest > SCHEMA_VERSION)
		throw new StoreVersionError('The store was written by a newer version of Easel. Start that version.');
	if (oldest < 2)
		throw new StoreVersionError('The store has version 1, which Easel no longer reads. Set it to a new, empty store.');
	const ledger = store.space('ledger');
	if (oldest < SCHEMA_VERSION && (await versionOf(ledger)) === 2) await indexCalls(ledger, options.retentionMs);
	for (const name of SPACES) await setVersion(store.space(name));
	return oldest;
}

/** Returns the oldest and the newest version of what a store contains, without changing it; none for an empty store. */
export async function storedVersions(store: Store): Promise<[oldest: number, newest: number] | []> {
	const versions = (await Promise.all(SPACES.map((name) => versionOf(store.space(name))))).filter(
		(each) => each !== undefined,
	);
	return versions.length > 0 ? [Math.min(...versions), Math.max(...versions)] : [];
}

/** Returns undefined for a space without entries and files. */
async function versionOf(space: Space): Promise<number | undefined> {
	const stored = (await space.keyv.get<number>(VERSION_KEY)) ?? 0;
	if (stored > 0) return stored;
	for await (const [key] of space.list('')) if (key !== VERSION_KEY) return 1;
	return (await space.files.names('')).length > 0 ? 1 : undefined;
}

/** Version 3 finds the calls of a person, and what is kept about them, by an index. */
async function indexCalls(ledger: Space, retentionMs: number): Promise<void> {
	const members: (IndexMember & { ttlMs: number })[] = [];
	// Once another process has finished, and works with the entries, a commit of this one is refused.
	const add = [{ key: VERSION_KEY, by: 0, atMost: SCHEMA_VERSION - 1 }];
	const commit = async () => void (await ledger.commit({ add, index: members.splice(0) }));
	for await (const [key, value] of ledger.list('')) {
		const { id, at, place, person } = (/^(job|receipt):/.test(key) ? value : { person: { id: '' } }) as Call;
		if (person.id === '') continue;
		const index = `calls:${place.platform}:${person.id}`;
		members.push({ index, member: `${timeKey(at)}:${place.server} ${id}`, ttlMs: retentionMs + REVIEW_MS });
		if (members.length >= ENTRIES_PER_COMMIT) await commit();
	}
	await commit();
}

async function setVersion(space: Space): Promise<void> {
	const stored = (await space.keyv.get<number>(VERSION_KEY)) ?? 0;
	const change = { key: VERSION_KEY, by: SCHEMA_VERSION - stored, atMost: SCHEMA_VERSION };
	if (stored < SCHEMA_VERSION) await space.commit({ add: [change] });
}
