import { Keyv } from 'keyv';
import type { Driver, StoredChange } from './driver.ts';
import { createFiles } from './files.ts';
import { deserialize, serialize } from './serialize.ts';
import type { Change, Space, Store } from './store.ts';

/** A store, given what its kind has to offer. */
export function createStore(driver: Driver): Store {
	const spaces = new Map<string, Space>();
	let open = true;
	return {
		space(name) {
			const space = spaces.get(name) ?? createSpace(name, driver, () => open);
			spaces.set(name, space);
			return space;
		},
		ping: () => driver.ping(),
		async close() {
			open = false;
			await driver.close();
		},
	};
}

function createSpace(name: string, driver: Driver, isOpen: () => boolean): Space {
	if (!/^[a-z-]+$/.test(name)) throw new TypeError(`A space can't be named ${JSON.stringify(name)}: a-z and - only.`);
	const namespace = driver.namespace(name);
	const keyv = new SpaceKeyv({ store: driver.storage(), namespace, throwOnErrors: true, serialize, deserialize });
	const stored = (key: string) => keyv._getKeyPrefix(key);
	const own = (key: string) => key.slice(namespace.length + 1);

	function toStored({ once, add = [], put = [], remove = [] }: Change): StoredChange {
		for (const { by, atMost = 0 } of add) {
			if (!Number.isSafeInteger(by)) throw new TypeError(`A counter can't be changed by ${by}.`);
			if (!Number.isSafeInteger(atMost)) throw new TypeError(`A counter can't be held at ${atMost}.`);
		}
		const values =
			once === undefined || put.some(({ key }) => key === once) ? put : [{ key: once, value: true }, ...put];
		return {
			...(once !== undefined && { once: stored(once) }),
			add: add.map((step) => ({ ...step, key: stored(step.key) })),
			put: values.map(({ key, value }) => ({ key: stored(key), entry: toEntry(value) })),
			remove: remove.map(stored),
		};
	}

	function toEntry(value: unknown): string {
		if (typeof value === 'symbol' || typeof value === 'function')
			throw new TypeError(`A ${typeof value} can't be kept.`);
		return serialize({ value });
	}

	return {
		keyv,
		async commit(change) {
			const outcome = await driver.commit(toStored(change));
			return typeof outcome === 'object' ? { refused: own(outcome.refused) } : outcome;
		},
		async *list(prefix) {
			for await (const [key, entry] of driver.list(stored(prefix))) {
				yield [own(key), deserialize(entry).value];
			}
		},
		files: createFiles(driver.files(namespace), isOpen),
	};
}

/**
 * keyv leaves the namespace off where a key already starts with it and a colon, but only in some of its calls, so that
 * `a:b` and `b` would be one entry of a space named `a`. Here every key gets it.
 */
class SpaceKeyv extends Keyv {
	override _getKeyPrefix(key: string): string {
		// Keys are stored in UTF-8, in which every lone surrogate becomes the same character.
		if (!key.isWellFormed()) throw new TypeError('A key has half a character in it.');
		return `${this.namespace}:${key}`;
	}

	override _getKeyPrefixArray(keys: string[]): string[] {
		return keys.map((key) => this._getKeyPrefix(key));
	}
}
