import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { eventually } from '../../packages/fakes/src/eventually.ts';
import { parseFilesAddress } from './addresses.ts';
import { FolderFiles } from './files.ts';
import { StoreError } from './store.ts';

describe('files in a folder', () => {
	let root: string;
	/** The folder of the space. */
	let folder: string;
	let opened: FolderFiles[];
	beforeEach(() => {
		root = mkdtempSync(join(tmpdir(), 'easel-files-'));
		folder = join(root, 'pictures');
		opened = [];
	});
	afterEach(async () => {
		for (const files of opened) await files.close();
		rmSync(root, { recursive: true, force: true });
	});
	function open(path = root): FolderFiles {
		const files = new FolderFiles(path);
		opened.push(files);
		return files;
	}
	const bytes = Uint8Array.from([1, 2, 3]);
	const listed = (path: string) => readdirSync(path).filter((name) => !name.startsWith('.'));
	const toHex = (name: string) => Buffer.from(name).toString('hex');
	/** Writes files that expired a moment ago, as another process has left them. */
	function writeExpired(names: readonly string[]): void {
		const header = Buffer.alloc(8);
		header.writeDoubleBE(Date.now() - 1);
		mkdirSync(folder, { recursive: true });
		for (const name of names) writeFileSync(join(folder, toHex(name)), header);
	}

	test('are visible to other users of the folder', async () => {
		await open().put('pictures', 'kept:1', bytes);
		expect((await open().get('pictures', 'kept:1'))?.bytes).toEqual(Buffer.from(bytes));
	});

	test('can be read by their owner only, and leave no temporary file behind', async () => {
		const inner = join(root, 'made', 'too', 'pictures');
		await open(dirname(inner)).put('pictures', 'kept:1', bytes);
		const names = listed(inner);
		expect(names).toHaveLength(1);
		expect(statSync(join(inner, names[0] ?? '')).mode & 0o777).toBe(0o600);
		expect(statSync(inner).mode & 0o777).toBe(0o700);
	});

	test('are not listed while they are unfinished', async () => {
		await open().put('pictures', 'kept:1', bytes);
		writeFileSync(join(folder, `${Buffer.from('kept:2').toString('hex')}.x.unfinished`), 'half');
		expect(await open().get('pictures', 'kept:2')).toBeUndefined();
		expect(await open().names('pictures')).toEqual(['kept:1']);
	});

	test('are removed after they have expired', async () => {
		const old = Array.from({ length: 300 }, (_, number) => `old${number}`);
		writeExpired(old);
		const files = open();
		await files.put('pictures', 'new', bytes, Date.now() + 60_000);
		// The call does not wait for that.
		expect(listed(folder).length).toBeGreaterThan(200);
		await eventually(() => expect(listed(folder)).toEqual([toHex('new')]));
		expect(await files.names('pictures')).toEqual(['new']);
	});

	test('are cleaned once an hour, with unfinished ones that a crashed process has left', async () => {
		vi.useFakeTimers({ toFake: ['Date'] });
		onTestFinished(() => void vi.useRealTimers());
		writeExpired(['first']);
		const files = open();
		await files.put('pictures', 'new', bytes);
		await eventually(() => expect(listed(folder)).toEqual([toHex('new')]));
		writeFileSync(join(folder, `${toHex('a')}.${randomUUID()}.unfinished`), 'half');
		writeExpired(['old']);
		await files.put('pictures', 'new', bytes);
		expect(listed(folder)).toHaveLength(3);
		vi.setSystemTime(Date.now() + 2 * 3600_000);
		await files.put('pictures', 'new', bytes);
		await eventually(() => expect(listed(folder)).toEqual([toHex('new')]));
	});

	test('delete nothing that is not theirs', async () => {
		const foreign = ['.env', 'id_rsa', 'data.csv', 'run.sh.unfinished', `${toHex('a')}.old`, 'deadbeef'];
		mkdirSync(folder);
		for (const name of foreign) writeFileSync(join(folder, name), 'A long text, which is older than now.');
		mkdirSync(join(folder, toHex('folder')));
		symlinkSync(join(folder, '.env'), join(folder, toHex('link')));
		writeExpired(['old']);
		const files = open();
		await files.put('pictures', 'new', bytes);
		await eventually(() => expect(listed(folder)).not.toContain(toHex('old')));
		const all = [...foreign, toHex('folder'), toHex('link'), toHex('new')];
		expect(readdirSync(folder).sort()).toEqual(all.sort());
		expect(await files.names('pictures')).toEqual(['new']);
	});

	test('reject every call with StoreError when the path is not a folder', async () => {
		const path = join(folder, 'file');
		mkdirSync(folder);
		writeFileSync(path, '');
		const files = open(path);
		for (const work of [
			() => files.put('pictures', 'a', bytes),
			() => files.get('pictures', 'a'),
			() => files.delete('pictures', 'a'),
			() => files.names('pictures'),
		])
			await expect(work()).rejects.toThrow(StoreError);
		await expect(files.get('pictures', 'a')).rejects.toThrow('cannot be read or written (ENOTDIR)');
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
