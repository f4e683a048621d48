import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hasRedis, startRedis } from '../../test/fakes/redis.ts';
import { FakeS3 } from '../../test/fakes/s3/index.ts';
import { adaptRestoredStore } from '../bot/restored-store.ts';
import { BackupWriter, createBackup, lastBackupAt } from './backup.ts';
import {
	type BackupContent,
	BackupError,
	type BackupRecord,
	BackupRefusedError,
	checkBackup,
	encodeRecord,
	MAGIC,
	NewerBackupError,
	readBackup,
} from './backup-format.ts';
import type { FilesOptions } from './files.ts';
import { SPACES } from './kinds.ts';
import { SCHEMA_VERSION } from './migrate.ts';
import { openStore } from './open-store.ts';
import { refuseUnfinishedRestore, restoreBackup, UnfinishedRestoreError } from './restore.ts';
import { type Store, StoreError } from './store.ts';

const FIXTURE = new URL('../../test/fixtures/version-1/', import.meta.url);

let folder: string;
let cleanups: (() => unknown)[] = [];
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'easel-backup-'));
	cleanups = [() => rmSync(folder, { recursive: true, maxRetries: 9 })];
});
afterEach(async () => {
	for (const cleanup of cleanups.reverse()) await cleanup();
});

const inFolder = (name: string) => join(folder, name);
const sqlite = (name: string) => `sqlite:${inFolder(name)}`;

const options = { schema: SCHEMA_VERSION, onProgress: () => {} };

const back = (url: string, path: string, files?: FilesOptions) =>
	createBackup({ ...options, url, files, path: inFolder(path), mayReplace: false });

const restore = (url: string, path: string, files?: FilesOptions, adapt = async (_: Store) => {}) =>
	restoreBackup({ ...options, url, files, path: inFolder(path), adapt });

async function opened<Result>(url: string, work: (store: Store) => Promise<Result>, files?: FilesOptions) {
	const store = await openStore(url, files);
	try {
		return await work(store);
	} finally {
		await store.close();
	}
}

/** Returns everything in a backup in one order: entries and files as they are, and the members of each index. */
async function contentOf(path: string): Promise<string[]> {
	const lines: string[] = [];
	for await (const record of readBackup(inFolder(path), SCHEMA_VERSION)) lines.push(...linesOf(record));
	return lines.sort();
}

function linesOf(record: BackupContent): string[] {
	switch (record.kind) {
		case 'entry':
			return [`${record.space} ${record.key} ${roughly(record.expires)} ${record.entry}`];
		case 'file':
			return [`${record.space} ${record.name} ${Buffer.from(record.bytes).toString('hex')} ${roughly(record.expires)}`];
		case 'members':
			return record.members.map(([member, expires]) => `${record.space} ${record.index} ${member} ${roughly(expires)}`);
	}
}

/** Redis keeps how long a key lasts, and keyv computes when an entry ends twice. */
const roughly = (expires: number | null | undefined) => (expires == null ? 'never' : Math.round(expires / 60_000));

/** A time in the middle of a minute, so that `roughly` gives the same minute. */
const tomorrow = () => Math.floor(Date.now() / 60_000) * 60_000 + 24 * 3600_000 - Date.now();

async function fill(store: Store): Promise<void> {
	const ledger = store.space('ledger');
	const ttlMs = tomorrow();
	await ledger.commit({
		add: [{ key: 'count:server:a:day:2026-11-22', by: 3, atMost: 5, ttlMs }],
		put: [
			{ key: 'settings:a', value: { limits: [], note: ': begins with a colon', bytes: Buffer.from('ü') } },
			{ key: 'receipt:1', value: { name: 'Ada 🎨', takings: [] }, ttlMs },
			{ key: 'lease:p', value: { until: 1 }, ttlMs },
		],
		index: [
			{ index: 'months', member: 'a 2026-11' },
			{ index: 'receipts:a', member: '1', ttlMs },
			{ index: 'receipts:a', member: '2', ttlMs },
		],
	});
	await store.space('service').keyv.set('profile:x', 'easel', 1000);
	await store.space('pictures').files.put('kept:1:0', Buffer.from('a picture'));
	await store.space('uploads').files.put('A/b:c', Buffer.alloc(100_000, 7), ttlMs);
}

