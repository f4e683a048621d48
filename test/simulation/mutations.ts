import type { Channel } from '../../src/domain/channel.ts';
import type { Platform } from '../../src/domain/platform.ts';
import type { Receipt } from '../../src/domain/receipt.ts';
import type { Change, Space, Store } from '../../src/store/store.ts';
import type { Mutation } from './run.ts';
import { LOG } from './story.ts';

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

/** A store of which one call of a space's keyv does something else. */
const withKeyv = (
	name: string,
	method: string,
	instead: (call: (key: string) => Promise<unknown>) => unknown,
): Mutation => ({
	store: (store) =>
		changed(store, name, ({ keyv, ...space }) => ({
			...space,
			keyv: new Proxy(keyv, {
				get: (target, property) =>
					property === method ? instead((key) => target.get(key)) : Reflect.get(target, property),
			}),
		})),
});

/** A platform on which places that nobody asked from are something else. */
const withChannel = (change: (channel: Channel) => Channel): Mutation => ({
	platform: (platform: Platform) => ({
		...platform,
		async channel(place) {
			const channel = await platform.channel(place);
			return channel && change(channel);
		},
	}),
});

/** Keys of the messages with what is too much for a result's first one. */
const OTHERS = /\.[b-d]$/;

let times = 0;

/** A name that differs each time. */
function another(key: string): string {
	times += 1;
	return `${key}.${times}`;
}

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
		rule: 3,
		mutation: withLedger(unlessOnce(/^gate:/)),
	},
	{
		what: 'pictures that could not be posted are not offered',
		rule: 3,
		mutation: withKeyv('waiting', 'set', () => async () => true),
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
	{
		what: 'the other messages of a result are not known by their names',
		rule: 8,
		mutation: {
			platform: (platform) => ({
				...(withChannel((channel) => ({
					...channel,
					post: (reply, key, options) => channel.post(reply, OTHERS.test(key) ? another(key) : key, options),
				})).platform?.(platform) ?? platform),
				find: async (handle) => (OTHERS.test(handle.key) ? undefined : platform.find(handle)),
			}),
		},
	},
	{
		what: 'of a result that is too much for one message only the first one is taken up again',
		rule: 8,
		mutation: withChannel((channel) => ({
			...channel,
			post: async (reply, key, options) =>
				OTHERS.test(key)
					? { handle: { place: channel.place, key }, edit: async () => {}, delete: async () => {} }
					: channel.post(reply, key, options),
		})),
	},
	{
		what: 'an entry of the log has another name each time',
		rule: 9,
		mutation: withChannel((channel) => {
			if (channel.place.channel !== LOG) return channel;
			return { ...channel, post: (reply, key, options) => channel.post(reply, another(key), options) };
		}),
	},
	{
		what: 'finished pictures are not kept',
		rule: 9,
		mutation: {
			store: (store) =>
				changed(store, 'pictures', (space) => ({ ...space, files: { ...space.files, put: async () => {} } })),
		},
	},
	{
		what: 'who is blocked, and what is banned, is forgotten',
		rule: 10,
		mutation: withKeyv('ledger', 'get', (get) => async (key: string) => {
			const found = (await get(key)) as { settings?: object } | undefined;
			return found?.settings ? { ...found, settings: { ...found.settings, blocked: [], bannedWords: [] } } : found;
		}),
	},
	{
		what: 'a call is taken by the rules of a moment before',
		rule: 10,
		mutation: withLedger((change) => ({
			...change,
			add: (change.add ?? []).filter(({ key, by }) => by !== 0 || !key.startsWith('version:')),
		})),
	},
	{
		what: 'calls of unknown outcome count as failed',
		rule: 11,
		mutation: withLedger((change) => {
			const receipt = puts(change, 'receipt:') as Receipt | undefined;
			if (receipt?.outcome !== 'unknown') return change;
			const failed = { outcome: 'failed', cost: 0 };
			const put = (change.put ?? []).map(({ key, value }) => {
				if (key.startsWith('receipt:')) return { key, value: { ...(value as object), ...failed } };
				return key.startsWith('job:')
					? { key, value: { ...(value as object), ...failed, state: 'failed' } }
					: { key, value };
			});
			return { ...change, put, add: receipt.takings.map(({ key, by }) => ({ key, by: -by })) };
		}),
	},
];
