import { isDeepStrictEqual } from 'node:util';
import {
	type Change,
	DAY_MS,
	membersOf,
	personKeysOf,
	remainingMs,
	type Space,
	type Store,
	StoreVersionError,
	timedMember,
} from './store.ts';

/** The version of what this program stores. Raise it whenever the shape of an entry changes, and bring the last one up here. */
export const SCHEMA_VERSION = 8;

const OLDEST_VERSION = 2;

/** The counter in each space that holds its version. In version 1 there was none. */
const VERSION_KEY = 'schema';

const SPACES = ['ledger', 'chats', 'waiting', 'log', 'pictures', 'discord', 'sandbox'];

/** What version 6 kept beside the jobs: requests and offered sentences by their id, and results by `PLATFORM/SERVER/PERSON/ID`. */
const [REQUESTS, RESULTS, OFFERED] = ['requests', 'recent', 'waiting'] as const;

/** What version 7 kept of reviews in the log: results in review, decisions, and that one is to be shown once more. */
const REVIEW_KEYS = ['held:', 'decision:', 'repeat:'];
type Held = { due: number; checkAt: number; card?: string };

/**
 * Brings a store of version 2 to 7 to this version. It can be interrupted at any time and started again, also in several processes at once;
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
	const version = (await versionOf(ledger)) ?? SCHEMA_VERSION;
	if (version < 7) {
		await openLateJobs(ledger);
		for await (const [key] of ledger.list('')) {
			const change = CHANGES.find(({ prefix }) => key.startsWith(prefix));
			if (change) await changeEntry(ledger, key, (value) => change.of(value, { key, store, retentionMs }));
		}
		for (const name of [REQUESTS, RESULTS]) await store.space(name).keyv.clear();
		await listThreads(store.space('sandbox'), retentionMs);
	}
	if (version < 8) await joinReviews(store);
	for (const name of SPACES) await setVersion(store.space(name));
	await ledger.keyv.delete(UPGRADES);
	return oldest;
}

/** Version 8 has the review of a call's pictures in its job, and an index of when to look at it. A review had ended once it was not held. */
async function joinReviews({ space }: Store): Promise<void> {
	const [ledger, log] = [space('ledger'), space('log')];
	for (const prefix of REVIEW_KEYS)
		for await (const [stored] of log.list(prefix)) {
			const id = stored.slice(prefix.length);
			const key = `job:${id}`;
			const keys = REVIEW_KEYS.map((each) => each + id);
			await changeEntry(ledger, key, async (job) => {
				const [held, decision] = await log.keyv.getMany<Held>(keys);
				if (!held && !decision) return undefined;
				const checkAt = held && decision ? 0 : held?.checkAt;
				const review = { due: held?.due ?? 0, checkAt, card: held?.card, decision };
				const ttlMs = remainingMs((await ledger.keyv.getRaw(key))?.expires);
				return {
					put: [{ key, value: { ...Object(job), review }, ttlMs }],
					index: checkAt === undefined ? [] : [{ index: 'reviews', member: timedMember(checkAt, id) }],
					remove: keys.map((each) => ({ space: 'log', key: each })),
				};
			});
			await log.keyv.delete(stored);
		}
}

/** The sandbox lists the threads of a channel, newest first. Before, each was an entry, and the number of its last message another one. */
async function listThreads({ keyv, list, commit }: Space, retentionMs: number): Promise<void> {
	const threads: { id: string; channel: string; last: number; at: number }[] = [];
	for await (const [key, value] of list('thread:')) {
		const thread = value as { id: string; channel: string };
		const { expires } = (await keyv.getRaw(key)) ?? {};
		const { last = 0 } = (await keyv.get<{ last: number }>(`thread-tally:${thread.id}`)) ?? {};
		threads.push({ ...thread, last, at: (expires ?? Date.now() + retentionMs) - retentionMs });
	}
	for (const [channel, of] of Map.groupBy(threads, (thread) => thread.channel)) {
		const key = `threads:${channel}`;
		const value = of.sort((one, other) => other.at - one.at);
		const remove = of.flatMap(({ id }) => [`thread:${id}`, `thread-tally:${id}`]);
		await commit({ once: key, put: [{ key, value, ttlMs: retentionMs }], remove });
	}
}

/** Returns the oldest and the newest version of what a store contains, without changing it; none for an empty store. */
export async function storedVersions(store: Store): Promise<[oldest: number, newest: number] | []> {
	const all = await Promise.all(SPACES.map((name) => versionOf(store.space(name))));
	const versions = all.filter((each) => each !== undefined);
	return versions.length > 0 ? [Math.min(...versions), Math.max(...versions)] : [];
}

