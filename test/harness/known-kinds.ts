import { expect } from 'vitest';
import { KINDS, type Kind } from '../../src/store/kinds.ts';
import type { Space, Store } from '../../src/store/store.ts';

/** Fails when a store has an entry of no known kind, or one without the time to live that its kind has. */
export async function expectKnownKinds(store: Store): Promise<void> {
	const unknown = await Promise.all(Object.keys(KINDS).map((name) => unknownEntries(name, store.space(name))));
	expect(unknown.flat()).toEqual([]);
}

async function unknownEntries(name: string, { keyv, list, files }: Space): Promise<string[]> {
	const kinds = KINDS[name];
	const faults: string[] = [];
	for await (const [key, value] of list('')) {
		const kind = kinds?.entries.find(({ prefix }) => key.startsWith(prefix));
		const entry = await keyv.getRaw(key);
		// It was removed meanwhile.
		if (!entry) continue;
		const expires = entry.expires !== undefined;
		if (!kind) faults.push(`${name} ${key} has no kind`);
		else if (expires !== mustExpire(kind, value))
			faults.push(`${name} ${key} ${expires ? 'expires' : 'does not expire'}`);
	}
	for (const file of await files.names(''))
		if (!kinds?.files?.some(({ prefix }) => file.startsWith(prefix))) faults.push(`${name} file ${file} has no kind`);
	return faults;
}

function mustExpire({ expires }: Kind, value: unknown): boolean {
	if (expires !== 'ended') return expires === 'always';
	const { state } = value as { state?: string };
	return state === 'delivered' || state === 'undeliverable' || state === 'held';
}
