import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, test } from 'vitest';
import { hasRedis, startRedis } from '../../../test/fakes/redis.ts';
import { callsOf } from '../../usage/jobs.ts';
import { openStore } from '../open-store.ts';
import { type Change, NewerStoreError, type Space, type Store, StoreError } from '../store.ts';
import { migrate, SCHEMA_VERSION } from './migrate.ts';
import type { MigrationOptions } from './migration.ts';

/** A store that version 1 wrote, stopped while a picture was being made. */
const FIXTURE = new URL('../../../test/fixtures/version-1/', import.meta.url);
const WRITTEN_AT = Date.UTC(2026, 10, 22, 18, 10);

/** Entries that had a time to live have the same one left as when the store was written. */
const AGE_MS = Date.now() - WRITTEN_AT;
const renew = (entry: string) =>
	entry.replace(/"expires":(\d+)/, (_, expires) => `"expires":${Number(expires) + AGE_MS}`);

const options: MigrationOptions = { retentionMs: 30 * 24 * 3600_000, now: Date.now };

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

describe.each([
	{ name: 'SQLite', open: openSqlite, hasFiles: true },
	...(hasRedis ? [{ name: 'Redis', open: openRedis, hasFiles: false }] : []),
])('a store of version 1 on $name', ({ open, hasFiles }) => {
	const contentsOf = async (store: Store) => {
		const spaces = ['ledger', 'chats', 'recent', 'waiting', 'requests', 'log'].map(async (name) => {
			const entries = await Array.fromAsync(store.space(name).list(''));
			return [name, Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))];
		});
		return Object.fromEntries(await Promise.all(spaces)) as Record<string, Record<string, unknown>>;
	};

	test('keeps everything, and everything is found by indexes', async () => {
		const store = await open();
		const before = await contentsOf(store);
		expect(await migrate(store, options)).toBe(1);
		const after = await contentsOf(store);
		const kinds = (contents: Record<string, unknown>, kind: string) =>
			Object.fromEntries(Object.entries(contents).filter(([key]) => key.startsWith(`${kind}:`)));
		for (const kind of ['settings', 'version', 'audit', 'count', 'chat'])
			expect(kinds(after['ledger'] ?? {}, kind)).toEqual(kinds(before['ledger'] ?? {}, kind));
		const receipts = Object.entries(kinds(before['ledger'] ?? {}, 'receipt')) as [
			string,
			{ takings: { key: string; by: number }[] },
		][];
		const renamed = receipts.map(([key, { takings, ...receipt }]) => [
			key,
			{ ...receipt, debits: takings.map(({ key, by }) => [key, by]) },
		]);
		expect(kinds(after['ledger'] ?? {}, 'receipt')).toEqual(Object.fromEntries(renamed));
		expect(kinds(after['chats'] ?? {}, 'entry')).toEqual(kinds(before['chats'] ?? {}, 'entry'));
		const { schema: _, ...requests } = after['requests'] ?? {};
		expect(requests).toEqual(before['requests']);

		const ledger = store.space('ledger');
		const [openJob, ...others] = await ledger.members('open', { limit: 9 });
		expect(others).toEqual([]);
		expect(await ledger.keyv.get(`job:${openJob}`)).toMatchObject({
			...{ state: 'sent', command: 'imagine', claims: 0 },
			debits: Array(4).fill([expect.stringMatching(/^count:discord:/), 1]),
		});
		const [month] = await ledger.members('months', { limit: 9 });
		expect(await ledger.members(`receipts:${month}`, { limit: 9 })).toHaveLength(6);
		const [thread] = Object.values(kinds(after['chats'] ?? {}, 'thread')) as { place: Record<string, string> }[];
		const { platform, server, channel, thread: id } = thread?.place ?? {};
		expect(await store.space('chats').members(`threads:${platform}:${server}`, { limit: 9 })).toEqual([
			expect.stringMatching(`:${channel}:${id}$`),
		]);
		expect(await store.space('chats').keyv.get(`next:${platform}:${server}:${channel}:${id}`)).toBe(2);
		const owners = new Set(Object.keys(before['recent'] ?? {}).map((key) => key.slice(0, key.lastIndexOf('/'))));
		const recent = await Promise.all([...owners].map((owner) => store.space('recent').members(owner, { limit: 9 })));
		expect(recent.flat()).toHaveLength(3);
		const [receipt] = Object.values(kinds(after['ledger'] ?? {}, 'receipt')) as { person: { id: string } }[];
		const calls = await Array.fromAsync(callsOf(ledger, 'discord', receipt?.person.id ?? ''));
		expect(calls.map(({ id }) => id)).toContain(openJob);
		if (hasFiles) expect(await store.space('pictures').files.names('input:')).toHaveLength(1);
	});

	test('lets everything expire that has ended', async () => {
		const store = await open();
		await migrate(store, options);
		const { keyv, list } = store.space('ledger');
		const lasting = [];
		for await (const [key] of list('')) if (!(await keyv.getRaw(key))?.expires) lasting.push(key.split(':')[0]);
		const openJob = ['job'];
		expect(lasting.sort()).toEqual([...openJob, ...Array(6).fill('receipt'), 'schema', 'settings', 'version'].sort());
	});

	test('keeps the home servers of people on Discord for a year, and their languages for the retention time', async () => {
		const store = await open();
		await migrate(store, options);
		const { keyv, list } = store.space('discord');
		const daysLeft = async (prefix: string) => {
			const keys = (await Array.fromAsync(list(prefix))).map(([key]) => key);
			const raw = await Promise.all(keys.map((key) => keyv.getRaw(key)));
			return raw.map((entry) => Math.round(((entry?.expires ?? 0) - Date.now()) / (24 * 3600_000)));
		};
		expect(await daysLeft('home:')).toEqual([366, 366]);
		expect(await daysLeft('locale:')).toEqual([30, 30]);
	});

	test('is the same after a migration that was interrupted at any commit, and after two at once', async () => {
		const expected = await open();
		await migrate(expected, options);
		const whole = await contentsOf(expected);
		const withoutTime = (contents: unknown) => JSON.stringify(contents).replace(/"since":\d+/g, '');

		for (let commits = 0; ; commits += 1) {
			const store = await open();
			const failed = await migrate(failingAfter(store, commits), options).catch((error: unknown) => error);
			if (!(failed instanceof Error)) break;
			expect(failed).toBeInstanceOf(StoreError);
			await Promise.all([migrate(store, options), migrate(store, options)]);
			expect(withoutTime(await contentsOf(store))).toBe(withoutTime(whole));
		}
		expect(await migrate(expected, options)).toBe(SCHEMA_VERSION);
		expect(await contentsOf(expected)).toEqual(whole);
	});
});

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

