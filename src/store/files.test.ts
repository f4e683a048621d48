import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { eventually } from '../../test/harness/eventually.ts';
import { FolderFiles, parseFilesAddress } from './files.ts';
import { StoreError } from './store.ts';

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

	test('are cleaned once an hour, with unfinished ones that a crashed process has left', async () => {
		vi.useFakeTimers({ toFake: ['Date'] });
		onTestFinished(() => void vi.useRealTimers());
		writeExpired(['first']);
		const files = new FolderFiles(folder);
		await files.put('new', bytes);
		await eventually(() => expect(listed(folder)).toEqual([toHex('new')]));
		writeFileSync(join(folder, `${toHex('a')}.${randomUUID()}.unfinished`), 'half');
		writeExpired(['old']);
		await files.put('new', bytes);
		expect(listed(folder)).toHaveLength(3);
		vi.setSystemTime(Date.now() + 2 * 3600_000);
		await files.put('new', bytes);
		await eventually(() => expect(listed(folder)).toEqual([toHex('new')]));
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
		const all = [...foreign, toHex('folder'), toHex('link'), toHex('new')];
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

test.each(['data/files', '/var/lib/easel files', 'files#1', 'C:\\easel'])('reads %s as a folder', (path) => {
	expect(parseFilesAddress(path)).toEqual({ kind: 'folder', path });
});

test.each([
	[
		's3://pictures?endpoint=https://s3.example.com:9000/',
		{ kind: 's3', endpoint: 'https://s3.example.com:9000', bucket: 'pictures', prefix: '' },
	],
	[
		'S3://My_bucket/easel/one/?region=eu-central-1&endpoint=http%3A%2F%2F127.0.0.1%3A9000',
		{
			kind: 's3',
			endpoint: 'http://127.0.0.1:9000',
			bucket: 'My_bucket',
			prefix: 'easel/one/',
			region: 'eu-central-1',
		},
	],
])('reads %s as a bucket', (text, address) => {
	expect(parseFilesAddress(text)).toEqual(address);
});

test.each([
	['s3:pictures', 'is not an address of files; write a folder, or s3://BUCKET?endpoint=https://HOST'],
	[
		'https://s3.example.com/hunter2',
		'is not an address of files; write a folder, or s3://BUCKET?endpoint=https://HOST',
	],
	['s3://pictures', 'has no endpoint; write a folder, or s3://BUCKET?endpoint=https://HOST'],
	[
		's3://pictures?endpoint=hunter2',
		'has an endpoint that is not scheme, host and port, such as https://s3.example.com',
	],
	[
		's3://pictures?endpoint=https://a.test/pictures',
		'has an endpoint that is not scheme, host and port, such as https://s3.example.com',
	],
	[
		's3://pictures?endpoint=https://u:hunter2@a.test',
		'has an endpoint that is not scheme, host and port, such as https://s3.example.com',
	],
	[
		's3://key:hunter2@pictures?endpoint=https://a.test',
		'contains a key; write it to FILES_ACCESS_KEY and FILES_SECRET_KEY',
	],
	['s3://p?endpoint=https://a.test', 'has an invalid name of a bucket'],
	['s3://pictures/a b?endpoint=https://a.test', 'has a prefix with other characters than A-Z a-z 0-9 _ . - /'],
	['s3://pictures?endpoint=https://a.test&key=hunter2', 'has a parameter besides endpoint and region'],
	['s3://pictures?endpoint=https://a.test&region=eu/1', 'has an invalid region'],
])('refuses %s without repeating it', (text, message) => {
	expect(() => parseFilesAddress(text)).toThrow(new TypeError(message));
});
