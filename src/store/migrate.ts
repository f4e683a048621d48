import { DAY_MS, personKeysOf } from './collection.ts';
import { membersOf, timedMember, timeKey } from './pages.ts';
import { type Change, type IndexMember, type Space, type Store, StoreVersionError } from './store.ts';

/** The version of what this program stores. Raise it whenever the shape of an entry changes, and bring the last one up here. */
export const SCHEMA_VERSION = 6;

/** How many entries are changed by one commit. */
const ENTRIES_PER_COMMIT = 100;

/** The counter in each space that holds its version. In version 1 there was none. */
const VERSION_KEY = 'schema';

/** The spaces that have a version. */
const SPACES = ['ledger', 'chats', 'recent', 'waiting', 'requests', 'log', 'pictures', 'discord', 'sandbox'];

const REVIEW_MS = 30 * 24 * 3600_000;

/** What jobs and receipts of version 2 have in common. A job that has ended, and an opening receipt, have no person. */
type Call = { id: string; at: number; place: { platform: string; server: string }; person: { id: string } };

/**
 * Brings a store of version 2 to 5 to this version. It can be interrupted at any time and started again, also in several processes at once;
 * processes of earlier versions must have been stopped.
 *
 * @param options.retentionMs how long prompts, pictures, chats and names are kept
 * @returns the version that the store had
 * @throws StoreVersionError when a newer version of Easel has written the store, or version 1; nothing is changed then
 */
