import type { Change, Space, Store } from '../../src/store/store.ts';
import type { Receipt } from '../../src/usage/receipt.ts';
import type { Mutation } from './run.ts';

/** The product with one rule broken on purpose, and the rule of the simulator that has to notice. */
export type Broken = { what: string; rule: number; mutation: Mutation };

type Edit = (change: Change, wall: () => number) => Change;

/** A store whose ledger does something else than it is told. */
const withLedger = (edit: Edit): Mutation => ({
	store: (store, wall) =>
		changed(store, 'ledger', (space) => ({ ...space, commit: (change) => space.commit(edit(change, wall)) })),
});

const changed = (store: Store, name: string, change: (space: Space) => Space): Store => ({
	...store,
	space: (asked) => (asked === name ? change(store.space(asked)) : store.space(asked)),
});

const without = <Name extends keyof Change>(change: Change, name: Name): Change => {
	const { [name]: _, ...rest } = change;
	return rest;
};

const unlessOnce =
	(kind: RegExp): Edit =>
	(change) =>
		kind.test(change.once ?? '') ? without(change, 'once') : change;

const puts = (change: Change, start: string) => change.put?.find(({ key }) => key.startsWith(start))?.value;

export const BROKEN: readonly Broken[] = [
	{
		what: 'caps are not looked at when a call is taken',
		rule: 1,
		mutation: withLedger((change) => ({ ...change, add: (change.add ?? []).map(({ key, by }) => ({ key, by })) })),
	},
	{
		what: 'caps let one call too many through',
		rule: 1,
		mutation: withLedger((change) => ({
			...change,
			add: (change.add ?? []).map((one) => (one.atMost === undefined ? one : { ...one, atMost: one.atMost + 1 })),
		})),
	},
	// The door to sending alone would still hold back the second call.
	{ what: 'a delivery that comes twice is another job', rule: 2, mutation: withLedger(unlessOnce(/^(job|gate):/)) },
	{
		what: 'the door between sending and giving back is left open',
		rule: 6,
		mutation: withLedger(unlessOnce(/^gate:/)),
	},
	{
		what: 'pictures that could not be posted are not offered',
		rule: 3,
		mutation: {
			store: (store) =>
				changed(store, 'waiting', ({ keyv, ...space }) => {
					const forgetful = new Proxy(keyv, {
						get: (target, name) => (name === 'set' ? async () => true : Reflect.get(target, name)),
					});
					return { ...space, keyv: forgetful };
				}),
		},
	},
	{ what: 'nobody sweeps', rule: 4, mutation: { sweeps: false } },
	{
		what: 'the sweep finds nothing',
		rule: 4,
		mutation: {
			store: (store) =>
				changed(store, 'ledger', (space) => ({
					...space,
					async *list(prefix) {
						if (prefix !== 'open:') yield* space.list(prefix);
					},
				})),
		},
	},
	{
		what: 'receipts are lost',
		rule: 5,
		mutation: withLedger((change, wall) => ({
			...unlessOnce(/^receipt:/)(change, wall),
			put: (change.put ?? []).filter(({ key }) => !key.startsWith('receipt:')),
		})),
	},
	{
		what: 'calls of which nobody knows the outcome are given back',
		rule: 5,
		mutation: withLedger((change) => {
			const receipt = puts(change, 'receipt:') as Receipt | undefined;
			if (receipt?.outcome !== 'unknown') return change;
			return { ...change, add: receipt.takings.map(({ key, by }) => ({ key, by: -by })) };
		}),
	},
	{
		what: 'what fails is given back to the window of today',
		rule: 6,
		mutation: withLedger((change, wall) => {
			const today = new Date(wall()).toISOString();
			const moved = (key: string) => key.replace(/[0-9-]+$/, (window) => today.slice(0, window.length));
			return {
				...change,
				add: (change.add ?? []).map((one) => (one.by < 0 ? { ...one, key: moved(one.key) } : one)),
			};
		}),
	},
	{
		what: 'nothing is given back',
		rule: 6,
		mutation: withLedger((change) => ({ ...change, add: (change.add ?? []).filter(({ by }) => by >= 0) })),
	},
	{
		what: 'answers are forgotten before they are posted',
		rule: 7,
		mutation: {
			platform: (platform) => ({
				...platform,
				find: async () => undefined,
				channel: async () => undefined,
			}),
		},
	},
];
