import { copyFileSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import keyvTestSuite, { keyvIteratorTests } from '@keyv/test-suite';
import { Keyv } from 'keyv';
import * as vitest from 'vitest';
import { sharedStoreContract } from '../../test/contract/store.ts';
import { KeyvStorage } from './keyv-storage.ts';
import { openStore } from './open-store.ts';
import { openSqlite } from './sqlite.ts';
import { type Space, StoreError } from './store.ts';
import type { TableDoor } from './table.ts';

const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } = vitest;

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
	let door: TableDoor;
	beforeAll(async () => {
		door = await openSqlite(path);
	});
	afterAll(async () => {
		await door.close();
		rmSync(dirname(path), { recursive: true });
	});

	keyvTestSuite(vitest, Keyv, () => new KeyvStorage(door));
	keyvIteratorTests(vitest, Keyv, () => new KeyvStorage(door));

	test('sets many in one step, and says that it did', async () => {
		const keyv = new Keyv({ store: new KeyvStorage(door), namespace: 'many' });
		const values = await keyv.setMany([
			{ key: 'a', value: 1 },
			{ key: 'b', value: 2, ttl: 60_000 },
		]);
		expect(values).toEqual([true, true]);
		expect(await keyv.hasMany(['a', 'b', 'c'])).toEqual([true, true, false]);
	});

	test('gives the room of expired entries back', async () => {
		const rows = () => new DatabaseSync(path).prepare("SELECT key FROM entries WHERE key LIKE 'room:%'").all();
		const keyv = () => new Keyv({ store: new KeyvStorage(door), namespace: 'room' });
		await keyv().set('old', 1, 1);
		await expect.poll(() => keyv().has('old'), { interval: 1 }).toBe(false);
		await keyv().set('new', 1, 60_000);
		expect(rows().map((row) => row['key'])).toEqual(['room:new']);
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

	test("is its owner's alone, with all that lies beside it", () => {
		for (const file of [path, `${path}-wal`, `${path}-shm`]) expect(statSync(file).mode & 0o777).toBe(0o600);
	});

	test('that is gone is not begun anew, and works again once it is back', async () => {
		renameSync(path, `${path}.away`);
		await fails();
		renameSync(`${path}.away`, path);
		expect(await add()).toBe('done');
		expect(await space.keyv.get('c')).toBe(2);
	});

	test('whose folder is gone works again once it is back', async () => {
		renameSync(dirname(path), `${dirname(path)}.away`);
		await fails();
		renameSync(`${dirname(path)}.away`, dirname(path));
		expect(await add()).toBe('done');
		expect(await space.keyv.get('c')).toBe(2);
	});

	test('that was put in its place from a backup is used from then on', async () => {
		new DatabaseSync(path).exec(`VACUUM INTO '${path}.backup'`);
		await add();
		for (const file of [path, `${path}-wal`, `${path}-shm`]) rmSync(file);
		await fails();
		copyFileSync(`${path}.backup`, path);
		expect(await add()).toBe('done');
		expect(await space.keyv.get('c')).toBe(2);
	});

	test("that was put beside another one's log is left alone", async () => {
		new DatabaseSync(path).exec(`VACUUM INTO '${path}.backup'`);
		renameSync(`${path}.backup`, path);
		await fails();
	});

	test('that is empty where there was one before is left alone', async () => {
		for (const file of [path, `${path}-wal`, `${path}-shm`]) rmSync(file);
		writeFileSync(path, '');
		await fails();
	});

	test('that is spoilt is refused, and works again once it is repaired', async () => {
		await close();
		copyFileSync(path, `${path}.backup`);
		writeFileSync(path, 'not a database'.repeat(1000));
		await expect(openStore(`sqlite:${path}`)).rejects.toThrow('file is not a database');
		copyFileSync(`${path}.backup`, path);
		const store = await openStore(`sqlite:${path}`);
		expect(await store.space('usage').keyv.get('c')).toBe(1);
		await store.close();
	});

	test('of another program is refused untouched', async () => {
		const other = `${path}.other`;
		new DatabaseSync(other).exec('CREATE TABLE theirs (a)');
		await expect(openStore(`sqlite:${other}`)).rejects.toThrow("is not Easel's");
		expect(new DatabaseSync(other).prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'delete' });
	});

	test('of a later version is refused', async () => {
		const other = `${path}.other`;
		new DatabaseSync(other).exec('PRAGMA user_version = 99');
		await expect(openStore(`sqlite:${other}`)).rejects.toThrow('newer version');
	});

	test('that somebody else holds for a while is waited for, and nothing else stands still', async () => {
		const holder = new DatabaseSync(path);
		holder.exec('BEGIN IMMEDIATE');
		const waiting = add();
		expect(await space.keyv.get('c')).toBe(1);
		holder.exec('COMMIT');
		expect(await waiting).toBe('done');
		holder.close();
	});

	test('that somebody else holds too long is refused', async () => {
		const holder = new DatabaseSync(path);
		const door = await openSqlite(path, 20);
		holder.exec('BEGIN IMMEDIATE');
		await expect(door.write(({ set }) => set('k', 'v'))).rejects.toThrow('database is locked');
		holder.exec('COMMIT');
		await door.write(({ set }) => set('k', 'v'));
		expect(await door.read(({ get }) => get('k'))).toBe('v');
		await door.close();
		holder.close();
	});

	test('where there can be none is refused', async () => {
		await expect(openStore(`sqlite:${path}/below/it.db`)).rejects.toThrow("can't be written (ENOTDIR)");
	});
});
