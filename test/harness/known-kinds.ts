import { expect } from 'vitest';
import { COLLECTIONS, SPACES } from '../../src/collections.ts';
import type { AnyCollection, Space, Store } from '../../src/store/store.ts';

/** Fails when a store has an entry of no known kind, or one without the time to live that its kind has. */
export async function expectKnownKinds(store: Store): Promise<void> {
	const unknown = await Promise.all(SPACES.map((name) => unknownEntries(name, store.space(name))));
	expect(unknown.flat()).toEqual([]);
}

async function unknownEntries(name: string, { keyv, list, files }: Space): Promise<string[]> {
	const faults: string[] = [];
	for await (const [key, value] of list('')) {
		const kind = collectionOf(name, key, 'entry');
		const entry = await keyv.getRaw(key);
		// It was removed meanwhile.
		if (!entry) continue;
		const expires = entry.expires !== undefined;
		if (!kind) faults.push(`${name} ${key} has no kind`);
		else if (expires !== kind.expires(value)) faults.push(`${name} ${key} ${expires ? 'expires' : 'does not expire'}`);
	}
	for (const file of await files.names(''))
		if (!collectionOf(name, file, 'file')) faults.push(`${name} file ${file} has no kind`);
	return faults;
}

/** Returns the collection of an entry or a file: the one with the longest prefix that fits. */
function collectionOf(space: string, key: string, sort: 'entry' | 'file'): AnyCollection | undefined {
	const fitting = COLLECTIONS.filter(
		(each) => each.space === space && (each.declared.sort ?? 'entry') === sort && key.startsWith(each.prefix),
	);
	return fitting.sort((one, other) => other.prefix.length - one.prefix.length)[0];
}
