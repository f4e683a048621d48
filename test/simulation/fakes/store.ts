import type { Keyv } from 'keyv';
import { type Change, type CommitResult, type Space, type Store, StoreError } from '../../../src/store/store.ts';
import type { SimulatedProcess } from '../engine/process.ts';

/** Makes a commit to a space and observes it at that moment. */
export type CommitObserver = (
	space: string,
	change: Change,
	commit: () => Promise<CommitResult>,
) => Promise<CommitResult>;

type Call = <Result>(description: string, effect: () => Promise<Result>) => Promise<Result>;

/** Methods of keyv that are calls to the store. */
const KEYV_CALLS = new Set(['get', 'set', 'delete', 'getMany', 'has']);

/** Returns the shared store as one process reaches it, with delays and faults. */
export function createFaultyStore(process: SimulatedProcess, store: Store, observe: CommitObserver): Store {
	const error = () => new StoreError('The store did not answer.');
	const call: Call = (description, effect) => process.call('store', description, effect, error);
	return {
		space: (name) => createFaultySpace(name, store.space(name), call, observe),
		ping: () => call('ping', () => store.ping()),
		warnings: () => store.warnings(),
		close: () => store.close(),
	};
}

function createFaultySpace(name: string, space: Space, call: Call, observe: CommitObserver): Space {
	return {
		keyv: createFaultyKeyv(space.keyv, name, call),
		commit: (change) =>
			call(`commit ${name} ${describe(change)}`, () => observe(name, change, () => space.commit(change))),
		async *list(prefix) {
			yield* await call(`list ${name} ${prefix}`, () => Array.fromAsync(space.list(prefix)));
		},
		members: (index, page) => call(`members ${name} ${index}`, () => space.members(index, page)),
		files: {
			put: (file, bytes, ttlMs) => call(`put ${name} ${file}`, () => space.files.put(file, bytes, ttlMs)),
			get: (file) => call(`get ${name} ${file}`, () => space.files.get(file)),
			delete: (file) => call(`delete ${name} ${file}`, () => space.files.delete(file)),
			names: (prefix) => call(`names ${name} ${prefix}`, () => space.files.names(prefix)),
		},
	};
}

function createFaultyKeyv(keyv: Keyv, name: string, call: Call): Keyv {
	return new Proxy(keyv, {
		get(target, property) {
			const member: unknown = Reflect.get(target, property);
			if (typeof property !== 'string' || !KEYV_CALLS.has(property) || typeof member !== 'function') return member;
			return (...args: unknown[]) =>
				call(`${property} ${name} ${String(args[0])}`, async () => Reflect.apply(member, target, args) as unknown);
		},
	});
}

/** Describes a change in one line of the trace. */
function describe({ once, add = [], put = [], remove = [], index = [], unindex = [] }: Change): string {
	return [
		...(once === undefined ? [] : [`once ${once}`]),
		...add.map(
			({ key, by, atMost }) => `${by < 0 ? by : `+${by}`} ${key}${atMost === undefined ? '' : ` ≤ ${atMost}`}`,
		),
		...put.map(({ key, value }) => `put ${key}${describeState(value)}`),
		...remove.map((each) => `remove ${typeof each === 'string' ? each : `${each.space} ${each.key}`}`),
		...index.map((each) => `index ${each.index} ${each.member}`),
		...unindex.map((each) => `unindex ${each.index} ${each.member}`),
	].join(', ');
}

function describeState(value: unknown): string {
	const { state, outcome } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
	return state === undefined && outcome === undefined ? '' : ` (${String(state ?? outcome)})`;
}
