import { copyFileSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import keyvTestSuite, { keyvIteratorTests } from '@keyv/test-suite';
import { Keyv } from 'keyv';
import * as vitest from 'vitest';
import { sharedStoreContract, storeContract } from '../../test/contract/store.ts';
import { type Backend, NO_CHANGE } from './backend.ts';
import { KeyvAdapter, openStore } from './open-store.ts';
import { openSqlite } from './sqlite.ts';
import { type Space, StoreError } from './store.ts';

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
	let backend: Backend;
	beforeAll(async () => {
		backend = await openSqlite(path);
	});
	afterAll(async () => {
		await backend.close();
		rmSync(dirname(path), { recursive: true });
	});

	keyvTestSuite(vitest, Keyv, () => new KeyvAdapter(backend));
	keyvIteratorTests(vitest, Keyv, () => new KeyvAdapter(backend));

	test('sets many entries, and returns true for each', async () => {
		const keyv = new Keyv({ store: new KeyvAdapter(backend), namespace: 'many' });
		const values = await keyv.setMany([
			{ key: 'a', value: 1 },
			{ key: 'b', value: 2, ttl: 60_000 },
		]);
		expect(values).toEqual([true, true]);
		expect(await keyv.hasMany(['a', 'b', 'c'])).toEqual([true, true, false]);
	});

	test('deletes expired entries', async () => {
		const rows = () => new DatabaseSync(path).prepare("SELECT key FROM entries WHERE key LIKE 'expiring:%'").all();
		const keyv = () => new Keyv({ store: new KeyvAdapter(backend), namespace: 'expiring' });
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

	test('is read as it is at one moment, while another process writes', async () => {
		const store = await openStore(`sqlite:${path}`);
		const { keyv } = store.space('ledger');
		await Promise.all([keyv.set('one', 0), keyv.set('two', 0)]);
		const writer = new Worker(
			`const { workerData } = require('node:worker_threads');
			const database = new (require('node:sqlite').DatabaseSync)(workerData, { timeout: 10_000 });
			const write = database.prepare("UPDATE entries SET entry = replace(entry, ?, ?) WHERE key LIKE '%one' OR key LIKE '%two'");
			for (let at = 0; ; at = 1 - at) write.run(String(at), String(1 - at));`,
			{ eval: true, workerData: path },
		);
		const seen = new Set<string>();
		for (let read = 0; read < 3000 || seen.size < 2; read++) seen.add((await keyv.getMany(['one', 'two'])).join());
		await writer.terminate();
		await store.close();
		expect([...seen].sort()).toEqual(['0,0', '1,1']);
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
		const impatient = await openSqlite(path, 20);
		const change = { ...NO_CHANGE, put: [{ key: 'k', entry: 'v' }] };
		holder.exec('BEGIN IMMEDIATE');
		await expect(impatient.commit(change)).rejects.toThrow('database is locked');
		holder.exec('COMMIT');
		await impatient.commit(change);
		expect(await impatient.get(['k'])).toEqual(['v']);
		await impatient.close();
		holder.close();
	});

	test('is refused when it cannot be created', async () => {
		await expect(openStore(`sqlite:${path}/below/it.db`)).rejects.toThrow('cannot be written (ENOTDIR)');
	});
});

test('moves small files, which earlier versions have stored as entries, to the folder', async () => {
	const path = join(folder(), 'easel.db');
	onTestFinished(() => rmSync(dirname(path), { recursive: true }));
	const backend = await openSqlite(path);
	const expires = Date.now() + 60_000;
	const entry = (bytes: string, expiry = {}) =>
		JSON.stringify({ value: Buffer.from(bytes).toString('base64'), ...expiry });
	const put = [
		{ key: 'small-files:pictures:kept:1', entry: entry('fox', { expires }), expires },
		{ key: 'small-files:uploads:2', entry: entry('owl') },
	];
	await backend.commit({ ...NO_CHANGE, put });
	await backend.close();

	const store = await openStore(`sqlite:${path}`);
	onTestFinished(() => store.close());
	expect(await store.space('pictures').files.get('kept:1')).toEqual(Buffer.from('fox'));
	expect(await store.space('pictures').files.names('')).toEqual(['kept:1']);
	expect(await store.space('uploads').files.get('2')).toEqual(Buffer.from('owl'));
	expect(await Array.fromAsync(store.space('small-files').list(''))).toEqual([]);
	expect(await (await openSqlite(path)).files.get('pictures', 'kept:1')).toMatchObject({ expires });
});

storeContract('memory:', async () => {
	const store = await openStore('memory:');
	return { store, cleanup: () => store.close() };
});

test('opens a separate store each time', async () => {
	const [one, other] = await Promise.all([openStore('memory:'), openStore('memory:')]);
	await one.space('a').commit({ once: 'x' });
	expect(await other.space('a').commit({ once: 'x' })).toBe('done');
});