/** Returns undefined for a space without entries and files. */
async function versionOf(space: Space): Promise<number | undefined> {
	const stored = (await space.keyv.get<number>(VERSION_KEY)) ?? 0;
	if (stored > 0) return stored;
	for await (const [key] of space.list('')) if (key !== VERSION_KEY) return 1;
	return (await space.files.names('')).length > 0 ? 1 : undefined;
}

async function setVersion({ keyv, commit }: Space): Promise<void> {
	const stored = (await keyv.get<number>(VERSION_KEY)) ?? 0;
	if (stored < SCHEMA_VERSION)
		await commit({ add: [{ key: VERSION_KEY, by: SCHEMA_VERSION - stored, atMost: SCHEMA_VERSION }] });
}

/** Counters outlast their month by so much. */
const MARGIN_MS = 3 * DAY_MS;

const MICROS_PER_MILL = 1000;

/** Counts the entries that were changed, so that each is changed once, by one process. */
const UPGRADES = 'sums:upgrade';

/** Changes an entry that is there, unless another process has done it. @param changeOf returns undefined for one that was changed */
async function changeEntry(
	ledger: Space,
	key: string,
	changeOf: (value: unknown) => Promise<Change | undefined> | Change | undefined,
): Promise<void> {
	for (;;) {
		const [changes = 0, value] = await ledger.keyv.getMany<unknown>([UPGRADES, key]);
		const change = value === undefined ? undefined : await changeOf(value);
		if (!change) return;
		const fences = [
			// Once another process has finished, and works with the entries, a commit of this one is refused.
			{ key: VERSION_KEY, by: 0, atMost: SCHEMA_VERSION - 1 },
			{ key: UPGRADES, by: 1, atMost: Number(changes) + 1 },
		];
		const result = await ledger.commit({ ...change, add: [...fences, ...(change.add ?? [])] });
		if (result === 'done' || (typeof result === 'object' && result.refused === VERSION_KEY)) return;
	}
}

type Entry = { key: string; store: Store; retentionMs: number };
type EntryChange = (value: unknown, entry: Entry) => Promise<Change | undefined> | Change | undefined;

const removed: EntryChange = (_, { key }) => ({ remove: [key] });

/** How entries of the ledger are changed, of any version, by the beginning of their keys. */
const CHANGES: readonly { prefix: string; of: EntryChange }[] = [
	...['job:', 'receipt:'].map((prefix) => ({ prefix, of: joinedCall })),
	...['count:', 'chat:', 'cost:'].map((prefix) => ({ prefix, of: joinedCounter })),
	{ prefix: 'used:cost:', of: inMicros },
	{ prefix: 'total:', of: countedTotal },
	{ prefix: 'totals:', of: changeOfTotals },
	...['step:', 'renewals:', 'summed:', 'owner:', 'gate:', 'closed:', 'claim:'].map((prefix) => ({
		prefix,
		of: removed,
	})),
];

/** What jobs, receipts and requests of version 6 have in common. The person of a job that has ended is empty. */
type Call = { id: string; at: number; place: { platform: string; server: string }; person: Person };
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
async function joinedCall(call: unknown, { store, retentionMs }: Entry): Promise<Change | undefined> {
	const { id, place } = call as Call;
	const { keyv } = store.space('ledger');
	const { platform, server } = place;
	const [key, receiptKey] = [`job:${id}`, `receipt:${platform}:${server}:${id}`];
	const [rawJob, rawReceipt] = await keyv.getManyRaw<unknown>([key, receiptKey]);
	const job = rawJob?.value as Job | undefined;
	const counted = await countedReceipt(keyv, rawReceipt?.value as EarlierReceipt | undefined, retentionMs);
	const receipt = counted?.receipt ?? (rawReceipt?.value as Receipt | undefined);
	const asked = await store.space(REQUESTS).keyv.get<Call & { command: string }>(id);
	const person = personOf(receipt?.person, job?.person, asked?.person);
	const resultKey = `${platform}/${server}/${person.id}/${id}`;
	const result = await store.space(RESULTS).keyv.get<{ handle: unknown }>(resultKey);

	const offered = await store.space(OFFERED).keyv.get<object>(`answer:${id}`);
	const { command: _, place: __, person: ___, ...request } = asked ?? {};
	const joined = {
		...{ step: 0, claims: 0, process: '', message: { place, key: id }, state: 'delivered' },
		...(job && named(job)),
		...receipt,
		...costOf({ ...job, ...receipt }),
		...{ cost: undefined, person },
		...(asked && { request, shown: result?.handle }),
		...(offered && { answer: { kind: 'sentence', ...offered } }),
	};
	const value = JSON.parse(JSON.stringify(joined)) as typeof joined;
	if (isDeepStrictEqual(value, job)) return undefined;
	const expiring = rawReceipt ?? rawJob ?? {};
	const ttlMs = counted?.ttlMs ?? remainingMs(expiring.expires);
	return {
		add: counted?.add,
		put: [{ key, value, ttlMs: value.state === 'delivered' ? ttlMs : undefined }],
		index: [...(counted?.index ?? []), ...callMembers((receipt ?? job) as Call, person, retentionMs)],
		remove: [
			receiptKey,
			{ space: REQUESTS, key: id },
			{ space: RESULTS, key: resultKey },
			{ space: OFFERED, key: `answer:${id}` },
		],
	};
}

