import { expect } from 'vitest';
import { type Kind, kindOf, SPACES } from '../../src/store/kinds.ts';
import type { Space, Store } from '../../src/store/store.ts';

/** Fails when a store has an entry of no known kind, or one without the time to live that its kind has. */
export async function expectKnownKinds(store: Store): Promise<void> {
	const unknown = await Promise.all(SPACES.map((name) => unknownEntries(name, store.space(name))));
	expect(unknown.flat()).toEqual([]);
}

async function unknownEntries(name: string, { keyv, list, files }: Space): Promise<string[]> {
	const faults: string[] = [];
	for await (const [key, value] of list('')) {
		const kind = kindOf(name, key);
		const entry = await keyv.getRaw(key);
		// It was removed meanwhile.
		if (!entry) continue;
		const expires = entry.expires !== undefined;
		if (!kind) faults.push(`${name} ${key} has no kind`);
		else if (expires !== mustExpire(kind, value))
			faults.push(`${name} ${key} ${expires ? 'expires' : 'does not expire'}`);
	}
	for (const file of await files.names(''))
		if (!kindOf(name, file, 'file')) faults.push(`${name} file ${file} has no kind`);
	return faults;
}

const mustExpire = ({ expires }: Kind, value: unknown): boolean =>
	typeof expires === 'function' ? expires(value) : expires === true;
