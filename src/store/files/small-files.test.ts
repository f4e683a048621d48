import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { openSqlite } from '../sqlite/sqlite-database.ts';
import { FolderFiles } from './folder-files.ts';
import { SmallFiles } from './small-files.ts';

describe('small files', () => {
	let folder: string;
	let database: Database;
	let files: SmallFiles;
	beforeEach(async () => {
		folder = mkdtempSync(join(tmpdir(), 'easel-files-'));
		database = await openSqlite(join(folder, 'easel.db'));
		files = new SmallFiles(database, 'pictures', new FolderFiles(join(folder, 'pictures')));
	});
	afterEach(async () => {
		await database.close();
		rmSync(folder, { recursive: true });
	});

	const small = new Uint8Array(64 * 1024).fill(7);
	const large = new Uint8Array(64 * 1024 + 1).fill(8);
	const inFolder = () => readdirSync(join(folder, 'pictures')).filter((name) => !name.startsWith('.'));

	test('are entries of the database, and larger ones are files in the folder', async () => {
		await files.put('large', large);
		await files.put('small', small);
		expect(inFolder()).toEqual([Buffer.from('large').toString('hex')]);
		expect(await files.get('small')).toEqual(Buffer.from(small));
		expect(await files.get('large')).toEqual(Buffer.from(large));
		expect((await files.names()).sort()).toEqual(['large', 'small']);
	});

	test.each([
		['a larger file', small, large],
		['a smaller file', large, small],
	])('are replaced by %s', async (_, first, second) => {
		await files.put('a', first, Date.now() + 60_000);
		await files.put('a', second);
		expect(await files.get('a')).toEqual(Buffer.from(second));
		expect(await files.expiryOf('a')).toBeUndefined();
		expect(await files.names()).toEqual(['a']);
		expect(await files.delete('a')).toBe(true);
		expect(await files.get('a')).toBeUndefined();
		expect(await files.delete('a')).toBe(false);
	});

	test('disappear when they expire, of whatever size they are', async () => {
		const expires = Date.now() + 60_000;
		await files.put('small', small, expires);
		expect(await files.expiryOf('small')).toBe(expires);
		for (const [name, bytes] of Object.entries({ small, large })) await files.put(name, bytes, Date.now() - 1);
		for (const name of ['small', 'large']) {
			expect(await files.get(name)).toBeUndefined();
			expect(await files.delete(name)).toBe(false);
		}
		expect(await files.names()).toEqual([]);
	});

	test('belong to their space', async () => {
		await files.put('small', small);
		const others = new SmallFiles(database, 'uploads', new FolderFiles(join(folder, 'uploads')));
		expect(await others.get('small')).toBeUndefined();
		expect(await others.names()).toEqual([]);
	});
});
