import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openStore } from './open-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'easel-open-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
	['sqlite:', relative(process.cwd(), join(folder, 'a', 'relative.db'))],
	['sqlite:', join(folder, 'b', 'absolute.db')],
	['sqlite://', relative(process.cwd(), join(folder, 'slashes.db'))],
	['sqlite://', join(folder, 'three slashes.db')],
	['SQLite:', join(folder, 'file:odd?mode=memory #%.db')],
])('%s%s is a file there', async (scheme, path) => {
	const store = await openStore(scheme + path);
	await store.ping();
	await store.close();
	expect(existsSync(path)).toBe(true);
});

const MALFORMED_REDIS =
	'The address of the store is not written redis://USER:PASSWORD@HOST:PORT/DATABASE, or rediss:// for TLS; ' +
	'in user and password, characters like / # ? @ : are percent-encoded.';

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
	[
		'postgres://user:hunter2@localhost',
		'The address of the store is none that is known; sqlite:PATH, redis://HOST and memory: are.',
	],
	['constructor:x', 'The address of the store is none that is known; sqlite:PATH, redis://HOST and memory: are.'],
	['data/easel.db', 'The address of the store is none that is known; sqlite:PATH, redis://HOST and memory: are.'],
	['', 'The address of the store is none that is known; sqlite:PATH, redis://HOST and memory: are.'],
	['sqlite:', 'The address of the store has no path; it is written sqlite:PATH.'],
	['sqlite::memory:', 'A store that is kept in memory alone is written memory: .'],
	[`sqlite:${folder}`, `The database file ${folder} can't be written (EISDIR).`],
])('%s is refused in a sentence', async (url, sentence) => {
	await expect(openStore(url)).rejects.toThrow(expect.objectContaining({ name: 'StoreError', message: sentence }));
});
