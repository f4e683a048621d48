import type { Keyv } from 'keyv';
import { type Change, type Space, type Store, StoreError } from '../../src/store/store.ts';
import type { Process } from './process.ts';

/** Sees every change at the moment it is done, with what became of it. */
export type Witness = (
	space: string,
	change: Change,
	done: () => ReturnType<Space['commit']>,
) => ReturnType<Space['commit']>;

/** A store as one process reaches it: over a wire that fails, where the same store is reached by others too. */
export function storeOf(process: Process, store: Store, witness: Witness): Store {
	const fault = () => new StoreError('The store did not answer.');
	const call = <Result>(what: string, effect: () => Promise<Result>) => process.call('store', what, effect, fault);
	return {
		space(name) {
			const space = store.space(name);
			return {
				keyv: keyvOf(space.keyv, name, call),
				commit: (change) => {
					const work = () => witness(name, change, () => space.commit(change));
					return call(`commit ${name} ${words(change)}`, work);
				},
				async *list(prefix) {
					yield* await call(`list ${name} ${prefix}`, () => Array.fromAsync(space.list(prefix)));
				},
				files: {
					put: (file, bytes, ttlMs) => call(`put ${name} ${file}`, () => space.files.put(file, bytes, ttlMs)),
					get: (file) => call(`get ${name} ${file}`, () => space.files.get(file)),
					delete: (file) => call(`delete ${name} ${file}`, () => space.files.delete(file)),
					names: (prefix) => call(`names ${name} ${prefix}`, () => space.files.names(prefix)),
				},
			};
		},
		ping: () => call('ping', () => store.ping()),
		close: () => store.close(),
	};
}

function keyvOf(keyv: Keyv, name: string, call: <R>(what: string, effect: () => Promise<R>) => Promise<R>): Keyv {
	const calls = new Set(['get', 'set', 'delete', 'getMany', 'has']);
	return new Proxy(keyv, {
		get(target, property) {
			const member: unknown = Reflect.get(target, property);
			if (typeof property !== 'string' || !calls.has(property) || typeof member !== 'function') return member;
			return (...args: unknown[]) =>
				call(`${property} ${name} ${String(args[0])}`, async () => Reflect.apply(member, target, args) as unknown);
		},
	});
}

/** A change in a few words, for the trace. */
function words({ once, add = [], put = [], remove = [] }: Change): string {
	const added = add.map(
		({ key, by, atMost }) => `${by < 0 ? by : `+${by}`} ${key}${atMost === undefined ? '' : ` ≤ ${atMost}`}`,
	);
	const states = put.map(({ key, value }) => `${key}${stateOf(value)}`);
	return [
		once !== undefined && `once ${once}`,
		...added,
		...states.map((one) => `put ${one}`),
		...remove.map((key) => `remove ${key}`),
	]
		.filter(Boolean)
		.join(', ');
}

const stateOf = (value: unknown) => {
	const { state, outcome } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
	return state === undefined && outcome === undefined ? '' : ` (${String(state ?? outcome)})`;
};