const REVIEW_MS = 30 * 24 * 3600_000;

/** Version 3 finds the calls of a person, and what is kept about them, by an index. */
const callMembers = ({ id, at, place: { platform, server } }: Call, person: Person, retentionMs: number) =>
	person.id === ''
		? []
		: [
				{
					index: `calls:${platform}:${person.id}`,
					member: timedMember(at, `${server} ${id}`),
					ttlMs: retentionMs + REVIEW_MS,
				},
			];

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
		key.startsWith('cost:') ? [`usd:beyond:${key.slice('cost:'.length)}`, by * MICROS_PER_MILL] : [key, by],
	);
	return { debits: counted, usd: usd ?? cost * MICROS_PER_MILL };
}

/** What is spent beyond the plan is counted in micro-USD, beside the other counters of a server. Before, an entry of its own counted mills. */
function inMicros(value: unknown, { key, retentionMs }: Entry): Change {
	const [, owner = '', year, month] = /^used:cost:(.*):(\d{4})-(\d\d)$/s.exec(key) ?? [];
	const end = Date.UTC(Number(year), Number(month), 1) + MARGIN_MS;
	const ttlMs = Math.max(DAY_MS, end + retentionMs - Date.now());
	const entry = `used:count:${owner}:server:${year}-${month}`;
	const add = Object.entries(value as Record<string, number>).map(([window, mills]) => ({
		...{ key: entry, field: `${window}.beyond.usd`, by: mills * MICROS_PER_MILL, ttlMs },
	}));
	return { add, remove: [key] };
}

const FIGURES = ['calls', 'pictures', 'failed', 'unknown', 'usd', 'input', 'output'];

type Additions = Required<Pick<Change, 'add' | 'index'>>;

/** Returns the change that adds calls with these figures to a total. */
function addedTo(index: string, member: string, figures: readonly number[]): Additions {
	const add = FIGURES.map((field, at) => ({ key: `${index}:${member}`, field, by: figures[at] ?? 0 }));
	return { add, index: [{ index, member }] };
}

/** Before, the name of a total ended in the figures of its calls, in mills, and its entry counted how many had these. */
function countedTotal(value: unknown, { key }: Entry): Change | undefined {
	if (typeof value !== 'number') return undefined;
	const [index, member] = [key.slice(0, key.lastIndexOf(':')), key.slice(key.lastIndexOf(':') + 1)];
	const [person, day, command, figures = ''] = member.split(' ');
	const counted = figures
		.split('.')
		.map((figure, at) => Number(figure) * value * (FIGURES[at] === 'usd' ? MICROS_PER_MILL : 1));
	return { ...addedTo(index, [person, day, command].join(' '), counted), remove: [key], unindex: [{ index, member }] };
}

/** What version 3 stored of a settled call. Opening receipts have no command. */
type EarlierReceipt = Call & {
	day?: string;
	command: string;
	what?: 'chat';
	outcome: 'succeeded' | 'failed' | 'unknown';
	pictures: number;
	cost: number;
	tokens?: Tokens;
};
type Tokens = { input: number; output: number };

/** What version 3 stored of the calls of a member by day and command, once their receipts were deleted. */
type DayTotal = Record<'calls' | 'pictures' | 'failed' | 'unknown' | 'cost', number> & {
	person: string;
	day: string;
	command: string;
	tokens?: Tokens;
};

/**
 * Version 5 has the counters of an owner and a month in one entry, the operator's of a server beside the server's own. A job counts its steps
 * itself, and a lease its renewals.
 */
