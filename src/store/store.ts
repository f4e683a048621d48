import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Keyv } from 'keyv';

/**
 * A change that is committed atomically: all of it or nothing, in one step against every other process on the same store. keyv
 * alone has no increment and no compare-and-set, and a `get` followed by a `set` loses updates. An expired entry counts as
 * absent.
 *
 * Conditions are checked in the order `once`, then each of `add`. Writes are made in the order `add`, `put`, `remove`, `index`,
 * `unindex`. An entry with a `ttlMs` expires that many milliseconds after the commit. Entries that are put or removed, and
 * members, may be in another `space`, whose name they have then.
 */
export type Change = {
	/** A key that must not exist yet. The commit creates it, with the value `true` unless `put` gives it another one. */
	once?: string;
	/**
	 * Counters to add to: whole numbers, 0 when absent; adding 0 creates none. A counter that is given twice is added to twice. With
	 * `atMost`, the commit is refused when the sum would exceed it, unless `by` is negative: a refund is always accepted. `ttlMs` applies to
	 * an entry that this commit creates; an existing one keeps its time to live.
	 *
	 * With `field`, the counter is that member of an entry whose value is an object: one of counters alone, or one whose first member it is.
	 */
	add?: readonly { key: string; field?: string; by: number; atMost?: number; ttlMs?: number }[];
	put?: readonly { space?: string; key: string; value: unknown; ttlMs?: number }[];
	remove?: readonly (string | { space: string; key: string })[];
	/**
	 * Members to add to indexes, and to remove from them. Members that are already there, or not there, are no error. With `ttlMs`,
	 * which has to be the same for a whole index, a member exists that long at least, and not after the index was left alone for
	 * so long. Members before `from` are removed, such as those that have expired while others have not.
	 */
	index?: readonly (IndexMember & { ttlMs?: number; from?: string })[];
	unindex?: readonly IndexMember[];
};

/**
 * A member of an index: a set of short strings that is kept in the order of their bytes, so that a page of it is read in time that
 * does not depend on how many there are. Both parts consist of printable ASCII characters.
 */
export type IndexMember = { space?: string; index: string; member: string };

/** Returns one change that makes two, of which one at most has a `once`. */
export function joinChanges(one: Change, other: Change): Change {
	return {
		once: one.once ?? other.once,
		add: [...(one.add ?? []), ...(other.add ?? [])],
		put: [...(one.put ?? []), ...(other.put ?? [])],
		remove: [...(one.remove ?? []), ...(other.remove ?? [])],
		index: [...(one.index ?? []), ...(other.index ?? [])],
		unindex: [...(one.unindex ?? []), ...(other.unindex ?? [])],
	};
}

/** Tells whether a text can be the name or a member of an index. Stores order other characters than ASCII in different ways. */
export const isIndexText = (text: string): boolean => /^[\x20-\x7e]+$/.test(text);

/** A page of an index. Both bounds are exclusive. */
export type IndexPage = { after?: string; before?: string; limit: number; descending?: boolean };

/** `duplicate`: the `once` key exists. `refused`: the first counter, in the given order, that would exceed its `atMost`. */
export type CommitResult = 'done' | 'duplicate' | { refused: string; field?: string };

/**
 * A namespace of the store: a keyv, and the atomic commits, listing and files that keyv does not have. Keys are relative to the
 * namespace. Members can be destructured.
 */
export type Space = {
	/** Rejects with `StoreError` when the store cannot answer, also where keyv by itself would hide the error. */
	keyv: Keyv;
	/**
	 * Commits a change.
	 *
	 * @throws StoreError when the store cannot answer; the commit may then have been made or not. Also when an entry of `add` is
	 * not a whole number; then nothing was changed.
	 * @throws TypeError when the change is invalid
	 */
	commit(change: Change): Promise<CommitResult>;
	/**
	 * Yields every entry whose key starts with `prefix`, in no order. Entries that change meanwhile may be missed or
	 * outdated. Other work goes on meanwhile, but some stores read all their keys: use an index for everything that happens in normal
	 * operation.
	 */
	list(prefix: string): AsyncIterable<[key: string, value: unknown]>;
	/** Returns one page of an index, in the order of the members' bytes. */
	members(index: string, page: IndexPage): Promise<string[]>;
	files: Files;
};

export const MAX_NAME = 120;

