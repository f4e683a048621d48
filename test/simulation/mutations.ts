import type { Channel } from '../../src/domain/channel.ts';
import type { Job, Receipt } from '../../src/domain/job.ts';
import type { Platform } from '../../src/domain/platform.ts';
import type { Change, Space, Store } from '../../src/store/store.ts';
import { OPEN_JOBS } from '../../src/usage/jobs.ts';
import type { Settings } from '../../src/usage/settings.ts';
import { counterField } from '../../src/usage/windows.ts';
import {
	cancelledCallsAreRefunded,
	dearCallsAreGivenBack,
	decisionsAreNotResumed,
	lostJobsAreAnswered,
	type Patch,
	pausesAreFoundBeforeTheLineOnly,
	pausesAreIgnored,
	picturesInHandAreThrownAway,
	recoveryIgnoresKeptPictures,
	reviewedPicturesAreShownAtOnce,
} from './code-mutations.ts';
import { LOG_CHANNEL } from './fixtures.ts';

/** Breaks the product on purpose. */
export type Mutation = {
	store?: (store: Store, now: () => number) => Store;
	platform?: (platform: Platform) => Platform;
	/** Changes the store as a process sees it, with its delays and faults. */
	processStore?: (store: Store) => Store;
	/** Whether processes find nothing on the platforms that they do not run, instead of leaving them to others. */
	runsAllPlatforms?: boolean;
	patch?: Patch;
	/** Whether processes make a sweep when they start. */
	sweeps?: boolean;
};

/** A mutation, and the rule that has to detect it. */
type MutationCase = {
	title: string;
	rule: number;
	/** A seed that has detected it, where the first ones do not. Others are tried when it does not any more. */
	seed?: number;
	mutation: Mutation;
};

type Edit = (change: Change, now: () => number) => Change;

/** Edits every commit of the ledger. */
const editCommits = (edit: Edit): Mutation => ({
	store: (store, now) =>
		replaceSpace(store, 'ledger', (space) => ({ ...space, commit: (change) => space.commit(edit(change, now)) })),
});

const replaceSpace = (store: Store, name: string, replace: (space: Space) => Space): Store => ({
	...store,
	space: (requested) => (requested === name ? replace(store.space(requested)) : store.space(requested)),
});

/** Replaces a method of a space's keyv. */
const replaceKeyv = (
	space: string,
	method: string,
	replace: (get: (key: string) => Promise<unknown>) => unknown,
): Mutation => ({
	store: (store) =>
		replaceSpace(store, space, ({ keyv, ...rest }) => ({
			...rest,
			keyv: new Proxy(keyv, {
				get: (target, property) =>
					property === method ? replace((key) => target.get(key)) : Reflect.get(target, property),
			}),
		})),
});

/** Replaces channels that are opened without a request from them. */
const replaceChannel = (replace: (channel: Channel) => Channel): Mutation => ({
	platform: (platform) => ({
		...platform,
		async channel(place) {
			const channel = await platform.channel(place);
			return channel && replace(channel);
		},
	}),
});

/** The keys of the further messages of a result that does not fit into one. */
const FURTHER_MESSAGES = /\.[b-d]$/;

let renamed = 0;

/** Returns a different key each time. */
function rename(key: string): string {
	renamed += 1;
	return `${key}.${renamed}`;
}

/** Makes commits unconditional whose `once` key is of a kind. */
const withoutOnce =
	(kind: RegExp): Edit =>
	(change) => {
		if (!kind.test(change.once ?? '')) return change;
		const { once: _, ...rest } = change;
		return rest;
	};

/** Returns the call that a change settles, if it is of unknown outcome. */
function unknownReceipt(change: Change): Receipt | undefined {
	if (!change.index?.some(({ index }) => index.startsWith('receipts:'))) return undefined;
	const receipt = change.put?.find(({ key }) => key.startsWith('job:'))?.value as Receipt | undefined;
	return receipt?.outcome === 'unknown' ? receipt : undefined;
}

/** Changes what is written of jobs. */
const mapJobs = (change: Change, edit: (job: Job) => object): Change => ({
	...change,
	put: change.put?.map((entry) =>
		entry.key.startsWith('job:')
			? { ...entry, value: { ...(entry.value as object), ...edit(entry.value as Job) } }
			: entry,
	),
});

const refundOf = ({ debits }: Receipt) => debits.map(([key, by]) => ({ ...counterField(key), by: -by }));

const mapAdd = (
	change: Change,
	map: (step: NonNullable<Change['add']>[number]) => NonNullable<Change['add']>,
): Change => ({
	...change,
	add: (change.add ?? []).flatMap(map),
});

const isOfMoney = ({ field = '' }: { field?: string }) => field.endsWith('.usd');

/** Lets every write of a job pass, whatever process has made the step before it. */
const withoutFence = (change: Change): Change =>
	mapAdd(change, (step) => [step.field === 'step' ? { ...step, atMost: undefined } : step]);

const isRenewal = ({ put = [] }: Change) => put.some(({ key }) => key.startsWith('lease:'));