type StartStore = [name: string, start: () => Promise<string>];

const STORES: StartStore[] = [['SQLite', async () => sqlite('target.db')]];
if (hasRedis) {
	STORES.push([
		'Redis',
		async () => {
			const redis = await startRedis();
			cleanups.push(() => redis.close());
			return redis.url;
		},
	]);
}

describe('a backup', () => {
	test.runIf(hasRedis)('moves a store from SQLite to Redis, a bucket and back, with everything in it', async () => {
		const [redis, s3] = await Promise.all([startRedis(), FakeS3.start()]);
		cleanups.push(
			() => redis.close(),
			() => s3.stop(),
		);
		cpSync(FIXTURE, folder, { recursive: true });
		await opened(sqlite('easel.db'), fill);

		await back(sqlite('easel.db'), 'first');
		await restore(redis.url, 'first');
		expect(await opened(sqlite('easel.db'), lastBackupAt)).toBeGreaterThan(Date.now() - 60_000);
		await back(redis.url, 'second');
		await restore(sqlite('other.db'), 'second', s3.options);
		await back(sqlite('other.db'), 'third', s3.options);
		await restore(sqlite('last.db'), 'third', { kind: 'folder', path: inFolder('pictures') });
		await back(sqlite('last.db'), 'fourth', { kind: 'folder', path: inFolder('pictures') });

		const content = await contentOf('first');
		expect(content.length).toBeGreaterThan(80);
		expect(content.some((line) => line.includes('lease:') || line.includes('profile:'))).toBe(false);
		for (const path of ['second', 'third', 'fourth']) expect(await contentOf(path)).toEqual(content);
		await opened(redis.url, async (store) => {
			expect(await store.space('ledger').keyv.get('settings:a')).toMatchObject({ bytes: Buffer.from('ü') });
			expect(await store.space('ledger').members('receipts:a', { limit: 9 })).toEqual(['1', '2']);
		});
	});

	for (const [name, start] of STORES)
		test(`of ${name} has all of a commit or nothing, while commits are made`, async () => {
			const url = await start();
			await opened(url, async (store) => {
				let isOver = false;
				const spaces = ['ledger', 'chats', 'log'].map((space) => store.space(space));
				const commitAll = async (worker: number) => {
					for (let n = 0; !isOver; n += 1) {
						const member = `${worker}-${n}`;
						const put = [{ key: `receipt:${member}`, value: 'x'.repeat(200) }];
						const add = [{ key: 'count:all', by: 1 }];
						const remove = n % 3 === 2 ? [`receipt:${worker}-${n - 1}`] : [];
						const unindex = remove.map(() => ({ index: 'receipts:a', member: `${worker}-${n - 1}` }));
						const change = { put, add, remove, index: [{ index: 'receipts:a', member }], unindex };
						const taken = remove.map(() => ({ key: 'count:all', by: -1 }));
						for (const space of spaces) await space.commit({ ...change, add: [...add, ...taken] });
					}
				};
				const workers = Array.from({ length: 8 }, (_, worker) => commitAll(worker));
				try {
					for (const path of ['1', '2', '3']) {
						await back(url, path);
						for (const space of ['ledger', 'chats', 'log']) {
							const lines = (await contentOf(path)).filter((line) => line.startsWith(space));
							const receipts = lines.filter((line) => line.includes(' receipt:')).map((line) => line.split(/[ :]/)[2]);
							const members = lines.filter((line) => line.includes(' receipts:a ')).map((line) => line.split(' ')[2]);
							const counted = lines.find((line) => line.includes('count:all'))?.match(/"value":(\d+)/)?.[1];
							expect(receipts.length).toBe(Number(counted ?? 0));
							expect(members).toEqual(receipts);
						}
					}
				} finally {
					isOver = true;
					await Promise.all(workers);
				}
			});
		});

	test('is readable by its owner only, replaces no file unless it is told to, and leaves nothing else', async () => {
		await opened(sqlite('easel.db'), fill);
		writeFileSync(inFolder('mine'), 'precious');
		await expect(back(sqlite('easel.db'), 'mine')).rejects.toThrow(/mine exists.*--force/);
		expect(readFileSync(inFolder('mine'), 'utf8')).toBe('precious');
		await createBackup({
			...options,
			url: sqlite('easel.db'),
			files: undefined,
			path: inFolder('mine'),
			mayReplace: true,
		});
		expect(statSync(inFolder('mine')).mode & 0o777).toBe(0o600);
		await expect(back(sqlite('none.db'), 'x')).rejects.toThrow('does not exist');
		await expect(back(sqlite('easel.db'), 'none/x')).rejects.toThrow(/The folder .*none does not exist/);
		await expect(back('memory:', 'x')).rejects.toThrow(BackupRefusedError);
		expect(readdirSync(folder).filter((name) => name.startsWith('.') || name.startsWith('none'))).toEqual([]);
	});

	test('leaves out and reports files that are deleted meanwhile', async () => {
		await opened(sqlite('easel.db'), async (store) => {
			await fill(store);
		});
		const onProgress = (line: string) => {
			if (line.startsWith('Saved')) rmSync(inFolder('easel.db-files/pictures'), { recursive: true });
		};
		const backup = { ...options, url: sqlite('easel.db'), files: undefined, path: inFolder('x'), mayReplace: false };
		expect(await createBackup({ ...backup, onProgress })).toMatchObject({ files: 1, leftOut: 1 });
	});
});

