import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { filesContract } from '../../test/contract/files.ts';
import { expectKnownKinds } from '../../test/harness/known-kinds.ts';
import { FakeS3, type S3Fault } from '../../test/harness/s3/index.ts';
import { startS3rver } from '../../test/harness/s3/s3rver.ts';
import type { FilesOptions } from './addresses.ts';
import { openStore } from './open-store.ts';
import { BucketFiles, GRACE_MS, OBJECTS, S3Bucket } from './s3.ts';
import { FilesError, type Space, type Store, StoreError } from './store.ts';

let s3: FakeS3;
beforeAll(async () => {
	s3 = await FakeS3.start();
});
afterAll(() => s3.stop());
beforeEach(() => {
	s3.fault = undefined;
	s3.capacity = Number.POSITIVE_INFINITY;
	s3.objects.clear();
});

const bytes = new TextEncoder().encode('the bytes of a picture');
const DAY_MS = 24 * 3600_000;

describe('a store with its files in a bucket', () => {
	let store: Store;
	beforeAll(async () => {
		store = await openStore('memory:', s3.options);
	});
	afterAll(() => store.close());

	filesContract('a bucket', () => store);

	test('keeps objects below the prefix of its address, and no others', async () => {
		const other = await openStore('memory:', { ...s3.options, prefix: 'easel/one/' });
		onTestFinished(() => other.close());
		await other.space('pictures').files.put('input:a', bytes, DAY_MS);
		await expectKnownKinds(other);
		expect([...s3.objects.keys()]).toEqual([expect.stringMatching(/^easel\/one\/pictures\/[0-9a-f-]{36}$/)]);
	});

	test('checks the bucket with its ping, once a minute while it works', async () => {
		await store.ping();
		const before = s3.requests.length;
		await store.ping();
		expect(s3.requests).toHaveLength(before);
		s3.fault = 'AccessDenied';
		await expect(store.space('pictures').files.put('a', bytes)).rejects.toThrow(StoreError);
		await expect(store.ping()).rejects.toThrow('The object store does not allow');
		s3.fault = undefined;
		await store.ping();
	});

	test('rejects every call once it is closed', async () => {
		const closing = await openStore('memory:', s3.options);
		const { files } = closing.space('pictures');
		await closing.close();
		await expect(files.get('a')).rejects.toThrow('The store is closed.');
	});
});

describe('a store with its files in a bucket of s3rver', () => {
	let server: Awaited<ReturnType<typeof startS3rver>>;
	let store: Store;
	beforeAll(async () => {
		server = await startS3rver();
		store = await openStore('memory:', server.options);
	});
	afterAll(async () => {
		await store.close();
		await server.close();
	});

	filesContract('s3rver', () => store);

	test.each([{ secretKey: 'wrong' }, { accessKey: 'wrong' }])('is not opened with %o', async (keys) => {
		await expect(openStore('memory:', { ...server.options, ...keys })).rejects.toThrow(
			'The object store rejects the access key and the secret key.',
		);
	});
});

describe('opening files in a bucket', () => {
	const open = (options: Partial<FilesOptions & { kind: 's3' }>) =>
		openStore('memory:', { ...s3.options, ...options }).catch((error: unknown) => error);

	test.each<[string, Partial<FilesOptions & { kind: 's3' }>, string]>([
		['a wrong secret key', { secretKey: 'hunter2' }, 'The object store rejects the access key and the secret key.'],
		['a wrong access key', { accessKey: 'hunter2' }, 'The object store rejects the access key and the secret key.'],
		['a bucket that does not exist', { bucket: 'other' }, 'The object store has no such bucket.'],
		[
			'another region',
			{ region: 'eu-1' },
			"The object store has the bucket in another region. Add region=… to the files' address.",
		],
		[
			'a port at which nothing listens',
			{ endpoint: 'http://127.0.0.1:1' },
			'The object store cannot be reached (ECONNREFUSED).',
		],
	])('reports %s', async (_, options, message) => {
		const error = await open(options);
		expect(error).toEqual(new FilesError(message));
		expect(inspect(error, { depth: 9 })).not.toMatch(/hunter2|never\+logged|EASELKEY/);
	});

	test.each<[S3Fault, string]>([
		[
			'AccessDenied',
			'The object store does not allow this access key to read, write and delete objects in the bucket.',
		],
		['RequestTimeTooSkewed', "This machine's clock differs too much from the object store's."],
		['html', "The files' address does not lead to an object store (404)."],
		['QuotaExceeded', 'The object store is full.'],
	])('reports %s', async (fault, message) => {
		s3.fault = fault;
		expect(await open({})).toEqual(new FilesError(message));
	});
});

