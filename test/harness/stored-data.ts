import { SPACES } from '../../src/collections.ts';
import type { Store } from '../../src/store/store.ts';
import { findMismatches } from '../../src/usage/windows.ts';

/** Returns everything in a store as one text: entries, files, and the names of both. */
export async function dump(store: Store): Promise<string> {
	const parts: string[] = [];
	for (const name of SPACES) {
		const space = store.space(name);
		for await (const [key, value] of space.list('')) parts.push(`${name} ${key} ${JSON.stringify(value)}`);
		for (const file of await space.files.names(''))
			parts.push(`${name} ${file} ${Buffer.from((await space.files.get(file)) ?? []).toString('base64')}`);
	}
	return parts.join('\n');
}

/** Returns the counters that do not agree with their receipts. */
export const mismatches = (store: Store) =>
	findMismatches(store.space('ledger'), { now: Date.now, retentionMs: 10 ** 10 });

/** The counters, by their keys. */
export async function countersOf(store: Store): Promise<Map<string, unknown>> {
	return new Map(await Array.fromAsync(store.space('ledger').list('used:')));
}

/** A store that fails from the `cutAt`th write after `arm` on, as if the process had been killed. */
export function dyingStore(store: Store, cutAt: number) {
	let writes = 0;
	let isArmed = false;
	const dies = () => {
		if (isArmed && ++writes >= cutAt) throw new Error('The process was killed');
	};
	const dying: Store = {
		...store,
		space(name) {
			const space = store.space(name);
			const keyv = new Proxy(space.keyv, {
				get(target, property) {
					const value = Reflect.get(target, property);
					if (typeof value !== 'function') return value;
					return (...args: unknown[]) => {
						if (property === 'set' || property === 'delete') dies();
						return value.apply(target, args);
					};
				},
			});
			return {
				...space,
				keyv,
				async commit(change) {
					dies();
					return space.commit(change);
				},
			};
		},
	};
	const arm = () => {
		isArmed = true;
	};
	return { store: dying, arm, writes: () => writes };
}