describe('a restore', () => {
	test('is refused by a store that has entries or files, and by a store in memory', async () => {
		await opened(sqlite('easel.db'), fill);
		await back(sqlite('easel.db'), 'x');
		await expect(restore(sqlite('easel.db'), 'x')).rejects.toThrow(BackupRefusedError);
		await opened(sqlite('file.db'), (store) => store.space('pictures').files.put('kept:2', Buffer.from('y')));
		await expect(restore(sqlite('file.db'), 'x')).rejects.toThrow('not empty');
		await opened(sqlite('used.db'), (store) => store.space('ledger').keyv.set('lease:1', true, 1000));
		await expect(restore(sqlite('used.db'), 'x')).rejects.toThrow('a process uses');
		await expect(restore('memory:', 'x')).rejects.toThrow(BackupRefusedError);
	});

	for (const [name, start] of STORES)
		test(`that was interrupted leaves a store of ${name} that is refused, until another one has finished`, async () => {
			const url = await start();
			await opened(sqlite('easel.db'), fill);
			await back(sqlite('easel.db'), 'x');
			await opened(sqlite('easel.db'), (store) => store.space('ledger').keyv.set('settings:b', 1));
			await back(sqlite('easel.db'), 'y');
			const interruption = new AbortController();
			const interrupted = restoreBackup({
				...{ ...options, url, files: undefined, path: inFolder('y'), signal: interruption.signal },
				adapt: async () => interruption.abort(new BackupError('Interrupted.')),
			});
			await expect(interrupted).rejects.toThrow('Interrupted.');
			await expect(opened(url, refuseUnfinishedRestore)).rejects.toThrow(UnfinishedRestoreError);

			await restore(url, 'x');
			await opened(url, refuseUnfinishedRestore);
			await back(url, 'z');
			expect(await contentOf('z')).toEqual(await contentOf('x'));
		});

	test('and a backup that are killed leave no half store and no half file', async () => {
		await opened(sqlite('easel.db'), async (store) => {
			const space = store.space('chats');
			for (let page = 0; page < 60; page += 1) {
				const keys = Array.from({ length: 100 }, (_, n) => `entry:${page}:${n}`);
				await space.commit({ put: keys.map((key) => ({ key, value: 'x'.repeat(1000) })) });
			}
		});
		await killed(['backup', inFolder('x')], sqlite('easel.db'), 'Saved');
		// A fast one was finished before.
		if (readdirSync(folder).includes('x')) await checkBackup(inFolder('x'), SCHEMA_VERSION);
		rmSync(inFolder('x'), { force: true });
		await back(sqlite('easel.db'), 'x');
		await killed(['restore', inFolder('x')], sqlite('new.db'), 'Checking the file');
		await restore(sqlite('new.db'), 'x');
		await back(sqlite('new.db'), 'y');
		expect(await contentOf('y')).toEqual(await contentOf('x'));
	});
});