/**
 * Files of up to several megabytes, stored beside the entries as they are. A name consists of ASCII characters without spaces
 * and has at most `MAX_NAME` of them. Every call rejects with `StoreError` when the store cannot do it.
 */
export type Files = {
	/** Resolves once the file would survive the end of this process. */
	put(name: string, bytes: Uint8Array, ttlMs?: number): Promise<void>;
	get(name: string): Promise<Uint8Array | undefined>;
	/** Returns whether the file existed. */
	delete(name: string): Promise<boolean>;
	/** Returns the names that start with `prefix`, in no order. */
	names(prefix: string): Promise<string[]>;
};

/** @throws TypeError when this is no name of a space, which becomes a part of keys, folders and objects */
export function checkedSpace(name: string): string {
	if (/^[a-z-]+$/.test(name)) return name;
	throw new TypeError(`Invalid space name ${JSON.stringify(name)}: only a-z and - are allowed.`);
}

export type Store = {
	/** Returns the space with this name, the same one each time. Names consist of `a-z` and `-`. */
	space(name: string): Space;
	/** Rejects with `StoreError` when the store does not answer, or cannot be written. */
	ping(): Promise<void>;
	/** Returns what should be changed about the settings of the store's server so that nothing is lost, a sentence each. */
	warnings(): Promise<string[]>;
	/** Finishes what was begun. Every later call rejects with `StoreError`. */
	close(): Promise<void>;
};

/**
 * Thrown when the store cannot be reached, is full, or contains invalid data. Deny the request then; never serve it
 * uncounted.
 */
export class StoreError extends Error {
	override name = 'StoreError';
}

/** Thrown when files that are kept elsewhere cannot be used from the start. */
export class FilesError extends StoreError {
	override name = 'FilesError';
}

/** Thrown when a version of Easel has written the store that this one cannot read. */
export class StoreVersionError extends StoreError {}

/** The number of members that are read from an index at once. Their entries, which may be long, follow at once too. */
const MEMBERS_PER_PAGE = 100;

/** Yields the members of an index page by page, in the order of their bytes. Members that are removed meanwhile do not disturb it. */
export async function* pagesOf(
	space: Space,
	index: string,
	bounds: Omit<IndexPage, 'limit' | 'descending'> = {},
): AsyncGenerator<string[]> {
	const pause = createPauses();
	let { after } = bounds;
	for (;;) {
		const page = await space.members(index, { ...bounds, after, limit: MEMBERS_PER_PAGE });
		if (page.length > 0) yield page;
		if (page.length < MEMBERS_PER_PAGE) return;
		after = page.at(-1);
		await pause();
	}
}

export async function* membersOf(...args: Parameters<typeof pagesOf>): AsyncGenerator<string> {
	for await (const page of pagesOf(...args)) yield* page;
}

/** As many base 36 digits as a time of the next thousand years has. */
const TIME_DIGITS = 9;

/** Formats a time so that the order of the texts is that of the times. @param at Unix milliseconds */
export const timeKey = (at: number): string => Math.max(0, Math.trunc(at)).toString(36).padStart(TIME_DIGITS, '0');

/** Returns a member that is ordered by time. @param at Unix milliseconds */
export const timedMember = (at: number, id: string): string => `${timeKey(at)}:${id}`;

/** Returns the time in a member that `timedMember` has made, in Unix milliseconds. */
export const timeOfMember = (member: string): number => Number.parseInt(member.slice(0, member.indexOf(':')), 36);

/** Returns the id in a member that `timedMember` has made. */
export const idOfMember = (member: string): string => member.slice(member.indexOf(':') + 1);

/** The longest time that a long read holds the event loop, in milliseconds. */
const HELD_MS = 5;

/** Returns what a long read awaits after each of its steps, so that other work goes on in between. */
export function createPauses(): () => Promise<void> | undefined {
	let since = performance.now();
	return () => {
		if (performance.now() - since < HELD_MS) return undefined;
		return setImmediate().then(() => {
			since = performance.now();
		});
	};
}

/** Yields the entries with these keys that exist, without holding the event loop. */
export async function* entriesAt(
	{ keyv }: Space,
	keys: readonly string[],
): AsyncGenerator<[key: string, value: unknown]> {
	const pause = createPauses();
	for (let start = 0; start < keys.length; start += MEMBERS_PER_PAGE) {
		const page = keys.slice(start, start + MEMBERS_PER_PAGE);
		const values = await keyv.getMany<unknown>(page);
		for (const [index, key] of page.entries()) if (values[index] !== undefined) yield [key, values[index]];
		await pause();
	}
}

