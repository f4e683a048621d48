import { type Backend, NO_CHANGE, type StoredChange } from './backend.ts';
import { createFiles } from './files/files.ts';
import { KeyvAdapter, SpaceKeyv } from './keyv.ts';
import { createPauses } from './pages.ts';
import { deserialize, serialize } from './serialize.ts';
import { type Change, checkedSpace, type IndexMember, isIndexText, type Space, type Store } from './store.ts';

/** Creates a store on a backend. */
export function createStore(backend: Backend): Store {
	const spaces = new Map<string, Space>();
	let open = true;
	return {
		space(name) {
			const space = spaces.get(name) ?? createSpace(name, backend, () => open);
			spaces.set(name, space);
			return space;
		},
		async ping() {
			await backend.ping();
			// An entry is written and removed, because a store that is full still answers reads.
			const key = 'health:written';
			await backend.commit({ ...NO_CHANGE, put: [{ key, entry: toEntry(true) }], remove: [key] });
		},
		warnings: () => backend.warnings(),
		async close() {
			open = false;
			await backend.close();
		},
	};
}

function createSpace(name: string, backend: Backend, isOpen: () => boolean): Space {
	const namespace = checkedSpace(name);
	const store = new KeyvAdapter(backend);
	const keyv = new SpaceKeyv({ store, namespace, throwOnErrors: true, serialize, deserialize });
	const toStoredKey = (key: string) => keyv._getKeyPrefix(key);
	const fromStoredKey = (key: string) => key.slice(namespace.length + 1);
	return {
		keyv,
		async commit(change) {
			const result = await backend.commit(toStoredChange(change, toStoredKey));
			return typeof result === 'object' ? { refused: fromStoredKey(result.refused) } : result;
		},
		async *list(prefix) {
			const pause = createPauses();
			for await (const [key, entry] of backend.list(toStoredKey(prefix))) {
				yield [fromStoredKey(key), deserialize(entry).value];
				await pause();
			}
		},
		members: (index, page) => backend.members(toStoredKey(checkedIndex(index)), page),
		files: createFiles(backend.files(namespace), isOpen),
	};
}

/** @throws TypeError when the change is invalid */
function toStoredChange(
	{ once, add = [], put = [], remove = [], index = [], unindex = [] }: Change,
	toStoredKey: (key: string) => string,
): StoredChange {
	for (const { by, atMost = 0 } of add) {
		if (!Number.isSafeInteger(by)) throw new TypeError(`A counter cannot be changed by ${by}.`);
		if (!Number.isSafeInteger(atMost)) throw new TypeError(`A counter cannot be limited to ${atMost}.`);
	}
	for (const { ttlMs = 1 } of [...add, ...put, ...index])
		if (!Number.isSafeInteger(ttlMs) || ttlMs <= 0) throw new TypeError(`An entry cannot expire after ${ttlMs} ms.`);
	const now = Date.now();
	const expiryIn = (ttlMs: number | undefined): { expires?: number } =>
		ttlMs === undefined ? {} : { expires: now + ttlMs };
	const values: Change['put'] =
		once === undefined || put.some(({ key }) => key === once) ? put : [{ key: once, value: true }, ...put];
	const toStoredMember = ({ index: name, member }: IndexMember): IndexMember => ({
		index: toStoredKey(checkedIndex(name)),
		member: checkedIndex(member),
	});
	return {
		...(once !== undefined && { once: toStoredKey(once) }),
		add: add.map(({ key, ttlMs, ...step }) => ({ ...step, key: toStoredKey(key), ...expiryIn(ttlMs) })),
		put: values.map(({ key, value, ttlMs }) => {
			const expiry = expiryIn(ttlMs);
			return { key: toStoredKey(key), entry: toEntry(value, expiry), ...expiry };
		}),
		remove: remove.map(toStoredKey),
		index: index.map((each) => ({ ...toStoredMember(each), ...expiryIn(each.ttlMs) })),
		unindex: unindex.map(toStoredMember),
	};
}

/** Returns a name or member of an index. */
function checkedIndex(text: string): string {
	if (!isIndexText(text)) throw new TypeError('Indexes and their members consist of ASCII characters.');
	return text;
}

function toEntry(value: unknown, expiry: { expires?: number } = {}): string {
	if (typeof value === 'symbol' || typeof value === 'function')
		throw new TypeError(`A ${typeof value} cannot be stored.`);
	return serialize({ value, ...expiry });
}
