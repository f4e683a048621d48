import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, test } from 'vitest';
import { hasRedis, startRedis } from '../../test/harness/redis.ts';
import { migrate, SCHEMA_VERSION } from './migrate.ts';
import { openStore } from './open-store.ts';
import { type Change, type Space, type Store, StoreError, StoreVersionError, timedMember } from './store.ts';

/** A store that version 1 wrote, stopped while a picture was being made. */
const FIXTURE = new URL('../../test/fixtures/version-1/', import.meta.url);
const WRITTEN_AT = Date.UTC(2026, 10, 22, 18, 10);

/** Entries that had a time to live have the same one left as when the store was written. */
const AGE_MS = Date.now() - WRITTEN_AT;
const renew = (entry: string) =>
	entry.replace(/"expires":(\d+)/, (_, expires) => `"expires":${Number(expires) + AGE_MS}`);

const options = { retentionMs: 30 * 24 * 3600_000 };

let cleanups: (() => Promise<void> | void)[] = [];
afterEach(async () => {
	for (const cleanup of cleanups.reverse()) await cleanup();
	cleanups = [];
});

async function opened(url: string): Promise<Store> {
	const store = await openStore(url);
	cleanups.push(() => store.close());
	return store;
}

function newFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), 'easel-migration-'));
	cleanups.push(() => rmSync(folder, { recursive: true }));
	return folder;
}

async function newRedis() {
	const redis = await startRedis();
	cleanups.push(() => redis.close());
	return redis;
}

async function openSqlite(): Promise<Store> {
	const folder = newFolder();
	cpSync(FIXTURE, folder, { recursive: true });
	const database = new DatabaseSync(join(folder, 'easel.db'));
	const update = database.prepare('UPDATE entries SET entry = ?, expires = ? WHERE key = ?');
	for (const { key, entry, expires } of database.prepare('SELECT * FROM entries WHERE expires > 0').all())
		update.run(renew(String(entry)), Number(expires) + AGE_MS, String(key));
	database.close();
	for (const name of readdirSync(join(folder, 'easel.db-files', 'pictures'))) {
		const path = join(folder, 'easel.db-files', 'pictures', name);
		const file = readFileSync(path);
		file.writeDoubleBE(file.readDoubleBE() + AGE_MS);
		writeFileSync(path, file);
	}
	return opened(`sqlite:${join(folder, 'easel.db')}`);
}

async function openRedis(): Promise<Store> {
	const redis = await newRedis();
	const entries = Object.entries(
		JSON.parse(readFileSync(new URL('redis.json', FIXTURE), 'utf8')) as Record<string, string>,
	);
	await redis.send('MSET', ...entries.flatMap(([key, entry]) => [key, renew(entry)]));
	return opened(redis.url);
}

describe.each([{ name: 'SQLite', open: openSqlite }, ...(hasRedis ? [{ name: 'Redis', open: openRedis }] : [])])(
	'a store of version 1 on $name',
	({ open }) => {
		test('is refused with one sentence, and not changed', async () => {
			const store = await open();
			// A list has no order that is promised.
			const entries = async () => new Map(await Array.fromAsync(store.space('ledger').list('')));
			const before = await entries();
			const sentence = 'The store has version 1, which Easel no longer reads. Set it to a new, empty store.';
			await expect(migrate(store, options)).rejects.toThrow(new StoreVersionError(sentence));
			expect(await entries()).toEqual(before);
		});
	},
);

const place = { platform: 'slack', server: 'T1:x', channel: 'c' };
const message = { place, key: 'posted' };
const KEY = 'receipt:slack:T1:x:';
const COUNTED = [['count:slack:T1:x:server:2026-11', 1]];

/** Writes an open call, one that waits for its answer, an ended one, a chat turn, and one that is known of no more, as version 6 did. */
async function write(store: Store): Promise<void> {
	const ada = { id: 'ada', name: 'Ada' };
	const job = { step: 2, claims: 0, process: 'p', place, message, command: 'imagine', debits: [], usd: 0 };
	const gone = { id: '', name: '' };
	const receipt = {
		place,
		command: 'imagine',
		person: ada,
		outcome: 'succeeded',
		pictures: 2,
		usd: 7,
		debits: COUNTED,
	};
	const settled = { at: 900, settledAt: 950, day: '2026-11-20' };
	const asked = {
		command: 'imagine',
		place,
		person: { ...ada, locale: 'de' },
		options: { prompt: 'a fox' },
		inputs: {},
	};
	const ttlMs = 600_000;
	const opened = { ...job, state: 'sent', person: ada, debits: COUNTED };
	const put = [
		{ key: 'job:open', value: { ...opened, id: 'open', at: 900 } },
		{ key: 'job:told', value: { ...job, id: 'told', state: 'answered', person: ada, outcome: 'succeeded', at: 900 } },
		{ key: `${KEY}told`, value: { ...receipt, ...settled, id: 'told' }, ttlMs },
		{ key: 'job:done', value: { ...job, id: 'done', state: 'delivered', person: gone, at: 900 }, ttlMs: 9 * ttlMs },
		{ key: `${KEY}done`, value: { ...receipt, ...settled, id: 'done' }, ttlMs },
		{ key: `${KEY}old`, value: { ...receipt, ...settled, id: 'old', person: { id: 'erased-1', name: '' } }, ttlMs },
		{ key: 'job:chat', value: { ...job, id: 'chat', what: 'chat', state: 'delivered', person: gone, at: 900 }, ttlMs },
		{ key: 'gate:old', value: true },
		{ space: 'requests', key: 'open', value: asked, ttlMs },
		{ space: 'requests', key: 'done', value: asked, ttlMs },
		{ space: 'waiting', key: 'answer:old', value: { text: 'It failed.', again: true }, ttlMs },
		{ space: 'recent', key: 'slack/T1:x/ada/done', value: { handle: message, prompt: 'a fox', at: 900 }, ttlMs },
	];
	const index = [{ index: 'open', member: 'open' }];
	await store.space('ledger').commit({ put, index, add: [{ key: 'schema', by: 6 }] });
	for (const space of ['requests', 'recent', 'waiting'])
		await store.space(space).commit({ add: [{ key: 'schema', by: 6 }] });
}