/**
 * Creates a function that returns true for the first caller with a key within `ttlMs`, among all processes on this store, and
 * false for every other one. The entry expires after that time. The function rejects with `StoreError` when the store cannot
 * answer.
 */
export function createClaim({ commit }: Space) {
	return async (key: string, ttlMs: number): Promise<boolean> =>
		(await commit({ once: key, put: [{ key, value: true, ttlMs }] })) === 'done';
}

/** Who an entry is about. It is deleted with its owner's data. */
type Owner = 'deployment' | 'server' | 'person' | 'thread' | 'process';

/** A paid call of a person, by which everything that is kept about it is found. */
export type PersonalCall = { platform: string; server: string; person: string; id: string };

/** A person as entries of the store name them. */
export type PersonRef = {
	platform: string;
	/** Absent where an entry does not say it. */
	server?: string;
	id: string;
};

/** What a feature declares about the entries that it stores. Keys are those in the space, with the prefix. */
export type Declaration<Value, Id = string> = {
	owner: Owner;
	holds: string;
	/** In milliseconds; `retention` is `RETENTION_DAYS`. Undefined where each entry has its own. */
	lifetime?: number | 'retention' | 'permanent' | undefined;
	/** The lifetime in words, where it is not the same for all entries. */
	until?: string;
	/** Whether an entry has a time to live in the store. Those of permanent collections have none, all others do by default. */
	expires?(value: Value): boolean;
	sort?: 'entry' | 'file';
	/** Returns the key without the prefix. */
	key?(id: Id): string;
	/** Returns where an entry is indexed. */
	indexed?(key: string, value: Value): readonly IndexMember[];
	/** Returns the keys of what is removed together with an entry. */
	with?(value: Value): readonly string[];
	/**
	 * What `/privacy erase` does with it: `unnamed` stays without the name, `kept` stays as it is, because it holds caps or names
	 * nobody. Undefined for entries about no person.
	 */
	erasure?: 'deleted' | 'unnamed' | 'kept';
	/** Removes the name of a person. @param before the time of the erasure, in Unix milliseconds */
	unname?(space: Space, entry: { key: string; value: Value; person: PersonRef }, before: number): Promise<void>;
	/** The part of Easel that deletes it. By default it is removed with what is indexed and stored with it. */
	erasedBy?: string;
	/** What `/privacy show` counts it as; undefined for collections that are not looked through for a person. */
	group?: 'calls' | 'totals' | 'prompts' | 'chats' | 'drafts' | 'profile' | 'log' | 'fingerprints' | 'choices';
	/** Returns the id of the entry that belongs to a call, for collections whose entries all do. */
	ofCall?(call: PersonalCall): Id;
	/** Returns the people that an entry is about. */
	peopleOf?(key: string, value: Value): readonly PersonRef[];
	/** Returns the entry as it is exported; the whole of it by default. */
	exported?(key: string, value: Value): unknown;
};

/** How long entries live whose lifetime is the retention time, in milliseconds. */
type Retention = { retentionMs: number };

/** What collections take of the context. */
export type Storage = { store: Store } & Retention;

/** Where a collection is read: in its space, or in a store. */
type At = Space | { store: Store };

/** A collection of any entries, as backups, `/privacy` and docs/privacy.md see it. */
export type AnyCollection = Collection<unknown, unknown>;

/**
 * A kind of entry, declared once by the feature that stores it. The declaration gives typed reads and writes, what `/privacy` shows, exports
 * and erases, and the table in docs/privacy.md. Writes are parts of a `Change` wherever they have to be atomic with others.
 */
export class Collection<Value, Id = string> {
	readonly space: string;
	/** What the keys begin with. An entry belongs to the collection with the longest prefix that fits. */
	readonly prefix: string;
	readonly declared: Declaration<Value, Id>;

	/** @param name `SPACE/PREFIX` */
	constructor(name: `${string}/${string}`, declared: Declaration<Value, Id>) {
		const slash = name.indexOf('/');
		this.space = name.slice(0, slash);
		this.prefix = name.slice(slash + 1);
		this.declared = declared;
	}

