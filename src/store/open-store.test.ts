import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { canMount, mountSmallDisk } from '../../test/harness/small-disk.ts';
import { openStore } from './open-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'easel-open-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
	['sqlite:', relative(process.cwd(), join(folder, 'a', 'relative.db'))],
	['sqlite:', join(folder, 'b', 'absolute.db')],
	['sqlite://', relative(process.cwd(), join(folder, 'slashes.db'))],
	['sqlite://', join(folder, 'three slashes.db')],
	['SQLite:', join(folder, 'file:odd?mode=memory #%.db')],
])('opens the file of %s%s', async (scheme, path) => {
	const store = await openStore(scheme + path);
	await store.ping();
	await store.close();
	expect(existsSync(path)).toBe(true);
});

const MALFORMED_REDIS =
	'The address of the store is invalid. Write it as redis://USER:PASSWORD@HOST:PORT/DATABASE, or with rediss:// for TLS, ' +
	'and percent-encode characters such as / # ? @ : in user and password.';

const UNSUPPORTED =
	'The address of the store is not supported. Supported are sqlite:PATH, redis://HOST, rediss://HOST and memory:.';

test.each([
	['redis:', MALFORMED_REDIS],
	['redis:localhost', MALFORMED_REDIS],
	['redis://user:hunter2@', MALFORMED_REDIS],
	['redis://user:hunter#2@localhost', MALFORMED_REDIS],
	['redis://user:123#4@localhost', MALFORMED_REDIS],
	['redis://user:123/4@localhost', MALFORMED_REDIS],
	['rediss://user:hunter?2@localhost', MALFORMED_REDIS],
	['rediss://user:hunter%2@localhost', MALFORMED_REDIS],
	['redis://localhost/first', MALFORMED_REDIS],
	['redis://localhost:70000', MALFORMED_REDIS],
	['postgres://user:hunter2@localhost', UNSUPPORTED],
	['constructor:x', UNSUPPORTED],
	['data/easel.db', UNSUPPORTED],
	['', UNSUPPORTED],
	['sqlite:', 'The address of the store lacks a path. Write it as sqlite:PATH.'],
	['sqlite::memory:', 'The address of the store is invalid. A store in memory is written as memory:, without sqlite.'],
	[`sqlite:${folder}`, `The database file ${folder} cannot be written (EISDIR).`],
])('rejects %s with one sentence', async (url, message) => {
	await expect(openStore(url)).rejects.toThrow(expect.objectContaining({ name: 'StoreError', message }));
});

test.runIf(canMount)(
	'on a full disk rejects writes, and its check fails; reads go on, and so does everything once there is space',
	async () => {
		const disk = mountSmallDisk();
		onTestFinished(disk.close);
		const store = await openStore(`sqlite:${disk.folder}/easel.db`);
		onTestFinished(() => store.close());
		const { commit, keyv, files } = store.space('usage');
		await commit({ once: 'before' });
		await files.put('before', Buffer.from('picture'));

		disk.fill();
		await expect(commit({ once: 'x' })).rejects.toThrow('database or disk is full');
		await expect(files.put('x', new Uint8Array(100_000))).rejects.toThrow('(ENOSPC)');
		await expect(store.ping()).rejects.toThrow('ENOSPC');
		expect(await keyv.has('before')).toBe(true);
		expect(await files.get('before')).toEqual(Buffer.from('picture'));
		expect(readdirSync(disk.folder, { recursive: true })).not.toContainEqual(expect.stringContaining('unfinished'));

		disk.free();
		await store.ping();
		expect(await commit({ once: 'x' })).toBe('done');
		expect(await keyv.has('before')).toBe(true);
	},
);