const asked = { options: { prompt: 'a fox' }, inputs: {} };

/** What is known of these calls in one entry. */
const JOINED = {
	open: { state: 'sent', step: 2, debits: COUNTED, person: { id: 'ada', name: 'Ada', locale: 'de' }, request: asked },
	told: { state: 'answered', step: 2, outcome: 'succeeded', pictures: 2, usd: 7, debits: COUNTED, settledAt: 950 },
	done: {
		...{ state: 'delivered', outcome: 'succeeded', debits: COUNTED, day: '2026-11-20', request: asked, shown: message },
		person: { id: 'ada', name: 'Ada', locale: 'de' },
	},
	old: {
		...{ state: 'delivered', person: { id: 'erased-1', name: '' }, message: { place, key: 'old' }, debits: COUNTED },
		answer: { kind: 'sentence', text: 'It failed.', again: true },
	},
	chat: { state: 'delivered', what: 'chat', person: { id: '', name: '' }, usd: 0 },
};

describe.each([
	{ name: 'SQLite', open: async () => opened(`sqlite:${join(newFolder(), 'easel.db')}`) },
	...(hasRedis ? [{ name: 'Redis', open: async () => opened((await newRedis()).url) }] : []),
])('a store of version 6 on $name', ({ open }) => {
	const left = async (store: Store) => Array.fromAsync(store.space('ledger').list(''), ([key]) => key);
	const calls = async ({ space }: Store) =>
		Object.fromEntries(
			(await Array.fromAsync(space('ledger').list('job:'))).map(([key, value]) => [key.slice('job:'.length), value]),
		);

	test('has one entry of each call', async () => {
		const store = await open();
		await write(store);
		expect(await migrate(store, options)).toBe(6);
		expect(await calls(store)).toMatchObject(JOINED);
		expect((await left(store)).sort()).toEqual([...Object.keys(JOINED).map((id) => `job:${id}`), 'schema'].sort());
		for (const space of ['requests', 'recent']) expect(await Array.fromAsync(store.space(space).list(''))).toEqual([]);
		const { keyv } = store.space('ledger');
		expect((await keyv.getRaw('job:open'))?.expires).toBeUndefined();
		expect((await keyv.getRaw('job:done'))?.expires).toBeLessThan(Date.now() + 601_000);
		expect(await keyv.get('schema')).toBe(SCHEMA_VERSION);
	});

	test('is the same after a migration that was interrupted, and after two at once', async () => {
		const store = await open();
		await write(store);
		await expect(migrate(failingAfter(store, 3), options)).rejects.toThrow(StoreError);
		await Promise.all([migrate(store, options), migrate(store, options)]);
		expect(await calls(store)).toMatchObject(JOINED);
	});

	test('counts money and totals of version 5 as today', async () => {
		const store = await open();
		const { commit, keyv, members } = store.space('ledger');
		const total = 'total:slack:T1:x:2026-11';
		const figures = ['ada 2026-11-20 imagine 1.2.0.0.30.0.0', 'ada 2026-11-20 imagine 1.4.0.1.0.0.0'];
		const job = { id: '1', at: 1, place, person: { id: 'ada', name: 'Ada' }, state: 'unknown', answer: message };
		await commit({
			put: [
				{ key: 'used:cost:slack:T1:x:2026-11', value: { '2026-11': 60 } },
				{ key: 'job:1', value: { ...job, cost: 30, debits: [['cost:slack:T1:x:2026-11', 30]] } },
			],
			add: [
				{ key: 'schema', by: 5 },
				{ key: `${total}:${figures[0]}`, by: 2 },
				{ key: `${total}:${figures[1]}`, by: 1 },
			],
			index: figures.map((member) => ({ index: total, member })),
		});
		await migrate(store, options);
		expect(await keyv.get('used:count:slack:T1:x:server:2026-11')).toEqual({ '2026-11.beyond.usd': 60_000 });
		const debits = [['usd:beyond:slack:T1:x:2026-11', 30_000]];
		expect(await keyv.get('job:1')).toMatchObject({ step: 0, state: 'sent', message, usd: 30_000, debits });
		expect(await members(total, { limit: 9 })).toEqual(['ada 2026-11-20 imagine']);
		const counted = { calls: 3, pictures: 8, unknown: 1, usd: 60_000 };
		expect(await keyv.get(`${total}:ada 2026-11-20 imagine`)).toEqual(counted);
	});
});

