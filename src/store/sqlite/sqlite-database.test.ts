import { copyFileSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import keyvTestSuite, { keyvIteratorTests } from '@keyv/test-suite';
import { Keyv } from 'keyv';
import * as vitest from 'vitest';
import { sharedStoreContract } from '../../../test/contract/store.ts';
import type { Database } from '../database/database.ts';
import { KeyvAdapter } from '../database/keyv-adapter.ts';
import { openStore } from '../open-store.ts';
import { type Space, StoreError } from '../store.ts';
import { openSqlite } from './sqlite-database.ts';

const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } = vitest;

const folder = () => mkdtempSync(join(tmpdir(), 'easel-store-'));

sharedStoreContract('sqlite:', async () => {
	const path = join(folder(), 'made', 'too', 'easel.db');
	const url = `sqlite:${path}`;
	const store = await openStore(url);
	const cleanup = async () => {
		await store.close();
		rmSync(join(dirname(path), '..', '..'), { recursive: true });
	};
	return { store, url, cleanup };
});

describe('keyv on SQLite', () => {
	const path = join(folder(), 'keyv.db');
	let database: Database;
	beforeAll(async () => {
		database = await openSqlite(path);
	});
	afterAll(async () => {
		await database.close();
		rmSync(dirname(path), { recursive: true });
	});

	keyvTestSuite(vitest, Keyv, () => new KeyvAdapter(database));
	keyvIteratorTests(vitest, Keyv, () => new KeyvAdapter(database));

	test('sets many entries, and returns true for each', async () => {
		const keyv = new Keyv({ store: new KeyvAdapter(database), namespace: 'many' });
		const values = await keyv.setMany([
			{ key: 'a', value: 1 },
			{ key: 'b', value: 2, ttl: 60_000 },
		]);
		expect(values).toEqual([true, true]);
		expect(await keyv.hasMany(['a', 'b', 'c'])).toEqual([true, true, false]);
	});

	test('deletes expired entries', async () => {
		const rows = () => new DatabaseSync(path).prepare("SELECT key FROM entries WHERE key LIKE 'expiring:%'").all();
		const keyv = () => new Keyv({ store: new KeyvAdapter(database), namespace: 'expiring' });
		for (let number = 0; number < 100; number += 1) await keyv().set(`old ${number}`, 1, 1);
		onTestFinished(() => void vi.useRealTimers());
		vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 120_000 });
		// More than one write deletes.
		for (const key of ['new 1', 'new 2']) await keyv().set(key, 1, 60_000);
		expect(rows().map((row) => row['key'])).toEqual(['expiring:new 1', 'expiring:new 2']);
	});
});

describe('an SQLite file', () => {
	let path: string;
	let space: Space;
	let close: () => Promise<void>;
	beforeEach(async () => {
		path = join(folder(), 'easel.db');
		const store = await openStore(`sqlite:${path}`);
		space = store.space('usage');
		close = () => store.close();
		await space.commit({ add: [{ key: 'c', by: 1 }] });
	});
	afterEach(async () => {
		await close();
		rmSync(dirname(path), { recursive: true, force: true });
	});

	const add = () => space.commit({ add: [{ key: 'c', by: 1 }] });
	const fails = async () => {
		await expect(add()).rejects.toThrow(StoreError);
		await expect(space.keyv.get('c')).rejects.toThrow(StoreError);
		await expect(space.keyv.set('c', 0)).rejects.toThrow(StoreError);
	};

	test('can be read by its owner only, with the files beside it', () => {
		for (const file of [path, `${path}-wal`, `${path}-shm`]) expect(statSync(file).mode & 0o777).toBe(0o600);
	});

	test('is not created again when it is missing, and works once it is back', async () => {
		renameSync(path, `${path}.away`);
		await fails();
		renameSync(`${path}.away`, path);
		expect(await add()).toBe('done');
		expect(await space.keyv.get('c')).toBe(2);
	});

	test('works again once its missing folder is back', async () => {
		renameSync(dirname(path), `${dirname(path)}.away`);
		await fails();
		renameSync(`${dirname(path)}.away`, dirname(path));
		expect(await add()).toBe('done');
		expect(await space.keyv.get('c')).toBe(2);
	});

	test('is used from then on when it was restored from a backup', async () => {
		new DatabaseSync(path).exec(`VACUUM INTO '${path}.backup'`);
		await add();
		for (const file of [path, `${path}-wal`, `${path}-shm`]) rmSync(file);
		await fails();
		copyFileSync(`${path}.backup`, path);
		expect(await add()).toBe('done');
		expect(await space.keyv.get('c')).toBe(2);
	});

	test('is refused when it was replaced but its log was not', async () => {
		new DatabaseSync(path).exec(`VACUUM INTO '${path}.backup'`);
		renameSync(`${path}.backup`, path);
		await fails();
	});

	test('is refused when it is empty and was not before', async () => {
		for (const file of [path, `${path}-wal`, `${path}-shm`]) rmSync(file);
		writeFileSync(path, '');
		await fails();
	});

	test('is refused when it is corrupt, and works once it is repaired', async () => {
		await close();
		copyFileSync(path, `${path}.backup`);
		writeFileSync(path, 'not a database'.repeat(1000));
		await expect(openStore(`sqlite:${path}`)).rejects.toThrow('file is not a database');
		copyFileSync(`${path}.backup`, path);
		const store = await openStore(`sqlite:${path}`);
		expect(await store.space('usage').keyv.get('c')).toBe(1);
		await store.close();
	});

	test('of another program is refused and not changed', async () => {
		const other = `${path}.other`;
		new DatabaseSync(other).exec('CREATE TABLE theirs (a)');
		await expect(openStore(`sqlite:${other}`)).rejects.toThrow("is not Easel's");
		expect(new DatabaseSync(other).prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'delete' });
	});

	test('of a newer version is refused', async () => {
		const other = `${path}.other`;
		new DatabaseSync(other).exec('PRAGMA user_version = 99');
		await expect(openStore(`sqlite:${other}`)).rejects.toThrow('newer version');
	});

	test('is waited for while another process has locked it, and reads go on', async () => {
		const holder = new DatabaseSync(path);
		holder.exec('BEGIN IMMEDIATE');
		const waiting = add();
		expect(await space.keyv.get('c')).toBe(1);
		holder.exec('COMMIT');
		expect(await waiting).toBe('done');
		holder.close();
	});

	test('is refused when it stays locked for too long', async () => {
		const holder = new DatabaseSync(path);
		const database = await openSqlite(path, 20);
		holder.exec('BEGIN IMMEDIATE');
		await expect(database.write(({ set }) => set('k', 'v'))).rejects.toThrow('database is locked');
		holder.exec('COMMIT');
		await database.write(({ set }) => set('k', 'v'));
		expect(await database.read(({ get }) => get('k'))).toBe('v');
		await database.close();
		holder.close();
	});

	test('is refused when it cannot be created', async () => {
		await expect(openStore(`sqlite:${path}/below/it.db`)).rejects.toThrow('cannot be written (ENOTDIR)');
	});
});