test('the messages and files of a sandbox are dropped, and its settings stay', async () => {
	const store = await opened('memory:');
	const { keyv, list } = store.space('sandbox');
	for (const key of ['settings', 'message:atelier-general:1', 'tally:atelier-general', 'file:a', 'chunk:a:0'])
		await keyv.set(key, 'written by version 1');
	await migrate(store, options);
	expect((await Array.fromAsync(list(''))).map(([key]) => key).sort()).toEqual(['schema', 'settings']);
});

test('a store of a newer version is refused, and not changed', async () => {
	const store = await opened('memory:');
	await store
		.space('ledger')
		.commit({ add: [{ key: 'schema', by: SCHEMA_VERSION + 1 }], put: [{ key: 'open:1', value: true }] });
	await expect(migrate(store, options)).rejects.toThrow(NewerStoreError);
	expect(await store.space('ledger').keyv.has('open:1')).toBe(true);
});

test('a process that is still migrating changes nothing once another one has finished', async () => {
	const store = await opened('memory:');
	await store.space('ledger').commit({ put: [{ key: 'gate:1', value: true }] });
	let release = () => {};
	const isHeld = new Promise<void>((resolve) => {
		release = resolve;
	});
	let reached = () => {};
	const isReached = new Promise<void>((resolve) => {
		reached = resolve;
	});
	const slow = withCommit(store, async (space, change) => {
		if (change.put?.some(({ key }) => key === 'gate:1')) {
			reached();
			await isHeld;
		}
		return space.commit(change);
	});
	const late = migrate(slow, options);
	await isReached;
	await migrate(store, options);
	await store.space('ledger').commit({ remove: ['gate:1'] });
	release();
	await late;
	expect(await store.space('ledger').keyv.has('gate:1')).toBe(false);
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
