import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StoreError } from '../store.ts';
import { FolderFiles } from './folder-files.ts';

describe('files in a folder', () => {
	let folder: string;
	beforeEach(() => {
		folder = mkdtempSync(join(tmpdir(), 'easel-files-'));
	});
	afterEach(() => rmSync(folder, { recursive: true, force: true }));
	const bytes = Uint8Array.from([1, 2, 3]);

	test('are visible to other users of the folder', async () => {
		await new FolderFiles(folder).put('kept:1', bytes);
		expect(await new FolderFiles(folder).get('kept:1')).toEqual(Buffer.from(bytes));
	});

	test('can be read by their owner only, and leave no temporary file behind', async () => {
		const inner = join(folder, 'made', 'too');
		await new FolderFiles(inner).put('kept:1', bytes);
		const names = readdirSync(inner);
		expect(names).toHaveLength(1);
		expect(statSync(join(inner, names[0] ?? '')).mode & 0o777).toBe(0o600);
		expect(statSync(inner).mode & 0o777).toBe(0o700);
	});

	test('are not listed while they are unfinished', async () => {
		await new FolderFiles(folder).put('kept:1', bytes);
		writeFileSync(join(folder, `${Buffer.from('kept:2').toString('hex')}.x.unfinished`), 'half');
		expect(await new FolderFiles(folder).get('kept:2')).toBeUndefined();
		expect(await new FolderFiles(folder).names()).toEqual(['kept:1']);
	});

	test('are removed after they have expired', async () => {
		await new FolderFiles(folder).put('old', bytes, Date.now() - 1);
		await new FolderFiles(folder).put('new', bytes, Date.now() + 60_000);
		expect(readdirSync(folder)).toEqual([Buffer.from('new').toString('hex')]);
	});

	test('reject every call with StoreError when the path is not a folder', async () => {
		const path = join(folder, 'file');
		writeFileSync(path, '');
		const files = new FolderFiles(path);
		for (const work of [
			() => files.put('a', bytes),
			() => files.get('a'),
			() => files.delete('a'),
			() => files.names(),
		])
			await expect(work()).rejects.toThrow(StoreError);
		await expect(files.get('a')).rejects.toThrow('cannot be read or written (ENOTDIR)');
	});
});