test('a store of version 7 has reviews in their jobs, and looks at them when they are due', async () => {
	const store = await opened('memory:');
	const job = {
		step: 4,
		claims: 0,
		process: 'p',
		place,
		message,
		state: 'delivered',
		person: { id: 'ada', name: 'Ada' },
	};
	const held = (id: string) => ({ job: { id, place, person: job.person }, due: 2000, checkAt: 1000, card: 'log' });
	const decision = { verdict: 'rejected', by: { id: 'mod' }, pictures: 1 };
	const ttlMs = 600_000;
	const jobs = ['waits', 'decided', 'ended', 'other'].map((id) => ({ key: `job:${id}`, value: { ...job, id }, ttlMs }));
	await store.space('ledger').commit({ put: jobs, add: [{ key: 'schema', by: 7 }] });
	const reviews = [
		...['waits', 'decided', 'gone'].map((id) => ({ key: `held:${id}`, value: held(id) })),
		...['decided', 'ended'].map((id) => ({ key: `decision:${id}`, value: decision })),
		{ key: 'repeat:decided', value: true },
	];
	await store.space('log').commit({ put: reviews, add: [{ key: 'schema', by: 7 }] });
	await expect(migrate(failingAfter(store, 1), options)).rejects.toThrow(StoreError);
	await Promise.all([migrate(store, options), migrate(store, options)]);
	const { keyv, members } = store.space('ledger');
	expect(await keyv.get('job:waits')).toMatchObject({ ...job, review: { due: 2000, checkAt: 1000, card: 'log' } });
	expect(await keyv.get('job:decided')).toMatchObject({ review: { due: 2000, checkAt: 0, card: 'log', decision } });
	expect(await keyv.get('job:ended')).toEqual({ ...job, id: 'ended', review: { due: 0, decision } });
	expect(await keyv.get('job:other')).toEqual({ ...job, id: 'other' });
	expect((await keyv.getRaw('job:waits'))?.expires).toBeLessThan(Date.now() + ttlMs + 1000);
	expect(await members('reviews', { limit: 9 })).toEqual([timedMember(0, 'decided'), timedMember(1000, 'waits')]);
	expect(await Array.fromAsync(store.space('log').list(''), ([key]) => key)).toEqual(['schema']);
});

test('a store without entries has the present version at once', async () => {
	const store = await opened('memory:');
	expect(await migrate(store, options)).toBe(SCHEMA_VERSION);
	expect(await store.space('ledger').keyv.get('schema')).toBe(SCHEMA_VERSION);
	expect(await migrate(store, options)).toBe(SCHEMA_VERSION);
});

test('a store of a newer version is refused, and not changed', async () => {
	const store = await opened('memory:');
	await store
		.space('ledger')
		.commit({ add: [{ key: 'schema', by: SCHEMA_VERSION + 1 }], put: [{ key: 'open:1', value: true }] });
	await expect(migrate(store, options)).rejects.toThrow(StoreVersionError);
	expect(await store.space('ledger').keyv.has('open:1')).toBe(true);
});

test('a process that is still migrating changes nothing once another one has finished', async () => {
	const store = await opened('memory:');
	await write(store);
	const { promise: isHeld, resolve: release } = Promise.withResolvers<void>();
	const { promise: isReached, resolve: reached } = Promise.withResolvers<void>();
	const slow = withCommit(store, async (space, change) => {
		if (change.put?.some(({ key }) => key === 'job:done')) {
			reached();
			await isHeld;
		}
		return space.commit(change);
	});
	const late = migrate(slow, options);
	await isReached;
	await migrate(store, options);
	await store.space('ledger').keyv.delete('job:done');
	release();
	await late;
	expect(await store.space('ledger').keyv.has('job:done')).toBe(false);
});

type Commit = (space: Space, change: Change) => ReturnType<Space['commit']>;

const withCommit = (store: Store, commit: Commit): Store => ({
	...store,
	space(name) {
		const space = store.space(name);
		return { ...space, commit: (change) => commit(space, change) };
	},
});

/** Returns a store that accepts so many commits. */
function failingAfter(store: Store, commits: number): Store {
	let left = commits;
	return withCommit(store, async (space, change) => {
		left -= 1;
		if (left < 0) throw new StoreError('The store is gone.');
		return space.commit(change);
	});
}