describe('files in a bucket', () => {
	let store: Store;
	let index: Space;
	let files: BucketFiles;
	let bucket: S3Bucket;
	beforeEach(async () => {
		store = await openStore('memory:');
		index = store.space('files');
		bucket = new S3Bucket(s3.options, 700);
		files = new BucketFiles(bucket, index);
		onTestFinished(() => files.close());
		onTestFinished(() => store.close());
	});

	const dueObjects = () => index.members(OBJECTS, { limit: 100 });
	const later = () => Date.now() + 30 * DAY_MS + 1000;

	test('are deleted by a sweep once they have expired, without a listing of the bucket', async () => {
		await files.put('pictures', 'short', bytes, Date.now() + 30 * DAY_MS);
		await files.put('pictures', 'long', bytes, Date.now() + 60 * DAY_MS);
		await files.sweep(Date.now() + 29 * DAY_MS);
		expect(s3.objects.size).toBe(2);
		// In this time, the store has deleted the entry by itself.
		await index.keyv.delete('file:pictures:short');
		s3.requests.length = 0;
		expect(await files.sweep(later())).toBe(1);
		expect(s3.requests).toEqual([expect.stringMatching(/^DELETE pictures\//)]);
		expect((await files.get('pictures', 'long'))?.bytes).toEqual(bytes);
		expect(await dueObjects()).toHaveLength(1);
	});

	test('that never expire are no longer due, and stay', async () => {
		await files.put('pictures', 'kept', bytes);
		expect(await files.sweep(Date.now() + GRACE_MS + 1000)).toBe(0);
		expect(await dueObjects()).toEqual([]);
		expect((await files.get('pictures', 'kept'))?.bytes).toEqual(bytes);
	});

	test('leave no object behind when they are replaced or deleted', async () => {
		await Promise.all(Array.from({ length: 5 }, () => files.put('pictures', 'same', bytes, Date.now() + 60 * DAY_MS)));
		await files.put('pictures', 'same', bytes);
		await files.put('pictures', 'gone', bytes, Date.now() + 60 * DAY_MS);
		await files.delete('pictures', 'gone');
		await files.sweep(Date.now() + 61 * DAY_MS);
		expect(s3.objects.size).toBe(1);
		expect(await dueObjects()).toEqual([]);
		expect((await files.get('pictures', 'same'))?.bytes).toEqual(bytes);
	});

	test('whose process ended while it wrote them leave no object behind', async () => {
		const halfway = new BucketFiles(bucket, {
			...index,
			commit: (change) => (change.put ? Promise.reject(new StoreError('ended')) : index.commit(change)),
		});
		await expect(halfway.put('pictures', 'half', bytes, Date.now() + 60 * DAY_MS)).rejects.toThrow('ended');
		expect(s3.objects.size).toBe(1);
		expect(await files.get('pictures', 'half')).toBeUndefined();
		expect(await files.sweep(Date.now() + GRACE_MS + 1000)).toBe(1);
		expect(s3.objects.size).toBe(0);
	});

	test('remain due while the bucket cannot delete them', async () => {
		await files.put('pictures', 'old', bytes, Date.now() + 1);
		await expect.poll(() => files.get('pictures', 'old'), { interval: 1 }).toBeUndefined();
		s3.fault = 'AccessDenied';
		await expect(files.sweep(later())).rejects.toThrow(StoreError);
		s3.fault = undefined;
		expect(await files.sweep(later())).toBe(1);
	});

	test('are deleted by the hundreds', async () => {
		const names = Array.from({ length: 230 }, (_, number) => `old:${number}`);
		// One after the other: a busy machine does not answer hundreds at once in the time that the other tests have.
		for (const name of names) await files.put('pictures', name, bytes, Date.now() + 1);
		await expect.poll(() => files.names('pictures'), { interval: 1 }).toEqual([]);
		expect(await files.sweep(later())).toBe(230);
		expect(s3.objects.size).toBe(0);
	});

	test.each<S3Fault>(['SlowDown', 'die'])('are written, read and deleted in spite of one %s', async (fault) => {
		s3.next(fault);
		await files.put('pictures', 'a', bytes);
		s3.next(fault);
		expect((await files.get('pictures', 'a'))?.bytes).toEqual(bytes);
		s3.next(fault);
		expect(await files.delete('pictures', 'a')).toBe(true);
		expect(s3.objects.size).toBe(0);
	});

	test('are read again when the answer was cut off', async () => {
		await files.put('pictures', 'a', bytes);
		s3.next('cut');
		expect((await files.get('pictures', 'a'))?.bytes).toEqual(bytes);
	});

	test.each<[S3Fault, string]>([
		['hang', 'The object store does not answer in time.'],
		['die', 'The object store cannot be reached (UND_ERR_SOCKET).'],
		['cut', "The object store's answer was cut off."],
		['SlowDown', 'The object store fails at present (SlowDown).'],
		[
			'AccessDenied',
			'The object store does not allow this access key to read, write and delete objects in the bucket.',
		],
		['short', 'The object store returned other bytes than were written.'],
	])('are not lost by %s: reading them fails, and works again afterwards', async (fault, message) => {
		await files.put('pictures', 'a', bytes);
		s3.fault = fault;
		const error = await files.get('pictures', 'a').catch((thrown: unknown) => thrown);
		expect(error).toEqual(expect.objectContaining({ message }));
		expect(error).toBeInstanceOf(StoreError);
		expect(inspect(error, { depth: 9 })).not.toMatch(/never\+logged|EASELKEY/);
		if (fault !== 'short') {
			const calls = [files.delete('pictures', 'a'), files.put('pictures', 'b', bytes)];
			await Promise.all(calls.map((call) => expect(call).rejects.toThrow(StoreError)));
		}
		s3.fault = undefined;
		expect((await files.get('pictures', 'a'))?.bytes).toEqual(bytes);
	});

	test('are rejected while the bucket is full, and those that are there can be read and deleted', async () => {
		await files.put('pictures', 'a', bytes);
		s3.capacity = bytes.length;
		await expect(files.put('pictures', 'b', bytes)).rejects.toThrow('The object store is full.');
		expect((await files.get('pictures', 'a'))?.bytes).toEqual(bytes);
		expect(await files.delete('pictures', 'a')).toBe(true);
		await files.put('pictures', 'b', bytes);
	});

	test('are used again when the service was down', async () => {
		await files.put('pictures', 'a', bytes);
		await s3.stop();
		await expect(files.get('pictures', 'a')).rejects.toThrow('The object store cannot be reached (ECONNREFUSED).');
		await s3.start();
		expect((await files.get('pictures', 'a'))?.bytes).toEqual(bytes);
	});

	test('that someone deleted from the bucket are absent', async () => {
		await files.put('pictures', 'a', bytes);
		s3.objects.clear();
		expect(await files.get('pictures', 'a')).toBeUndefined();
		expect(await files.delete('pictures', 'a')).toBe(true);
	});
});
