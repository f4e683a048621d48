import { isDeepStrictEqual } from 'node:util';
import { DAY_MS, remainingMs } from './collection.ts';
import { type Change, type Space, type Store, StoreVersionError } from './store.ts';

/** The version of what this program stores. Raise it whenever the shape of an entry changes, and bring the last one up here. */
export const SCHEMA_VERSION = 7;

/** The oldest version that is brought up. */
const OLDEST_VERSION = 5;

/** The counter in each space that holds its version. In version 1 there was none. */
const VERSION_KEY = 'schema';

/** The spaces that have a version. */
const SPACES = ['ledger', 'chats', 'waiting', 'log', 'pictures', 'discord', 'sandbox'];

/** What version 6 kept beside the jobs: requests by their id, and results by `PLATFORM/SERVER/PERSON/ID`. */
const [REQUESTS, RESULTS] = ['requests', 'recent'] as const;

/**
 * Brings a store of version 5 or 6 to this version. It can be interrupted at any time and started again, also in several processes at once;
 * processes of earlier versions must have been stopped.
 *
 * @param options.retentionMs how long prompts, pictures, chats and names are kept
 * @returns the version that the store had
 * @throws StoreVersionError when a newer version of Easel has written the store, or one that is too old; nothing is changed then
 */
export async function migrate(store: Store, { retentionMs }: { retentionMs: number }): Promise<number> {
	const [oldest = SCHEMA_VERSION, newest = oldest] = await storedVersions(store);
	if (newest > SCHEMA_VERSION)
		throw new StoreVersionError('The store was written by a newer version of Easel. Start that version.');
	if (oldest < OLDEST_VERSION)
		throw new StoreVersionError(
			`The store has version ${oldest}, which Easel no longer reads. Set it to a new, empty store.`,
		);
	const ledger = store.space('ledger');
	if (((await versionOf(ledger)) ?? SCHEMA_VERSION) < SCHEMA_VERSION) {
		for await (const [key] of ledger.list('')) {
			const change = CHANGES.find(({ prefix }) => key.startsWith(prefix));
			if (change) await changeOnce(ledger, key, (value) => change.of(value, { key, store, retentionMs }));
		}
		for (const name of [REQUESTS, RESULTS]) await store.space(name).keyv.clear();
	}
	for (const name of SPACES) await setVersion(store.space(name));
	await ledger.keyv.delete(UPGRADES);
	return oldest;
}

/** Returns the oldest and the newest version of what a store contains, without changing it; none for an empty store. */
export async function storedVersions(store: Store): Promise<[oldest: number, newest: number] | []> {
	const versions = (await Promise.all(SPACES.map((name) => versionOf(store.space(name))))).filter(
		(each) => each !== undefined,
	);
	return versions.length > 0 ? [Math.min(...versions), Math.max(...versions)] : [];
}

/** Returns undefined for a space without entries and files. */
async function versionOf(space: Space): Promise<number | undefined> {
	const stored = (await space.keyv.get<number>(VERSION_KEY)) ?? 0;
	if (stored > 0) return stored;
	for await (const [key] of space.list('')) if (key !== VERSION_KEY) return 1;
	return (await space.files.names('')).length > 0 ? 1 : undefined;
}

async function setVersion(space: Space): Promise<void> {
	const stored = (await space.keyv.get<number>(VERSION_KEY)) ?? 0;
	const change = { key: VERSION_KEY, by: SCHEMA_VERSION - stored, atMost: SCHEMA_VERSION };
	if (stored < SCHEMA_VERSION) await space.commit({ add: [change] });
}

/** Counts the entries that were changed, so that each is changed once, by one process. */
const UPGRADES = 'sums:upgrade';

/** Changes an entry, unless another process has done it. @param changeOf returns undefined for one that was changed before */
async function changeOnce(
	ledger: Space,
	key: string,
	changeOf: (value: unknown) => Promise<Change | undefined> | Change | undefined,
): Promise<void> {
	for (;;) {
		const changes = (await ledger.keyv.get<number>(UPGRADES)) ?? 0;
		const value = await ledger.keyv.get<unknown>(key);
		const change = value === undefined ? undefined : await changeOf(value);
		if (!change) return;
		const fences = [
			// Once another process has finished, and works with the entries, a commit of this one is refused.
			{ key: VERSION_KEY, by: 0, atMost: SCHEMA_VERSION - 1 },
			{ key: UPGRADES, by: 1, atMost: changes + 1 },
		];
		const result = await ledger.commit({ ...change, add: [...fences, ...(change.add ?? [])] });
		if (result === 'done' || (typeof result === 'object' && result.refused === VERSION_KEY)) return;
	}
}

type Entry = { key: string; store: Store; retentionMs: number };

/** How entries of the ledger are changed, by the beginning of their keys. */
const CHANGES: readonly {
	prefix: string;
	of(value: unknown, entry: Entry): Promise<Change | undefined> | Change | undefined;
}[] = [
	{ prefix: 'job:', of: (job, { store }) => joinedCall(store, job as Call) },
	{ prefix: 'receipt:', of: (receipt, { store }) => joinedCall(store, receipt as Call) },
	{ prefix: 'total:', of: countedTotal },
	{ prefix: 'used:cost:', of: inMicros },
	...['gate:', 'closed:', 'claim:'].map((prefix) => ({
		prefix,
		of: (_: unknown, { key }: Entry) => ({ remove: [key] }),
	})),
];