	get lifetime(): string {
		const { lifetime, until = lifetime } = this.declared;
		if (typeof until !== 'number') return until ?? '';
		const duration = Temporal.Duration.from({ milliseconds: until }).round({ largestUnit: 'day' });
		return duration.toLocaleString('en', { style: 'long' });
	}

	expires(value: Value): boolean {
		return this.declared.expires?.(value) ?? this.declared.lifetime !== 'permanent';
	}

	key(id: Id): string {
		return `${this.prefix}${this.declared.key?.(id) ?? id}`;
	}

	async get(at: At, id: Id): Promise<Value | undefined> {
		return this.in(at).keyv.get<Value>(this.key(id));
	}

	async getMany(at: At, ids: readonly Id[]): Promise<(Value | undefined)[]> {
		return ids.length === 0 ? [] : this.in(at).keyv.getMany<Value>(ids.map((id) => this.key(id)));
	}

	async set(at: Storage, id: Id, value: Value): Promise<void> {
		const { key, ttlMs } = this.put(at, id, value);
		await this.in(at).keyv.set(key, value, ttlMs);
	}

	/** Stores an entry unless it exists. Returns whether it did not exist. */
	async add(at: Storage, id: Id, value: Value): Promise<boolean> {
		const put = this.put(at, id, value);
		return (await this.in(at).commit({ once: put.key, put: [put] })) === 'done';
	}

	/** Yields all entries, with their keys; see `Space.list`. */
	list(at: At): AsyncIterable<[key: string, value: Value]> {
		return this.in(at).list(this.prefix) as AsyncIterable<[string, Value]>;
	}

	async delete(at: At, id: Id): Promise<void> {
		await this.in(at).keyv.delete(this.key(id));
	}

	/** Returns the part of a change that stores an entry. */
	put(retention: Retention, id: Id, value: Value) {
		return { space: this.space, key: this.key(id), value, ttlMs: this.ttlMs(retention, value) };
	}

	/** Returns the change that stores an entry where it is indexed. @param before the entry that it replaces */
	replacing(retention: Retention, id: Id, value: Value, before?: Value) {
		const put = this.put(retention, id, value);
		const indexed = this.#indexed(put.key, value);
		const outdated = before === undefined ? [] : this.#indexed(put.key, before);
		return {
			put: [put],
			index: indexed.map((each) => ({ ...each, ttlMs: put.ttlMs })),
			unindex: outdated.filter(({ member }) => indexed.every((each) => each.member !== member)),
		} satisfies Change;
	}

	/** Returns the change that removes an entry, where it is indexed, and what is stored with it. */
	removal(key: string, value: Value): { remove: string[]; unindex: readonly IndexMember[] } {
		return { remove: [key, ...(this.declared.with?.(value) ?? [])], unindex: this.#indexed(key, value) };
	}

	in(at: At): Space {
		return 'store' in at ? at.store.space(this.space) : at;
	}

	/** Returns how long an entry lives, in milliseconds; undefined for one that does not expire. */
	ttlMs({ retentionMs }: Retention, value: Value): number | undefined {
		const { lifetime } = this.declared;
		if (!this.expires(value) || lifetime === 'permanent') return undefined;
		return lifetime === 'retention' ? retentionMs : lifetime;
	}

	#indexed(key: string, value: Value): readonly IndexMember[] {
		return (this.declared.indexed?.(key, value) ?? []).map((each) => ({ space: this.space, ...each }));
	}
}

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Returns how long an entry has left to live, in milliseconds; undefined for one that does not expire. */
export const remainingMs = (expires: number | null | undefined): number | undefined =>
	expires ? Math.max(1, expires - Date.now()) : undefined;

/**
 * Returns a key that stands for a person without containing their id.
 * @param server where ids are unique within one server only
 */
export const personKey = ({ platform, server, id }: PersonRef): string =>
	hash('sha256', JSON.stringify([platform, server ?? '', id]));

/** Returns the keys that a person in an entry may be known by: ids are unique on the whole platform, or in one server. */
export const personKeysOf = (person: PersonRef): string[] => [
	...new Set([personKey({ ...person, server: undefined }), personKey(person)]),
];

/** Returns the person in `PLATFORM:SERVER:ID`. Ids of servers may contain the separator. */
export function personIn(text: string, separator = ':'): Required<PersonRef> {
	const [platform = '', ...rest] = text.split(separator);
	return { platform, server: rest.slice(0, -1).join(separator), id: rest.at(-1) ?? '' };
}