async function joinedCounter(value: unknown, { key, store, retentionMs }: Entry): Promise<Change> {
	const [, owner = '', window = '', year, month, day] = /^(.*):((\d{4})-(\d\d)(?:-(\d\d))?[.\d]*)$/s.exec(key) ?? [];
	const entry = `used:${owner}:${year}-${month}`;
	const remove = [key];
	if (key.startsWith('cost:')) return { ...inMicros({ [window]: value }, { key: entry, store, retentionMs }), remove };
	// When it was to expire tells for how long receipts were stored.
	const { expires } = (await store.space('ledger').keyv.getRaw(key)) ?? {};
	const endOfMonth = Date.UTC(Number(year), Number(month), 1);
	const end = day === undefined ? endOfMonth : Date.UTC(Number(year), Number(month) - 1, Number(day) + 1);
	const expiresAt = endOfMonth + (expires ? expires - end : MARGIN_MS + retentionMs);
	const operator = 'count:operator:server:';
	const [of, field] = owner.startsWith(operator)
		? [`used:count:${owner.slice(operator.length)}:server:${year}-${month}`, `${window}.utc`]
		: [entry, window];
	return { add: [{ key: of, field, by: Number(value), ttlMs: Math.max(DAY_MS, expiresAt - Date.now()) }], remove };
}

/** Version 4 has the jobs whose pictures may still come among the open ones. */
async function openLateJobs(ledger: Space): Promise<void> {
	for await (const member of membersOf(ledger, 'late'))
		await ledger.commit({ index: [{ index: 'open', member }], unindex: [{ index: 'late', member }] });
}

/**
 * Version 4 counts calls in permanent totals when they are settled, and its receipts expire. Before, receipts that were about to be deleted
 * were added up into totals of another form. Returns undefined for a receipt that was counted before.
 */
async function countedReceipt(keyv: Space['keyv'], receipt: EarlierReceipt | undefined, retentionMs: number) {
	if (!receipt || receipt.day !== undefined) return undefined;
	const { id, at, place, command, what, outcome, pictures, cost, tokens } = receipt;
	const day = await dayAt(keyv, place, at);
	const erasures = await keyv.getMany<{ id: string; at: number }>(
		personKeysOf({ ...place, id: receipt.person.id }).map((person) => `erased:${person}`),
	);
	const erasure = erasures.find((each) => each !== undefined && at <= each.at);
	const person = erasure ? { id: erasure.id, name: '' } : receipt.person;
	const month = new Date(at).toISOString().slice(0, 7);
	const isReported = command !== '' && (what !== 'chat' || tokens) && !(erasure && place.server.startsWith('user:'));
	const isCall = Number(what !== 'chat');
	const failed = isCall * Number(outcome === 'failed');
	const figures = {
		...{ calls: isCall - failed, failed, unknown: isCall * Number(outcome === 'unknown') },
		...{ pictures: isCall * pictures, cost: isCall * cost, tokens },
	};
	const { add, index } = totalsOf(place, isReported ? [{ person: person.id, day, command, ...figures }] : []);
	const found = { index: `receipts:${month}:${place.platform}:${place.server}`, member: timedMember(at, id) };
	return {
		add,
		index: [{ ...found, ttlMs: retentionMs }, ...index],
		receipt: { ...receipt, person, day } as Receipt,
		ttlMs: Math.max(DAY_MS, at + retentionMs - Date.now()),
	};
}

/** Returns the day of a server at a time, in the zone that held then. */
async function dayAt(keyv: Space['keyv'], { platform, server }: Call['place'], at: number): Promise<string> {
	type Zone = { timeZone: string; previousZone?: { timeZone: string; until: number } };
	const stored = await keyv.get<{ settings: Zone }>(`settings:${platform}:${server}`);
	const { timeZone, previousZone } = stored?.settings ?? { timeZone: 'UTC' };
	const zone = previousZone && at < previousZone.until ? previousZone.timeZone : timeZone;
	return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDate().toString();
}

/** Returns undefined for totals that were changed before. */
function changeOfTotals(value: unknown, { key }: Entry): Change | undefined {
	const totals = value as readonly DayTotal[];
	const [first] = totals;
	if (!first) return undefined;
	// The key ends in the month and the member. Ids of servers and members may contain a colon.
	const index = key.slice(0, -first.person.length - 1);
	const [, platform = '', ...server] = index.slice(0, index.lastIndexOf(':')).split(':');
	const change = totalsOf({ platform, server: server.join(':') }, totals);
	return { ...change, remove: [key], unindex: [{ index, member: first.person }] };
}

function totalsOf({ platform, server }: Call['place'], totals: readonly DayTotal[]): Additions {
	const changes = totals.map(({ person, day, command, calls, pictures, failed, unknown, cost, tokens }) => {
		const member = [encodeURIComponent(person), day, encodeURIComponent(command)].join(' ');
		const { input = 0, output = 0 } = tokens ?? {};
		const figures = [calls, pictures, failed, unknown, cost * MICROS_PER_MILL, input, output];
		return addedTo(`total:${platform}:${server}:${day.slice(0, 7)}`, member, figures);
	});
	return { add: changes.flatMap(({ add }) => add), index: changes.flatMap(({ index }) => index) };
}