/** What jobs, receipts and requests of version 6 have in common. The person of a job that has ended is empty. */
type Call = { id: string; place: { platform: string; server: string }; person: Person };
type Person = { id: string; name: string; locale?: string };

/** What calls were taken from and have cost: version 5 counted what was spent beyond the plan in mills. */
type Cost = { debits?: readonly [key: string, by: number][]; usd?: number; cost?: number };
type Receipt = Call & Cost;

/** In version 5, the outcome of a settled call was its state, and `answer` was its message. */
type Job = Call & Cost & { state: string; step?: number; message?: unknown; answer?: unknown };

/**
 * Returns the change that makes one entry of what earlier versions kept of a call: its job, its receipt, its request and its result. A settled
 * job of version 5 is `sent`, with an outcome: whoever takes it over finds its answer.
 */
async function joinedCall(store: Store, { id, place }: Call): Promise<Change | undefined> {
	const { keyv } = store.space('ledger');
	const { platform, server } = place;
	const [key, receiptKey] = [`job:${id}`, `receipt:${platform}:${server}:${id}`];
	const [rawJob, rawReceipt] = await keyv.getManyRaw<unknown>([key, receiptKey]);
	const [job, receipt] = [rawJob?.value as Job | undefined, rawReceipt?.value as Receipt | undefined];
	const asked = await store.space(REQUESTS).keyv.get<Call & { command: string }>(id);
	const person = personOf(receipt?.person, job?.person, asked?.person);
	const resultKey = `${platform}/${server}/${person.id}/${id}`;
	const result = await store.space(RESULTS).keyv.get<{ handle: unknown }>(resultKey);

	const { command: _, place: __, person: ___, ...request } = asked ?? {};
	const joined = {
		...{ step: 0, claims: 0, process: '', message: { place, key: id }, state: 'delivered' },
		...(job && named(job)),
		...receipt,
		...costOf({ ...job, ...receipt }),
		...{ cost: undefined, person },
		...(asked && { request, shown: result?.handle }),
	};
	const value = JSON.parse(JSON.stringify(joined)) as typeof joined;
	if (isDeepStrictEqual(value, job)) return undefined;
	const expiring = rawReceipt ?? rawJob ?? {};
	const ttlMs = value.state === 'delivered' ? remainingMs({ expires: expiring.expires ?? undefined }) : undefined;
	return {
		put: [{ key, value, ttlMs }],
		remove: [receiptKey, { space: REQUESTS, key: id }, { space: RESULTS, key: resultKey }],
	};
}

/** A receipt tells who has erased their data, and the request in which language they are answered. */
function personOf(...known: (Person | undefined)[]): Person {
	const all = known.filter((person) => person && person.id !== '');
	const [first = { id: '', name: '' }] = all;
	return { ...first, locale: all.find((person) => person?.id === first.id && person.locale)?.locale };
}

function named({ state, answer, message, ...job }: Job) {
	if (message !== undefined) return { ...job, state, answer, message };
	const isSettled = ['succeeded', 'failed', 'unknown'].includes(state);
	const isOpen = isSettled || state === 'reserved' || state === 'sent';
	return { ...job, message: answer, state: isSettled ? 'sent' : isOpen ? state : 'delivered' };
}

function costOf({ debits = [], usd, cost = 0 }: Cost): Cost {
	const counted = debits.map(([key, by]): [string, number] =>
		key.startsWith('cost:') ? [`usd:beyond:${key.slice('cost:'.length)}`, by * 1000] : [key, by],
	);
	return { debits: counted, usd: usd ?? cost * 1000 };
}

/** What is spent beyond the plan is counted in micro-USD, beside the other counters of a server. Before, an entry of its own counted mills. */
function inMicros(value: unknown, { key, retentionMs }: Entry): Change {
	const [, owner = '', year, month] = /^used:cost:(.*):(\d{4})-(\d\d)$/s.exec(key) ?? [];
	const end = Date.UTC(Number(year), Number(month), 1) + 3 * DAY_MS;
	const ttlMs = Math.max(DAY_MS, end + retentionMs - Date.now());
	const entry = `used:count:${owner}:server:${year}-${month}`;
	const add = Object.entries(value as Record<string, number>).map(([window, mills]) => ({
		...{ key: entry, field: `${window}.beyond.usd`, by: mills * 1000, ttlMs },
	}));
	return { add, remove: [key] };
}

/** Before, the name of a total ended in the figures of its calls, and its entry counted how many had these. */
function countedTotal(value: unknown, { key }: Entry): Change | undefined {
	if (typeof value !== 'number') return undefined;
	const [index, member] = [key.slice(0, key.lastIndexOf(':')), key.slice(key.lastIndexOf(':') + 1)];
	const [person, day, command, figures = ''] = member.split(' ');
	const counted = [person, day, command].join(' ');
	const fields = ['calls', 'pictures', 'failed', 'unknown', 'usd', 'input', 'output'];
	const add = figures.split('.').map((figure, position) => {
		const field = fields[position] ?? '';
		return { key: `${index}:${counted}`, field, by: Number(figure) * value * (field === 'usd' ? 1000 : 1) };
	});
	return { add, remove: [key], index: [{ index, member: counted }], unindex: [{ index, member }] };
}
