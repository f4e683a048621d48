import { hash } from 'node:crypto';
import type { Change, IndexMember, Space, Store } from './store.ts';

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

	/** The lifetime in words. */
	get lifetime(): string {
		const { lifetime, until = lifetime } = this.declared;
		return typeof until === 'number' ? durationOf(until) : (until ?? '');
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

const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

const UNITS = { day: DAY_MS, hour: HOUR_MS, minute: MINUTE_MS, second: SECOND_MS };

/** Returns a duration in words: `366 days`. */
function durationOf(ms: number): string {
	const [unit, length] = Object.entries(UNITS).find(([, each]) => ms % each === 0) ?? ['second', SECOND_MS];
	return (ms / length).toLocaleString('en', { style: 'unit', unit, unitDisplay: 'long' });
}

/** Returns how long an entry has left to live, in milliseconds; undefined for one that does not expire. */
export const remainingMs = ({ expires }: { expires?: number | undefined }): number | undefined =>
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
