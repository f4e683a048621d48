import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createFolderFiles } from './folder-files.ts';
import { StoreError } from './store.ts';

describe('files in a folder', () => {
	let folder: string;
	beforeEach(() => {
		folder = mkdtempSync(join(tmpdir(), 'easel-files-'));
	});
	afterEach(() => rmSync(folder, { recursive: true, force: true }));
	const bytes = Uint8Array.from([1, 2, 3]);

	test('are found by whoever else uses the folder', async () => {
		await createFolderFiles(folder).put('kept:1', bytes);
		expect(await createFolderFiles(folder).get('kept:1')).toEqual(Buffer.from(bytes));
	});

	test('are for the owner’s eyes alone, and leave nothing unfinished behind', async () => {
		const inner = join(folder, 'made', 'too');
		await createFolderFiles(inner).put('kept:1', bytes);
		const names = readdirSync(inner);
		expect(names).toHaveLength(1);
		expect(statSync(join(inner, names[0] ?? '')).mode & 0o777).toBe(0o600);
		expect(statSync(inner).mode & 0o777).toBe(0o700);
	});

	test('that a process did not live to finish are not there', async () => {
		await createFolderFiles(folder).put('kept:1', bytes);
		writeFileSync(join(folder, `${Buffer.from('kept:2').toString('hex')}.x.unfinished`), 'half');
		expect(await createFolderFiles(folder).get('kept:2')).toBeUndefined();
		expect(await createFolderFiles(folder).names()).toEqual(['kept:1']);
	});

	test('that have expired make room', async () => {
		await createFolderFiles(folder).put('old', bytes, Date.now() - 1);
		await createFolderFiles(folder).put('new', bytes, Date.now() + 60_000);
		expect(readdirSync(folder)).toEqual([Buffer.from('new').toString('hex')]);
	});

	test('in a folder that can’t be one are refused in a sentence', async () => {
		const path = join(folder, 'file');
		writeFileSync(path, '');
		const files = createFolderFiles(path);
		for (const work of [
			() => files.put('a', bytes),
			() => files.get('a'),
			() => files.delete('a'),
			() => files.names(),
		])
			await expect(work()).rejects.toThrow(StoreError);
		await expect(files.get('a')).rejects.toThrow("can't be read or written (ENOTDIR)");
	});
});