describe('a write to SQLite', () => {
	let path: string;
	let database: Database;
	/** The syncs of the log that have begun. */
	let syncs: PromiseWithResolvers<void>[];
	let isDiskFast: boolean;
	beforeEach(async () => {
		path = join(folder(), 'easel.db');
		syncs = [];
		isDiskFast = false;
		vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
		database = await openSqlite(path, undefined, async () => {
			if (isDiskFast) return;
			const sync = Promise.withResolvers<void>();
			syncs.push(sync);
			await sync.promise;
		});
	});
	afterEach(async () => {
		vi.useRealTimers();
		isDiskFast = true;
		for (const { resolve } of syncs) resolve();
		await database.close();
		rmSync(dirname(path), { recursive: true });
	});

	const until = async (condition: () => boolean | Promise<boolean>) => {
		while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
	};
	const set = (key: string, lazy?: boolean) => database.write((table) => table.set(key, 'entry'), lazy);
	const has = (key: string) => database.read((table) => table.get(key) !== undefined);

	test('is answered once it is on the disk, and others see it before', async () => {
		const answered = vi.fn();
		const writing = set('a').then(answered);
		await until(() => syncs.length === 1);
		expect(await has('a')).toBe(true);
		expect(answered).not.toHaveBeenCalled();
		syncs[0]?.resolve();
		await writing;
		expect(answered).toHaveBeenCalled();
	});

	test('shares its wait for the disk with all that are made during the one before', async () => {
		const first = set('a');
		await until(() => syncs.length === 1);
		const others = [set('b'), set('c')];
		await until(() => has('c'));
		const last = set('d');
		await until(() => has('d'));
		expect(syncs).toHaveLength(1);
		syncs[0]?.resolve();
		await first;
		await until(() => syncs.length === 2);
		syncs[1]?.resolve();
		await Promise.all([...others, last]);
		expect(syncs).toHaveLength(2);
	});

	test('is refused when the disk fails, and the next one tries again', async () => {
		const failed = expect(set('a')).rejects.toThrow(`The database file ${path}-wal cannot be written (EIO).`);
		await until(() => syncs.length === 1);
		syncs[0]?.reject(Object.assign(new Error('broken'), { code: 'EIO' }));
		await failed;
		const next = set('b');
		await until(() => syncs.length === 2);
		syncs[1]?.resolve();
		await next;
	});

	test('that is lazy is answered at once, and is on the disk soon', async () => {
		await set('a', true);
		expect(syncs).toEqual([]);
		vi.advanceTimersByTime(1000);
		await until(() => syncs.length === 1);
	});

	test('that is lazy is on the disk with the next one that waits', async () => {
		await set('a', true);
		const waiting = set('b');
		await until(() => syncs.length === 1);
		syncs[0]?.resolve();
		await waiting;
		vi.advanceTimersByTime(1000);
		expect(syncs).toHaveLength(1);
	});
});
