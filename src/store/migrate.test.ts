import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, test } from 'vitest';
import { hasRedis, startRedis } from '../../test/harness/redis.ts';
import { callsOf } from '../usage/jobs.ts';
import { migrate, SCHEMA_VERSION } from './migrate.ts';
import { openStore } from './open-store.ts';
import { type Change, type Space, type Store, StoreError, StoreVersionError } from './store.ts';

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

describe.each([
	{ name: 'SQLite', open: async () => opened(`sqlite:${join(newFolder(), 'easel.db')}`) },
	...(hasRedis ? [{ name: 'Redis', open: async () => opened((await newRedis()).url) }] : []),
])('a store of version 2 on $name', ({ open }) => {
	/** Writes the receipts of 250 members in two servers, and a job that runs, as version 2 did. */
	async function write(store: Store): Promise<void> {
		const { commit } = store.space('ledger');
		const callOf = (id: string, person: string, server: string, at: number) => ({
			...{ id, at, command: 'imagine', place: { platform: 'slack', server, channel: 'c' } },
			...{ person: { id: person, name: person && 'Somebody' }, debits: [], cost: 0 },
		});
		for (let at = 1; at <= 500; at++) {
			const value = { ...callOf(`j${at}`, `u${at % 250}`, `T${at % 2}:x`, at), outcome: 'succeeded', pictures: 1 };
			await commit({ put: [{ key: `receipt:slack:T${at % 2}:x:j${at}`, value }] });
		}
		const put = [
			{ key: 'job:open', value: { ...callOf('open', 'u7', 'T0:x', 900), state: 'sent', process: 'p', claims: 0 } },
			{ key: 'job:done', value: { ...callOf('done', '', 'T0:x', 901), state: 'delivered', process: 'p', claims: 0 } },
		];
		await commit({ put, add: [{ key: 'schema', by: 2 }] });
	}
	const callsIn = async (store: Store) => Array.fromAsync(callsOf(store.space('ledger'), 'slack', 'u7'));
	const expected = ['j7', 'j257', 'open'].map((id) => ({
		...{ platform: 'slack', server: id === 'open' ? 'T0:x' : 'T1:x', person: 'u7', id },
	}));

	test('finds the calls of a person by an index', async () => {
		const store = await open();
		await write(store);
		expect(await callsIn(store)).toEqual([]);
		expect(await migrate(store, options)).toBe(2);
		expect(await callsIn(store)).toEqual(expected);
		expect(await store.space('ledger').keyv.get('schema')).toBe(SCHEMA_VERSION);
	});

	test('has the jobs among the open ones whose pictures may still come, and no owners beside them', async () => {
		const store = await open();
		await write(store);
		const { commit, members, keyv } = store.space('ledger');
		await commit({
			put: [{ key: 'owner:open', value: { process: 'q', claims: 1 } }],
			index: [{ index: 'late', member: 'done' }],
		});
		await migrate(store, options);
		expect(await members('open', { limit: 9 })).toEqual(['done']);
		expect(await members('late', { limit: 9 })).toEqual([]);
		expect(await keyv.get('owner:open')).toBeUndefined();
	});

	test('has jobs as they would be stored today', async () => {
		const store = await open();
		const { commit, keyv } = store.space('ledger');
		const message = { place: { platform: 'slack', server: 'T1', channel: 'c' }, key: 'old' };
		const states = {
			reserved: 'reserved',
			sent: 'sent',
			unknown: 'sent',
			undeliverable: 'delivered',
			held: 'delivered',
		};
		const put = Object.keys(states).map((state) => {
			const job = { id: state, at: 1, place: message.place, person: { id: 'u1', name: 'Ada' }, state, answer: message };
			return { key: `job:${state}`, value: job, ttlMs: 60_000 };
		});
		await commit({ put, add: [{ key: 'schema', by: 2 }] });
		await migrate(store, options);
		for (const [before, state] of Object.entries(states)) {
			const raw = await keyv.getRaw<object>(`job:${before}`);
			expect(raw).toMatchObject({ value: { id: before, state, message, step: 0 }, expires: expect.any(Number) });
			expect(raw?.value).not.toHaveProperty('answer');
		}
	});

	test('is the same after a migration that was interrupted, and after two at once', async () => {
		const store = await open();
		await write(store);
		await expect(migrate(failingAfter(store, 3), options)).rejects.toThrow(StoreError);
		await Promise.all([migrate(store, options), migrate(store, options)]);
		expect(await callsIn(store)).toEqual(expected);
	});
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
	const call = { id: '1', at: 1, place: { platform: 'slack', server: 'T1' }, person: { id: 'u1' } };
	const schema = { key: 'schema', by: 2 };
	await store.space('ledger').commit({ put: [{ key: 'receipt:slack:T1:1', value: call }], add: [schema] });
	const { promise: isHeld, resolve: release } = Promise.withResolvers<void>();
	const { promise: isReached, resolve: reached } = Promise.withResolvers<void>();
	const slow = withCommit(store, async (space, change) => {
		if (change.index?.length) {
			reached();
			await isHeld;
		}
		return space.commit(change);
	});
	const late = migrate(slow, options);
	await isReached;
	await migrate(store, options);
	const index = 'calls:slack:u1';
	const members = await store.space('ledger').members(index, { limit: 9 });
	await store.space('ledger').commit({ unindex: members.map((member) => ({ index, member })) });
	release();
	await late;
	expect(members).toHaveLength(1);
	expect(await store.space('ledger').members(index, { limit: 9 })).toEqual([]);
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