function sendOnly(sent: Promise<unknown>): Promise<'done'> {
	sent.catch(() => {});
	return Promise.resolve('done');
}

export const MUTATIONS: readonly MutationCase[] = [
	{
		title: 'caps are ignored when a call is reserved',
		rule: 1,
		seed: 6,
		mutation: editCommits((change) => mapAdd(change, ({ key, field, by }) => [{ key, field, by }])),
	},
	{
		title: 'caps allow one call too many',
		rule: 1,
		seed: 6,
		mutation: editCommits((change) =>
			mapAdd(change, (step) => [step.atMost === undefined ? step : { ...step, atMost: step.atMost + 1 }]),
		),
	},
	{
		title: 'caps in money are ignored when a call is reserved',
		rule: 17,
		seed: 21,
		mutation: editCommits((change) =>
			mapAdd(change, (step) => [isOfMoney(step) ? { ...step, atMost: undefined } : step]),
		),
	},
	{
		title: 'a call that cost more than was reserved is counted below it',
		rule: 17,
		seed: 2,
		mutation: { patch: dearCallsAreGivenBack },
	},
	{
		title: 'what a call has not cost is given back twice',
		rule: 6,
		seed: 2,
		mutation: editCommits((change) =>
			mapAdd(change, (step) => [step.by < 0 && isOfMoney(step) ? { ...step, by: 2 * step.by } : step]),
		),
	},
	// Without the fence's part, the fence alone would prevent the second call.
	{
		title: 'a repeated delivery is reserved as another job',
		rule: 2,
		seed: 3,
		mutation: editCommits((change, now) => withoutFence(withoutOnce(/^job:/)(change, now))),
	},
	{
		title: 'a call can be both sent and refunded unsent',
		rule: 3,
		seed: 20_038,
		mutation: editCommits(withoutFence),
	},
	{
		title: 'pictures that could not be posted are not offered',
		rule: 3,
		seed: 16,
		mutation: {
			store: (store) => replaceSpace(store, 'waiting', (space) => ({ ...space, commit: async () => 'done' })),
		},
	},
	{
		title: 'recovery ignores kept pictures',
		rule: 3,
		seed: 12,
		mutation: { patch: recoveryIgnoresKeptPictures },
	},
	{
		title: 'pictures are thrown away when a sweep has settled their call',
		rule: 3,
		seed: 11,
		mutation: { patch: picturesInHandAreThrownAway },
	},
	{
		title: 'a process answers a job that another one has taken over',
		rule: 7,
		seed: 21,
		mutation: { patch: lostJobsAreAnswered },
	},
	{
		title: 'a late renewal of a lease goes unnoticed',
		rule: 12,
		seed: 10,
		mutation: {
			processStore: (store) =>
				replaceSpace(store, 'ledger', (space) => ({
					...space,
					// It counts from when it is sent, not from when it takes effect.
					commit: (change) => (isRenewal(change) ? sendOnly(space.commit(change)) : space.commit(change)),
				})),
		},
	},
	{
		title: 'jobs on platforms that a process does not run are ended all the same',
		rule: 4,
		seed: 11,
		mutation: { runsAllPlatforms: true },
	},
	{
		title: 'jobs are claimed from processes that hold their leases',
		rule: 13,
		seed: 3,
		mutation: replaceKeyv('ledger', 'get', (get) => async (key: string) => {
			const entry = await get(key);
			return key.startsWith('lease:') && entry !== undefined ? { expiresAt: 1 } : entry;
		}),
	},
	{
		title: 'leases last too long',
		rule: 14,
		seed: 1,
		mutation: editCommits((change) => ({
			...change,
			put: change.put?.map((entry) => {
				if (!entry.key.startsWith('lease:')) return entry;
				const { expiresAt } = entry.value as { expiresAt: number };
				return { ...entry, value: { ...(entry.value as object), expiresAt: expiresAt + 60_000 } };
			}),
		})),
	},
	{ title: 'no process makes a sweep', rule: 4, mutation: { sweeps: false } },
	{
		title: 'the sweep finds no open jobs',
		rule: 4,
		seed: 3,
		mutation: {
			store: (store) =>
				replaceSpace(store, 'ledger', (space) => ({
					...space,
					members: async (index, page) => (index === OPEN_JOBS ? [] : space.members(index, page)),
				})),
		},
	},
	{
		title: 'receipts are not written',
		rule: 5,
		mutation: editCommits((change) => mapJobs(change, () => ({ settledAt: undefined }))),
	},
	{
		title: 'calls of unknown outcome are refunded',
		rule: 5,
		mutation: editCommits((change) => {
			const receipt = unknownReceipt(change);
			return receipt ? { ...change, add: refundOf(receipt) } : change;
		}),
	},
	{
		title: 'calls of unknown outcome are settled as failed',
		rule: 11,
		mutation: editCommits((change) => {
			const receipt = unknownReceipt(change);
			const settled = mapJobs(change, ({ outcome }) => (outcome === 'unknown' ? { outcome: 'failed', usd: 0 } : {}));
			return receipt ? { ...settled, add: refundOf(receipt) } : settled;
		}),
	},
	{
		title: 'calls that were cancelled after they were sent are refunded',
		rule: 11,
		mutation: { patch: cancelledCallsAreRefunded },
		seed: 19,
	},
	{
		title: 'failed calls are refunded to the present window',
		rule: 6,
		seed: 2,
		mutation: editCommits((change, now) => {
			const today = new Date(now()).toISOString();
			const toPresent = (key = '') => key.replace(/\d[\d-]+(?=$|\.)/, (window) => today.slice(0, window.length));
			return mapAdd(change, (step) => [
				step.by < 0 ? { ...step, key: toPresent(step.key), field: toPresent(step.field) } : step,
			]);
		}),
	},
	{
		title: 'failed calls are not refunded',
		rule: 6,
		seed: 2,
		mutation: editCommits((change) => mapAdd(change, (step) => (step.by < 0 ? [] : [step]))),
	},
	{
		title: 'a refund gives back each call twice',
		rule: 6,
		seed: 65,
		mutation: editCommits((change) => {
			const isRefund = change.put?.some(({ value }) => (value as Partial<Receipt>).refundedAt !== undefined);
			return mapAdd(change, (step) => [isRefund && step.by < 0 ? { ...step, by: 2 * step.by } : step]);
		}),
	},
	{
		title: 'a grant allows more calls than it says',
		rule: 1,
		seed: 10_668,
		mutation: replaceKeyv('ledger', 'get', (get) => async (key: string) => {
			const entry = (await get(key)) as { settings?: Settings } | undefined;
			const more = (granted = 0) => granted && granted * 20;
			const grants = entry?.settings?.grants.map((one) => ({ ...one, images: more(one.images), usd: more(one.usd) }));
			return entry && grants ? { ...entry, settings: { ...entry.settings, grants } } : entry;
		}),
	},
	{
		title: 'messages that are waiting for an answer are not found',
		rule: 7,
		seed: 10,
		mutation: {
			platform: (platform) => ({
				...platform,
				find: async () => undefined,
				channel: async () => undefined,
			}),
		},
	},
	{
		title: 'the further messages of a result are not recognized by their keys',
		rule: 8,
		seed: 40,
		mutation: {
			platform: (platform) => ({
				...(replaceChannel((channel) => ({
					...channel,
					post: (reply, key, options) => channel.post(reply, FURTHER_MESSAGES.test(key) ? rename(key) : key, options),
				})).platform?.(platform) ?? platform),
				find: async (handle) => (FURTHER_MESSAGES.test(handle.key) ? undefined : platform.find(handle)),
			}),
		},
	},
	{
		title: 'recovery posts only the first message of a result',
		rule: 8,
		seed: 54,
		mutation: replaceChannel((channel) => ({
			...channel,
			post: async (reply, key, options) =>
				FURTHER_MESSAGES.test(key)
					? { handle: { place: channel.place, key }, edit: async () => {}, delete: async () => {} }
					: channel.post(reply, key, options),
		})),
	},
	{
		title: 'an entry of the moderation log has a different key each time',
		rule: 9,
		seed: 2,
		mutation: replaceChannel((channel) => {
			if (channel.place.channel !== LOG_CHANNEL) return channel;
			return { ...channel, post: (reply, key, options) => channel.post(reply, rename(key), options) };
		}),
	},
	{
		title: 'finished pictures are not kept',
		rule: 9,
		seed: 16,
		mutation: {
			store: (store) =>
				replaceSpace(store, 'pictures', (space) => ({ ...space, files: { ...space.files, put: async () => {} } })),
		},
	},
	{
		title: 'blocked members and banned words are ignored',
		rule: 10,
		seed: 58,
		mutation: replaceKeyv('ledger', 'get', (get) => async (key: string) => {
			const entry = (await get(key)) as { settings?: object } | undefined;
			return entry?.settings ? { ...entry, settings: { ...entry.settings, blocked: [], bannedWords: [] } } : entry;
		}),
	},
	{
		title: 'a call is reserved with outdated settings',
		rule: 10,
		seed: 18,
		mutation: editCommits((change) =>
			mapAdd(change, (step) => (step.by === 0 && step.key.startsWith('version:') ? [] : [step])),
		),
	},
	{
		title: 'pictures of a reviewed channel are shown at once',
		rule: 15,
		seed: 2,
		mutation: { patch: reviewedPicturesAreShownAtOnce },
	},
	{
		title: 'a decision is not carried out after a crash',
		rule: 15,
		seed: 178,
		mutation: { patch: decisionsAreNotResumed },
	},
	{ title: 'calls go on while they are paused', rule: 16, seed: 3, mutation: { patch: pausesAreIgnored } },
	{
		title: 'a request that has waited in line goes on while calls are paused',
		rule: 16,
		seed: 3,
		mutation: { patch: pausesAreFoundBeforeTheLineOnly },
	},
];