/** Runs a command, and kills it once it has printed a line. */
async function killed([name = '', ...args]: string[], url: string, line: string): Promise<void> {
	const program = new URL(`../cli/${name}.ts`, import.meta.url).pathname;
	const child = spawn(process.execPath, [program, ...args], { env: { ...process.env, STORE_URL: url }, stdio: 'pipe' });
	for await (const printed of createInterface({ input: child.stdout })) if (printed.startsWith(line)) break;
	child.kill('SIGKILL');
	await once(child, 'exit');
}

describe('a changed backup', () => {
	const end = { kind: 'end', sha256: '', entries: 0, members: 0, files: 0 } as const;
	const valid: BackupRecord[] = [
		{ kind: 'header', format: 1, schema: SCHEMA_VERSION, createdAt: Date.now() },
		{ kind: 'entry', space: 'ledger', key: 'schema', entry: `{"value":${SCHEMA_VERSION}}` },
		{ kind: 'entry', space: 'chats', key: 'schema', entry: `{"value":${SCHEMA_VERSION}}` },
		{ kind: 'entry', space: 'pictures', key: 'schema', entry: `{"value":${SCHEMA_VERSION}}` },
		{ kind: 'entry', space: 'ledger', key: 'settings:a', entry: '{"value":{"limits":[]}}' },
		{ kind: 'entry', space: 'chats', key: 'entry:a:1', expires: Date.now() + 3600_000, entry: '{"value":"x"}' },
		{ kind: 'members', space: 'ledger', index: 'months', members: [['a 2026-11', null]] },
		{ kind: 'file', space: 'pictures', name: 'kept:1:0', bytes: Buffer.alloc(70_000, 1) },
		{ kind: 'file', space: 'uploads', name: 'a:1', bytes: Buffer.from('small') },
	];

	/** Writes records with valid checksums, and a valid end unless they have one. */
	function write(records: readonly (BackupRecord | Uint8Array)[]): void {
		const bytes = Buffer.concat([MAGIC, ...records.flatMap((one) => ('kind' in one ? encodeRecord(one) : one))]);
		const counts = { entries: 0, members: 0, files: 0 };
		for (const one of records) {
			const kind = 'kind' in one ? one.kind : undefined;
			if (kind === 'entry') counts.entries += 1;
			if (kind === 'file') counts.files += 1;
			if (kind === 'members')
				counts.members += (one as Extract<BackupContent, { kind: 'members' }>).members.length ?? 0;
		}
		const sha256 = createHash('sha256').update(bytes).digest('hex');
		const ends = records.some((one) => 'kind' in one && one.kind === 'end');
		const last = ends ? [] : encodeRecord({ ...end, sha256, ...counts });
		writeFileSync(inFolder('x'), Buffer.concat([bytes, ...last]));
	}

	/** Encodes any head and body, with valid checksums. */
	function raw(head: string, body = Buffer.alloc(0)): Buffer {
		const frame = Buffer.alloc(12);
		frame.writeUInt32BE(Buffer.byteLength(head), 0);
		frame.writeUInt32BE(body.length, 4);
		frame.writeUInt32BE(crc32(frame.subarray(0, 8)), 8);
		const sum = Buffer.alloc(4);
		sum.writeUInt32BE(crc32(body, crc32(head)));
		return Buffer.concat([frame, Buffer.from(head), body, sum]);
	}

	/** Everything below the folder, besides the backup. */
	const written = () =>
		readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path !== 'x' && !/^new\.db/.test(path));

	const adapt = async (store: Store) => void (await adaptRestoredStore(store, { retentionMs: 1e9, now: Date.now }));

	async function expectRefused(): Promise<void> {
		const error = await restore(sqlite('new.db'), 'x', undefined, adapt).catch((reason: unknown) => reason);
		expect(error).toBeInstanceOf(error instanceof StoreError ? StoreError : BackupError);
		expect((error as Error).message).toMatch(/^[^\n]+\.$/);
		await expectNothingWritten();
	}

	async function expectNothingWritten(): Promise<void> {
		expect(written()).toEqual([]);
		if (!existsSync(inFolder('new.db'))) return;
		await opened(sqlite('new.db'), async (store) => {
			await refuseUnfinishedRestore(store);
			for (const name of SPACES) {
				expect(await Array.fromAsync(store.space(name).list(''))).toEqual([]);
				expect(await store.space(name).files.names('')).toEqual([]);
			}
		});
	}

	test('is restored as long as it is valid', async () => {
		write(valid);
		expect(await restore(sqlite('new.db'), 'x', undefined, adapt)).toMatchObject({ entries: 5, members: 1, files: 2 });
	});

	const file = { kind: 'file', space: 'pictures', name: 'kept:1', bytes: Buffer.from('x') } as const;
	const entry = { kind: 'entry', space: 'ledger', key: 'settings:a', entry: '{"value":1}' } as const;
	const refused: Record<string, unknown> = {
		'a space that leads out of the folder': { ...file, space: '../../elsewhere' },
		'an absolute space': { ...file, space: '/tmp/elsewhere' },
		'an unknown space of a file': { ...file, space: 'elsewhere' },
		'an unknown space of an entry': { ...entry, space: 'elsewhere' },
		'a space of every object': { ...entry, space: '__proto__' },
		'a file where no files are': { ...file, space: 'ledger' },
		'a file among the objects': { ...file, space: 'files' },
		'an unknown kind of file': { ...file, name: 'other:1' },
		'a name with spaces': { ...file, name: 'kept:1 pictures/other' },
		'a name that is too long': { ...file, name: `kept:${'1'.repeat(200)}` },
		'a key with half a character': { ...entry, key: '\ud800' },
		'an index of other characters': { kind: 'members', space: 'ledger', index: 'ü', members: [] },
		'a member of other characters': { kind: 'members', space: 'ledger', index: 'open', members: [['\n', null]] },
		'members of another form': { kind: 'members', space: 'ledger', index: 'open', members: { length: 1 } },
		'a key that is no text': { ...entry, key: 5 },
		'an expiry that is no time': { ...entry, expires: 1e300 },
		'an expiry that is a text': { ...file, expires: '1' },
		'an entry that is no JSON': { ...entry, entry: '{"value":' },
		'an entry that is no object': { ...entry, entry: '5' },
		'a version of a space that is newer': { ...entry, key: 'schema', entry: '{"value":99}' },
		'a version of a space that is none': { ...entry, key: 'schema', entry: '{"value":{}}' },
		'a receipt without content': { ...entry, key: 'receipt:1', entry: '{"value":null}' },
		'another header': { ...valid[0] },
		'an early end': end,
		'an unknown kind': raw('{"kind":"other"}'),
		'no kind': raw('{}'),
		'a head that is no JSON': raw('{'),
		'a head that is null': raw('null'),
		'a head of a megabyte': raw(JSON.stringify({ ...entry, key: 'x'.repeat(1e6) })),
	};
	for (const [name, record] of Object.entries(refused))
		test(`is refused with one sentence for ${name}`, async () => {
			write([...valid, record as BackupRecord]);
			await expectRefused();
		});

	test('is refused without an end, and with a date that is none', async () => {
		write([{ ...valid[0], createdAt: 1e300 } as BackupRecord]);
		await expectRefused();
		writeFileSync(inFolder('x'), Buffer.concat([MAGIC, ...valid.flatMap(encodeRecord)]));
		await expectRefused();
	});

	test('ends the command with one line, and exit code 1', async () => {
		write([...valid, { ...file, space: '../../elsewhere' }]);
		const program = new URL('../cli/restore.ts', import.meta.url).pathname;
		const env = { ...process.env, STORE_URL: sqlite('new.db') };
		const { status, stderr } = spawnSync(process.execPath, [program, inFolder('x')], { env, encoding: 'utf8' });
		expect(stderr).toMatch(/^[^\n]+ so nothing of it can be used\.\n$/);
		expect(status).toBe(1);
		await expectNothingWritten();
	});

	test('is restored as a whole or refused with one sentence, whatever was changed in it', async () => {
		const anything = fc.oneof(
			fc.string(),
			fc.constantFrom(
				'..',
				'../..',
				'ledger',
				'kept:1',
				'files',
				'__proto__',
				'schema',
				'lease:1',
				'job:1',
				'receipt:1',
			),
			fc.jsonValue(),
			fc.double(),
		);
		const field = fc.constantFrom('space', 'key', 'name', 'index', 'expires', 'entry', 'members', 'kind', 'schema');
		const change = fc.record({ at: fc.nat(valid.length - 1), field, value: anything });
		await fc.assert(
			fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
				const records = valid.map((one) => ({ ...one }) as Record<string, unknown>);
				for (const { at, field, value } of changes) (records[at] as Record<string, unknown>)[field] = value;
				const bodies = records.map(({ entry, bytes, members, ...head }) => {
					const text = entry === undefined ? (JSON.stringify(members) ?? '') : String(entry);
					return raw(JSON.stringify(head), Buffer.from((bytes as Buffer | undefined) ?? text));
				});
				write(bodies);
				const all = Buffer.concat([MAGIC, ...bodies]);
				const sha256 = createHash('sha256').update(all).digest('hex');
				const last = encodeRecord({ ...end, entries: 5, members: 1, files: 2, sha256 });
				writeFileSync(inFolder('x'), Buffer.concat([all, ...last]));
				const isRestored = await restore(sqlite('new.db'), 'x', undefined, adapt).then(
					() => true,
					() => false,
				);
				if (!isRestored) await expectRefused();
				expect(written()).toEqual([]);
				for (const name of readdirSync(folder))
					if (name.startsWith('new')) rmSync(inFolder(name), { recursive: true, maxRetries: 9 });
			}),
			{
				numRuns: 150,
				examples: [[[{ at: 6, field: 'members', value: 0 }]], [[{ at: 6, field: 'members', value: false }]]],
			},
		);
	}, 120_000);
});

