import { Keyv } from 'keyv';
import type { Driver, StoredChange } from './driver.ts';
import { createFiles } from './files/files.ts';
import { createPauses } from './pages.ts';
import { deserialize, serialize } from './serialize.ts';
import { type Change, checkedSpace, type IndexMember, isIndexText, type Space, type Store } from './store.ts';

/** Creates a store on a driver. */
export function createStore(driver: Driver): Store {
	const spaces = new Map<string, Space>();
	let open = true;
	return {
		space(name) {
			const space = spaces.get(name) ?? createSpace(name, driver, () => open);
			spaces.set(name, space);
			return space;
		},
		async ping() {
			await driver.ping();
			await write(driver);
		},
		warnings: () => driver.warnings(),
		async close() {
			open = false;
			await driver.close();
		},
	};
}

/** Writes an entry and removes it, because a store that is full still answers reads. */
async function write(driver: Driver): Promise<void> {
	const key = `${driver.namespace('health')}:written`;
	const put = [{ key, entry: toEntry(true, {}) }];
	await driver.commit({ add: [], put, remove: [key], index: [], unindex: [], replicate: false, lazy: false });
}

/**
 * The spaces whose writes are `lazy`: after a power failure, what is missing in them is found out again, or belongs to a request whose
 * call was not sent either.
 */
const LAZY_SPACES: ReadonlySet<string> = new Set(['discord', 'slack', 'requests', 'recent', 'search', 'pictures']);

function createSpace(name: string, driver: Driver, isOpen: () => boolean): Space {
	const namespace = driver.namespace(checkedSpace(name));
	const isLazy = LAZY_SPACES.has(name);
	const keyv = new SpaceKeyv({ store: driver.storage(isLazy), namespace, throwOnErrors: true, serialize, deserialize });
	const toStoredKey = (key: string) => keyv._getKeyPrefix(key);
	const fromStoredKey = (key: string) => key.slice(namespace.length + 1);
	return {
		keyv,
		async commit(change) {
			const result = await driver.commit(toStoredChange({ lazy: isLazy, ...change }, toStoredKey));
			return typeof result === 'object' ? { refused: fromStoredKey(result.refused) } : result;
		},
		async *list(prefix) {
			const pause = createPauses();
			for await (const [key, entry] of driver.list(toStoredKey(prefix))) {
				yield [fromStoredKey(key), deserialize(entry).value];
				await pause();
			}
		},
		members: (index, page) => driver.members(toStoredKey(checkedIndex(index)), page),
		files: createFiles(driver.files(namespace), isOpen),
	};
}

/** @throws TypeError when the change is invalid */
function toStoredChange(
	{ once, add = [], put = [], remove = [], index = [], unindex = [], replicate = false, lazy = false }: Change,
	toStoredKey: (key: string) => string,
): StoredChange {
	for (const { by, atMost = 0 } of add) {
		if (!Number.isSafeInteger(by)) throw new TypeError(`A counter cannot be changed by ${by}.`);
		if (!Number.isSafeInteger(atMost)) throw new TypeError(`A counter cannot be limited to ${atMost}.`);
	}
	for (const { ttlMs = 1 } of [...add, ...put, ...index])
		if (!Number.isSafeInteger(ttlMs) || ttlMs <= 0) throw new TypeError(`An entry cannot expire after ${ttlMs} ms.`);
	const values = once === undefined || put.some(({ key }) => key === once) ? put : [{ key: once, value: true }, ...put];
	const toStoredMember = ({ index: name, member }: IndexMember): IndexMember => ({
		index: toStoredKey(checkedIndex(name)),
		member: checkedIndex(member),
	});
	return {
		...(once !== undefined && { once: toStoredKey(once) }),
		add: add.map(({ key, ttlMs, ...step }) => ({ ...step, key: toStoredKey(key), ...expiryIn(ttlMs) })),
		put: values.map(({ key, value, ttlMs }: PutEntry) => {
			const expiry = expiryIn(ttlMs);
			return { key: toStoredKey(key), entry: toEntry(value, expiry), ...expiry };
		}),
		remove: remove.map(toStoredKey),
		index: index.map((each) => ({ ...toStoredMember(each), ...expiryIn(each.ttlMs) })),
		unindex: unindex.map(toStoredMember),
		...{ replicate, lazy },
	};
}

type PutEntry = NonNullable<Change['put']>[number];

const expiryIn = (ttlMs: number | undefined): { expires?: number } =>
	ttlMs === undefined ? {} : { expires: Date.now() + ttlMs };

/** Returns a name or member of an index. */
function checkedIndex(text: string): string {
	if (!isIndexText(text)) throw new TypeError('Indexes and their members consist of ASCII characters.');
	return text;
}

function toEntry(value: unknown, expiry: { expires?: number }): string {
	if (typeof value === 'symbol' || typeof value === 'function')
		throw new TypeError(`A ${typeof value} cannot be stored.`);
	return serialize({ value, ...expiry });
}

/**
 * A keyv that prefixes every key with its namespace. keyv omits the prefix, in some of its calls only, when the key already
 * begins with it, so that `a:b` and `b` would be one entry of a space named `a`.
 */
class SpaceKeyv extends Keyv {
	override _getKeyPrefix(key: string): string {
		// Keys are stored in UTF-8, in which all lone surrogates become the same character.
		if (!key.isWellFormed()) throw new TypeError('A key contains a lone surrogate.');
		return `${this.namespace}:${key}`;
	}

	override _getKeyPrefixArray(keys: string[]): string[] {
		return keys.map((key) => this._getKeyPrefix(key));
	}
}
