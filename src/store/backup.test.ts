import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
	cpSync,
	existsSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	truncateSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hasRedis, startRedis } from '../../test/harness/redis.ts';
import { FakeS3 } from '../../test/harness/s3/index.ts';
import { adaptRestoredStore } from '../cli/backups.ts';
import { SPACES } from '../collections.ts';
import type { FilesOptions } from './addresses.ts';
import {
	createBackup,
	lastBackupAt,
	refuseUnfinishedRestore,
	restoreBackup,
	UnfinishedRestoreError,
} from './backup.ts';
import {
	Backup,
	type BackupContent,
	BackupError,
	BackupRefusedError,
	BackupWriter,
	NewerBackupError,
	seal,
} from './backup-file.ts';
import { SCHEMA_VERSION } from './migrate.ts';
import { openStore } from './open-store.ts';
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

const options = { onProgress: () => {} };

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
	const backup = await Backup.open(inFolder(path));
	const lines = Array.from(backup.content(), lineOf);
	backup.close();
	return lines.sort();
}

function lineOf(row: BackupContent): string {
	const expires = roughly(row.expires);
	switch (row.kind) {
		case 'entry':
			return `${row.space} ${row.key} ${expires} ${row.entry}`;
		case 'file':
			return `${row.space} ${row.name} ${Buffer.from(row.bytes).toString('hex')} ${expires}`;
		case 'member':
			return `${row.space} ${row.name} ${row.member} ${expires}`;
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
		await opened(sqlite('easel.db'), async () => {
			for (const path of ['easel.db', 'easel.db-wal', 'link'].map(inFolder)) {
				if (!existsSync(path)) symlinkSync('easel.db', path);
				const over = { ...options, url: sqlite('easel.db'), files: undefined, path, mayReplace: true };
				await expect(createBackup(over)).rejects.toThrow('is a file of the store');
			}
		});
		const bytes = readFileSync(inFolder('mine'));
		await expect(restore(sqlite('mine'), 'mine')).rejects.toThrow('is not a store');
		expect(readFileSync(inFolder('mine')).equals(bytes)).toBe(true);
		await expect(back(sqlite('none.db'), 'x')).rejects.toThrow('does not exist');
		await expect(back(sqlite('easel.db'), 'none/x')).rejects.toThrow(/The folder .*none does not exist/);
		await expect(back('memory:', 'x')).rejects.toThrow(BackupRefusedError);
		expect(readdirSync(folder).filter((name) => name.startsWith('.') || name.startsWith('none'))).toEqual([]);
	});

	test('is not made of a damaged store, and leaves no file then', async () => {
		await opened(sqlite('easel.db'), async (store) => {
			for (let n = 0; n < 300; n += 1) await store.space('chats').keyv.set(`entry:${n}`, 'x'.repeat(500));
		});
		const bytes = readFileSync(inFolder('easel.db'));
		bytes.fill(0xff, bytes.length - 20_000, bytes.length - 8192);
		writeFileSync(inFolder('easel.db'), bytes);
		await expect(back(sqlite('easel.db'), 'x')).rejects.toThrow(StoreError);
		expect(readdirSync(folder).filter((name) => name.includes('x'))).toEqual([]);
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
		if (readdirSync(folder).includes('x')) await contentOf('x');
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
	const program = new URL('../cli/easel.ts', import.meta.url).pathname;
	const child = spawn(process.execPath, [program, name, ...args], {
		env: { ...process.env, STORE_URL: url },
		stdio: 'pipe',
	});
	for await (const printed of createInterface({ input: child.stdout })) if (printed.startsWith(line)) break;
	child.kill('SIGKILL');
	await once(child, 'exit');
}

describe('a changed backup', () => {
	/** Writes a valid backup, changes it by SQL, and gives it a valid digest again. */
	async function write(sql = '', ...values: (string | number)[]): Promise<void> {
		rmSync(inFolder('x'), { force: true });
		writeFileSync(inFolder('x'), '');
		const writer = new BackupWriter(inFolder('x'));
		for (const space of ['ledger', 'chats', 'pictures'])
			writer.set(`${space}:schema`, `{"value":${SCHEMA_VERSION}}`, null);
		writer.set('ledger:settings:a', '{"value":{"limits":[]}}', null);
		writer.set('chats:entry:a:1', '{"value":"x"}', Date.now() + 3600_000);
		writer.addMember('ledger:months', 'a 2026-11', null);
		writer.addFile('pictures', 'kept:1:0', Buffer.alloc(70_000, 1), undefined);
		writer.addFile('uploads', 'a:1', Buffer.from('small'), undefined);
		await writer.finish();
		if (sql === '') return;
		truncateSync(inFolder('x'), statSync(inFolder('x')).size - 32);
		const database = new DatabaseSync(inFolder('x'), { defensive: false });
		if (values.length > 0) database.prepare(sql).run(...values);
		else database.exec(sql);
		database.close();
		await seal(inFolder('x'));
	}

	/** Everything below the folder, besides the backup. */
	const written = () =>
		readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path !== 'x' && !/^new\.db/.test(path));

	const adapt = async (store: Store) => void (await adaptRestoredStore(store, { retentionMs: 1e9, now: Date.now }));

	async function expectRefused(): Promise<void> {
		const error = await restore(sqlite('new.db'), 'x', undefined, adapt).catch((reason: unknown) => reason);
		expect(error).toBeInstanceOf(StoreError);
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
		await write("INSERT INTO entries VALUES ('ledger', 'settings:b', '{\"value\":1}', NULL)");
		expect(await restore(sqlite('new.db'), 'x', undefined, adapt)).toMatchObject({ entries: 6, members: 1, files: 2 });
	});

	const entry = (space: string, key: string, value: string, expires: number | null = null) =>
		`INSERT OR REPLACE INTO entries VALUES ('${space}', '${key}', '${value}', ${expires})`;
	const file = (space: string, name: string) => `INSERT INTO files VALUES ('${space}', '${name}', x'00', NULL)`;
	/** Writes cells of types that the columns do not have. */
	const loose = (sql: string) => `PRAGMA writable_schema = ON;
		UPDATE sqlite_schema SET sql = replace(sql, ' STRICT', '') WHERE name = 'entries'; PRAGMA writable_schema = RESET;
		${sql}; PRAGMA writable_schema = ON;
		UPDATE sqlite_schema SET sql = sql || ' STRICT' WHERE name = 'entries';`;
	const refused: Record<string, string> = {
		'a space that leads out of the folder': file('../../elsewhere', 'kept:1'),
		'an absolute space': file('/tmp/elsewhere', 'kept:1'),
		'an unknown space of a file': file('elsewhere', 'kept:1'),
		'an unknown space of an entry': entry('elsewhere', 'a', '{"value":1}'),
		'a space of every object': entry('__proto__', 'a', '{"value":1}'),
		'a file where no files are': file('ledger', 'kept:1'),
		'a file among the objects': file('files', 'kept:1'),
		'an unknown kind of file': file('pictures', 'other:1'),
		'a name with spaces': file('pictures', 'kept:1 pictures/other'),
		'a name that is too long': file('pictures', `kept:${'1'.repeat(200)}`),
		'an index of other characters': "INSERT INTO members VALUES ('ledger', 'ü', 'a', NULL)",
		'a member of other characters': "INSERT INTO members VALUES ('ledger', 'open', char(10), NULL)",
		'an expiry that is no time': entry('ledger', 'settings:a', '{"value":1}', 9e18),
		'an expiry before all times': entry('ledger', 'settings:a', '{"value":1}', -1),
		'an expiry of another type': loose("UPDATE entries SET expires = 'soon'"),
		'a key of another type': loose("UPDATE entries SET key = x'00' WHERE key = 'settings:a'"),
		'an entry that is no JSON': entry('ledger', 'settings:a', '{"value":'),
		'an entry that is no object': entry('ledger', 'settings:a', '5'),
		'a version of a space that is newer': entry('ledger', 'schema', '{"value":99}'),
		'a version of a space that is none': entry('ledger', 'schema', '{"value":{}}'),
		'a call without content': entry('ledger', 'job:1', '{"value":null}'),
		'no time': 'DELETE FROM about',
		'two times': 'INSERT INTO about VALUES (1)',
		'a time that is none': 'UPDATE about SET created = 9000000000000000',
		'a trigger': 'CREATE TRIGGER t AFTER INSERT ON entries BEGIN DELETE FROM entries; END',
		'a view in the place of a table':
			"DROP TABLE files; CREATE VIEW files AS SELECT 'ledger' AS space, 'a' AS name, x'00' AS bytes, NULL AS expires",
		'another table': 'CREATE TABLE other (a)',
		'another column': 'ALTER TABLE entries ADD COLUMN other TEXT',
		'a missing table': 'DROP TABLE files',
		'two tables in the same pages': `PRAGMA writable_schema = ON;
			UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'entries') WHERE name = 'files'`,
	};
	for (const [name, sql] of Object.entries(refused))
		test(`is refused with one sentence for ${name}`, async () => {
			await write(sql);
			await expectRefused();
		});

	test('ends the command with one line, and exit code 1', async () => {
		await write(file('../../elsewhere', 'kept:1'));
		const program = new URL('../cli/easel.ts', import.meta.url).pathname;
		const env = { ...process.env, STORE_URL: sqlite('new.db') };
		const { status, stderr } = spawnSync(process.execPath, [program, 'restore', inFolder('x')], {
			env,
			encoding: 'utf8',
		});
		expect(stderr).toMatch(/^[^\n]+ so nothing of it can be used\.\n$/);
		expect(status).toBe(1);
		await expectNothingWritten();
	});

	test('is restored as a whole or refused with one sentence, whatever was changed in it', async () => {
		const words = ['..', '../..', 'ledger', 'kept:1', 'files', '__proto__', 'schema', 'lease:1', 'job:1', 'total:1'];
		const text = fc.oneof(
			fc.string(),
			fc.constantFrom(...words),
			fc.json().map((json) => `{"value":${json}}`),
		);
		const change = fc.record({
			column: fc.constantFrom(
				'entries.space',
				'entries.key',
				'entries.entry',
				'members.space',
				'members.name',
				'files.space',
				'files.name',
			),
			row: fc.nat(2),
			value: text,
		});
		await fc.assert(
			fc.asyncProperty(change, async ({ column, row, value }) => {
				const [table = '', name = ''] = column.split('.');
				const key = table === 'entries' ? 'key' : 'name';
				const chosen = `(SELECT ${key} FROM ${table} ORDER BY space, ${key} LIMIT 1 OFFSET ${table === 'members' ? 0 : Math.min(row, 1)})`;
				await write(`UPDATE ${table} SET ${name} = ? WHERE ${key} = ${chosen} AND ? = ?`, value, row, row).catch(
					() => {},
				);
				const isRestored = await restore(sqlite('new.db'), 'x', undefined, adapt).then(
					() => true,
					() => false,
				);
				if (!isRestored) await expectRefused();
				expect(written()).toEqual([]);
				for (const each of readdirSync(folder))
					if (each.startsWith('new')) rmSync(inFolder(each), { recursive: true, maxRetries: 9 });
			}),
			{ numRuns: 100 },
		);
	}, 120_000);

	test('never crashes the reader, whatever bytes were changed and signed again', async () => {
		await write();
		const bytes = readFileSync(inFolder('x')).subarray(0, -32);
		const edit = fc.record({ at: fc.nat(bytes.length - 1), byte: fc.nat(255) });
		await fc.assert(
			fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 20 }), async (edits) => {
				const changed = Buffer.from(bytes);
				for (const { at, byte } of edits) changed[at] = byte;
				writeFileSync(inFolder('x'), changed);
				await seal(inFolder('x'));
				const backup = await Backup.open(inFolder('x')).catch((error: unknown) => error);
				if (backup instanceof Backup) backup.close();
				else expect(backup).toBeInstanceOf(BackupError);
			}),
			{ numRuns: 300 },
		);
	});

	test('is found to be damaged when any byte of it is changed, cut off, or added', async () => {
		await write();
		const bytes = readFileSync(inFolder('x'));
		const check = async (changed: Uint8Array) => {
			writeFileSync(inFolder('y'), changed);
			(await Backup.open(inFolder('y'))).close();
		};
		await check(bytes);
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

	test('is read without the journals that lie beside it', async () => {
		await write();
		const content = await contentOf('x');
		for (const suffix of ['-journal', '-wal', '-shm']) writeFileSync(inFolder(`x${suffix}`), 'something');
		expect(await contentOf('x')).toEqual(content);
		for (const suffix of ['-journal', '-wal', '-shm'])
			expect(readFileSync(inFolder(`x${suffix}`), 'utf8')).toBe('something');
	});

	test('is refused when it is no backup, or another version has written it', async () => {
		const open = async () => Backup.open(inFolder('x'));
		for (const foreign of [Buffer.from('PK\x03\x04 a foreign file that is long enough'), Buffer.alloc(0)]) {
			writeFileSync(inFolder('x'), foreign);
			await expect(open()).rejects.toThrow('not a backup');
		}
		writeFileSync(inFolder('x'), 'EASEL BACKUP\r\n\x1a\n and its records');
		await expect(open()).rejects.toThrow('an earlier version of Easel');
		await opened(sqlite('easel.db'), fill);
		await expect(Backup.open(inFolder('easel.db'))).rejects.toThrow('not a backup');
		await write('PRAGMA user_version = 99');
		await expect(open()).rejects.toThrow(NewerBackupError);
		await write(entry('chats', 'schema', `{"value":${SCHEMA_VERSION + 1}}`));
		await expect(open()).rejects.toThrow(NewerBackupError);
	});
});