export async function migrate(store: Store, options: { retentionMs: number }): Promise<number> {
	const [oldest = SCHEMA_VERSION, newest = oldest] = await storedVersions(store);
	if (newest > SCHEMA_VERSION)
		throw new StoreVersionError('The store was written by a newer version of Easel. Start that version.');
	if (oldest < 2)
		throw new StoreVersionError('The store has version 1, which Easel no longer reads. Set it to a new, empty store.');
	const ledger = store.space('ledger');
	const version = (await versionOf(ledger)) ?? SCHEMA_VERSION;
	if (version < 3) await indexCalls(ledger, options.retentionMs);
	if (version < 4) {
		await countCalls(ledger, options.retentionMs);
		await openLateJobs(ledger);
	}
	if (version < 5) {
		await joinCounters(ledger, options.retentionMs);
		await nameMessages(ledger);
	}
	if (version < 6) await countMicros(ledger, options.retentionMs);
	for (const name of SPACES) await setVersion(store.space(name));
	if (version < 6) await ledger.commit({ remove: [UPGRADES] });
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

/** Version 3 finds the calls of a person, and what is kept about them, by an index. */
async function indexCalls(ledger: Space, retentionMs: number): Promise<void> {
	const members: (IndexMember & { ttlMs: number })[] = [];
	// Once another process has finished, and works with the entries, a commit of this one is refused.
	const add = [{ key: VERSION_KEY, by: 0, atMost: SCHEMA_VERSION - 1 }];
	const commit = async () => void (await ledger.commit({ add, index: members.splice(0) }));
	for await (const [key, value] of ledger.list('')) {
		const { id, at, place, person } = (/^(job|receipt):/.test(key) ? value : { person: { id: '' } }) as Call;
		if (person.id === '') continue;
		const index = `calls:${place.platform}:${person.id}`;
		members.push({ index, member: `${timeKey(at)}:${place.server} ${id}`, ttlMs: retentionMs + REVIEW_MS });
		if (members.length >= ENTRIES_PER_COMMIT) await commit();
	}
	await commit();
}

/** What version 3 stored of a settled call. Opening receipts have no command. */
type Receipt = Call & {
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

/** Counts the entries that `countCalls` has changed, so that each is changed once, by one process. */
const UPGRADES = 'sums:upgrade';

/**
 * Version 4 counts calls in permanent totals when they are settled, and its receipts expire. Before, receipts that were about to be deleted
 * were added up into totals of another form.
 */
async function countCalls(ledger: Space, retentionMs: number): Promise<void> {
	for await (const [key] of ledger.list('')) {
		// The owners that version 3 kept beside its jobs go with its sums.
		if (!/^(receipt|totals|summed|owner):/.test(key)) continue;
		await changeOnce(ledger, key, async (value) => {
			if (key.startsWith('receipt:'))
				return changeOfReceipt(ledger, key, value as (Receipt & { day?: string }) | undefined, retentionMs);
			return key.startsWith('totals:') ? changeOfTotals(key, value as DayTotal[] | undefined) : { remove: [key] };
		});
	}
}

/** Changes an entry, unless another process has done it. @param changeOf returns undefined for one that was changed before */
async function changeOnce(
	ledger: Space,
	key: string,
	changeOf: (value: unknown) => Promise<Change | undefined>,
): Promise<void> {
	for (;;) {
		const changes = (await ledger.keyv.get<number>(UPGRADES)) ?? 0;
		const change = await changeOf(await ledger.keyv.get<unknown>(key));
		if (!change) return;
		const fences = [
			{ key: VERSION_KEY, by: 0, atMost: SCHEMA_VERSION - 1 },
			{ key: UPGRADES, by: 1, atMost: changes + 1 },
		];
		const result = await ledger.commit({ ...change, add: [...fences, ...(change.add ?? [])] });
		if (result === 'done' || (typeof result === 'object' && result.refused === VERSION_KEY)) return;
	}
}

/**
 * Version 6 counts what is spent beyond the plan in micro-USD, beside the other counters of a server. Before, an entry of its own counted
 * mills.
 */
async function countMicros(ledger: Space, retentionMs: number): Promise<void> {
	for await (const [key] of ledger.list('used:cost:')) {
		const [, owner = '', year, month] = /^used:cost:(.*):(\d{4})-(\d\d)$/s.exec(key) ?? [];
		const ttlMs = Math.max(DAY_MS, Date.UTC(Number(year), Number(month), 1) + MARGIN_MS + retentionMs - Date.now());
		await changeOnce(ledger, key, async (value) => {
			const spent = Object.entries((value ?? {}) as Record<string, number>);
			const entry = `used:count:${owner}:server:${year}-${month}`;
			const add = spent.map(([window, mills]) => ({
				...{ key: entry, field: `${window}.beyond.usd`, by: mills * 1000, ttlMs },
			}));
			return spent.length > 0 ? { add, remove: [key] } : undefined;
		});
	}
}

/** What earlier versions stored of a job: the outcome of a settled call was its state, and `answer` was its message. */
type EarlierJob = { state: string; message?: unknown; answer?: unknown };

/** A settled job of version 5 is `sent`, with an outcome: whoever takes it over finds its answer. */
async function nameMessages(ledger: Space): Promise<void> {
	for await (const [key, stored] of ledger.list('job:')) {
		if ((stored as EarlierJob).message !== undefined) continue;
		const { value, expires } = (await ledger.keyv.getRaw<EarlierJob>(key)) ?? {};
		if (!value || value.message !== undefined) continue;
		const { state, answer: message, ...job } = value;
		const isSettled = ['succeeded', 'failed', 'unknown'].includes(state);
		const isOpen = isSettled || state === 'reserved' || state === 'sent';
		const named = { step: 0, ...job, message, state: isSettled ? 'sent' : isOpen ? state : 'delivered' };
		const ttlMs = expires ? Math.max(1, expires - Date.now()) : undefined;
		const add = [{ key: VERSION_KEY, by: 0, atMost: SCHEMA_VERSION - 1 }];
		await ledger.commit({ add, put: [{ key, value: named, ttlMs }] });
	}
}

const MARGIN_MS = 3 * DAY_MS;

/**
 * Version 5 has the counters of an owner and a month in one entry, the operator's of a server beside the server's own. A job counts its steps
 * itself, and a lease its renewals.
 */
async function joinCounters(ledger: Space, retentionMs: number): Promise<void> {
	const keys: string[] = [];
	const commit = async () => {
		const joined = keys.splice(0);
		while (joined.length > 0) {
			const changes = (await ledger.keyv.get<number>(UPGRADES)) ?? 0;
			const raw = await ledger.keyv.getManyRaw<number>(joined);
			const add = joined.flatMap((key, index) => {
				const { value, expires } = raw[index] ?? {};
				return typeof value === 'number' && /^(count|chat|cost):/.test(key)
					? [joinedCounter(key, value, expires ?? undefined, retentionMs)]
					: [];
			});
			const fences = [
				{ key: VERSION_KEY, by: 0, atMost: SCHEMA_VERSION - 1 },
				{ key: UPGRADES, by: 1, atMost: changes + 1 },
			];
			const result = await ledger.commit({ add: [...fences, ...add], remove: joined });
			if (result === 'done' || (typeof result === 'object' && result.refused === VERSION_KEY)) return;
		}
	};
	for await (const [key] of ledger.list('')) {
		if (!/^(count|chat|cost|step|renewals):/.test(key)) continue;
		keys.push(key);
		if (keys.length >= ENTRIES_PER_COMMIT) await commit();
	}
	await commit();
}

/** @param expires when the counter was to expire, which tells for how long receipts were stored */
function joinedCounter(key: string, by: number, expires: number | undefined, retentionMs: number) {
	const [, owner = '', window = '', year, month, day] = /^(.*):((\d{4})-(\d\d)(?:-(\d\d))?[.\d]*)$/s.exec(key) ?? [];
	const endOfMonth = Date.UTC(Number(year), Number(month), 1);
	const end = day === undefined ? endOfMonth : Date.UTC(Number(year), Number(month) - 1, Number(day) + 1);
	const expiresAt = endOfMonth + (expires === undefined ? MARGIN_MS + retentionMs : expires - end);
	const operator = 'count:operator:server:';
	const isOfOperator = owner.startsWith(operator);
	const of = isOfOperator ? `count:${owner.slice(operator.length)}:server` : owner;
	return {
		key: `used:${of}:${year}-${month}`,
		field: isOfOperator ? `${window}.utc` : window,
		...{ by, ttlMs: Math.max(DAY_MS, expiresAt - Date.now()) },
	};
}

/** Version 4 has the jobs whose pictures may still come among the open ones. */
async function openLateJobs(ledger: Space): Promise<void> {
	for await (const member of membersOf(ledger, 'late'))
		await ledger.commit({ index: [{ index: 'open', member }], unindex: [{ index: 'late', member }] });
}

/** Returns undefined for a receipt that was counted before. */
async function changeOfReceipt(
	{ keyv }: Space,
	key: string,
	receipt: (Receipt & { day?: string }) | undefined,
	retentionMs: number,
): Promise<Change | undefined> {
	if (!receipt || receipt.day !== undefined) return undefined;
	const { id, at, place, command, what, outcome, pictures, cost, tokens } = receipt;
	const day = await dayAt(keyv, place, at);
	const erasures = await keyv.getMany<{ id: string; at: number }>(
		personKeysOf({ ...place, id: receipt.person.id }).map((person) => `erased:${person}`),
	);
	const erasure = erasures.find((each) => each !== undefined && at <= each.at);
	const person = erasure ? { id: erasure.id, name: '' } : receipt.person;
	const ttlMs = Math.max(DAY_MS, at + retentionMs - Date.now());
	const month = new Date(at).toISOString().slice(0, 7);
	const isReported = command !== '' && (what !== 'chat' || tokens) && !(erasure && place.server.startsWith('user:'));
	const isCall = Number(what !== 'chat');
	const failed = isCall * Number(outcome === 'failed');
	const figures = {
		...{ calls: isCall - failed, failed, unknown: isCall * Number(outcome === 'unknown') },
		...{ pictures: isCall * pictures, cost: isCall * cost, tokens },
	};
	const totals = isReported ? [{ person: person.id, day, command, ...figures }] : [];
	const counted = totalsOf(place, totals);
	return {
		...counted,
		put: [{ key, value: { ...receipt, person, day }, ttlMs }],
		index: [
			{ index: `receipts:${month}:${place.platform}:${place.server}`, member: timedMember(at, id), ttlMs: retentionMs },
			...counted.index,
		],
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
function changeOfTotals(key: string, totals: readonly DayTotal[] | undefined): Change | undefined {
	const [first] = totals ?? [];
	if (!totals || !first) return undefined;
	// The key ends in the month and the member. Ids of servers and members may contain a colon.
	const index = key.slice(0, -first.person.length - 1);
	const [, platform = '', ...server] = index.slice(0, index.lastIndexOf(':')).split(':');
	const change = totalsOf({ platform, server: server.join(':') }, totals);
	return { ...change, remove: [key], unindex: [{ index, member: first.person }] };
}

/** Returns the change that counts totals: one more of calls with these figures. */
function totalsOf(
	{ platform, server }: Call['place'],
	totals: readonly DayTotal[],
): Required<Pick<Change, 'add' | 'index'>> {
	const counted = totals.map(({ person, day, command, calls, pictures, failed, unknown, cost, tokens }) => {
		const figures = [calls, pictures, failed, unknown, cost, tokens?.input ?? 0, tokens?.output ?? 0].join('.');
		const member = [encodeURIComponent(person), day, encodeURIComponent(command), figures].join(' ');
		return { index: `total:${platform}:${server}:${day.slice(0, 7)}`, member };
	});
	return { add: counted.map(({ index, member }) => ({ key: `${index}:${member}`, by: 1 })), index: counted };
}

async function setVersion(space: Space): Promise<void> {
	const stored = (await space.keyv.get<number>(VERSION_KEY)) ?? 0;
	const change = { key: VERSION_KEY, by: SCHEMA_VERSION - stored, atMost: SCHEMA_VERSION };
	if (stored < SCHEMA_VERSION) await space.commit({ add: [change] });
}
