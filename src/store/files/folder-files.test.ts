import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../../test/harness/eventually.ts';
import { StoreError } from '../store.ts';
import { FolderFiles } from './folder-files.ts';

describe('files in a folder', () => {
	let folder: string;
	beforeEach(() => {
		folder = mkdtempSync(join(tmpdir(), 'easel-files-'));
	});
	afterEach(() => rmSync(folder, { recursive: true, force: true }));
	const bytes = Uint8Array.from([1, 2, 3]);
	const listed = (path: string) => readdirSync(path).filter((name) => !name.startsWith('.'));
	const toHex = (name: string) => Buffer.from(name).toString('hex');
	/** Writes files that expired a moment ago, as another process has left them. */
	function writeExpired(names: readonly string[]): void {
		const header = Buffer.alloc(8);
		header.writeDoubleBE(Date.now() - 1);
		for (const name of names) writeFileSync(join(folder, toHex(name)), header);
	}

	test('are visible to other users of the folder', async () => {
		await new FolderFiles(folder).put('kept:1', bytes);
		expect(await new FolderFiles(folder).get('kept:1')).toEqual(Buffer.from(bytes));
	});

	test('can be read by their owner only, and leave no temporary file behind', async () => {
		const inner = join(folder, 'made', 'too');
		await new FolderFiles(inner).put('kept:1', bytes);
		const names = listed(inner);
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
		const old = Array.from({ length: 300 }, (_, number) => `old${number}`);
		writeExpired(old);
		const files = new FolderFiles(folder);
		await files.put('new', bytes, Date.now() + 60_000);
		// The call does not wait for that.
		expect(listed(folder).length).toBeGreaterThan(200);
		await eventually(() => expect(listed(folder)).toEqual([toHex('new')]));
		expect(await files.names()).toEqual(['new']);
	});

	test('delete nothing that is not theirs', async () => {
		const foreign = ['.env', 'id_rsa', 'data.csv', 'run.sh.unfinished', `${toHex('a')}.old`, 'deadbeef'];
		for (const name of foreign) writeFileSync(join(folder, name), 'A long text, which is older than now.');
		mkdirSync(join(folder, toHex('folder')));
		symlinkSync(join(folder, '.env'), join(folder, toHex('link')));
		writeExpired(['old']);
		const files = new FolderFiles(folder);
		await files.put('new', bytes);
		await eventually(() => expect(listed(folder)).not.toContain(toHex('old')));
		const all = [...foreign, '.cleaned', toHex('folder'), toHex('link'), toHex('new')];
		expect(readdirSync(folder).sort()).toEqual(all.sort());
		expect(await files.names()).toEqual(['new']);
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