describe('the file of a backup', () => {
	async function written(): Promise<Buffer> {
		const writer = new BackupWriter(inFolder('x'));
		await writer.start(SCHEMA_VERSION, 1);
		await writer.write({ kind: 'entry', space: 'ledger', key: 'ü', expires: 5, entry: '{"value":1}' });
		await writer.write({ kind: 'members', space: 'ledger', index: 'open', members: [['a', null]] });
		await writer.write({ kind: 'file', space: 'pictures', name: 'kept:1', bytes: Buffer.alloc(300, 1) });
		await writer.finish();
		await writer.publish(false);
		return readFileSync(inFolder('x'));
	}
	const check = (bytes: Uint8Array) => {
		writeFileSync(inFolder('y'), bytes);
		return checkBackup(inFolder('y'), SCHEMA_VERSION);
	};

	test('is found to be damaged when any byte of it is changed, cut off, or added', async () => {
		const bytes = await written();
		expect((await check(bytes)).counts).toEqual({ entries: 1, members: 1, files: 1 });
		await fc.assert(
			fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, mask) => {
				const changed = Buffer.from(bytes);
				changed[at] = (bytes[at] as number) ^ mask;
				await expect(check(changed)).rejects.toThrow(BackupError);
				await expect(check(bytes.subarray(0, at))).rejects.toThrow(BackupError);
				await expect(check(Buffer.concat([bytes, Buffer.of(mask)]))).rejects.toThrow(BackupError);
			}),
			{ numRuns: 100 },
		);
	});

	test('is found to be damaged when records of it are missing or exchanged', async () => {
		const bytes = await written();
		const entry = encodeRecord({ kind: 'entry', space: 'ledger', key: 'ü', expires: 5, entry: '{"value":1}' });
		const length = Buffer.concat(entry).length;
		const start = bytes.indexOf(Buffer.concat(entry));
		await expect(check(Buffer.concat([bytes.subarray(0, start), bytes.subarray(start + length)]))).rejects.toThrow(
			'damaged',
		);
	});

	test('is refused when it is no backup, or a newer version has written it', async () => {
		await expect(check(Buffer.from('PK\x03\x04 a foreign file that is long enough'))).rejects.toThrow('not a backup');
		await expect(check(Buffer.alloc(0))).rejects.toThrow('not a backup');
		const header = { kind: 'header', format: 1, schema: 1, createdAt: 1 } as const;
		for (const newer of [{ format: 2 }, { schema: SCHEMA_VERSION + 1 }])
			await expect(check(Buffer.concat([MAGIC, ...encodeRecord({ ...header, ...newer })]))).rejects.toThrow(
				NewerBackupError,
			);
	});
});
