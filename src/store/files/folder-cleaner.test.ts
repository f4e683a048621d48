import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { eventually } from '../../../test/harness/eventually.ts';
import { FolderCleaner } from './folder-cleaner.ts';

let folder: string;
beforeEach(() => {
	vi.useFakeTimers({ toFake: ['Date'] });
	folder = mkdtempSync(join(tmpdir(), 'easel-cleaner-'));
});
afterEach(() => {
	vi.useRealTimers();
	rmSync(folder, { recursive: true, force: true });
});

const write = (name: string, text = 'over') => writeFileSync(join(folder, name), text);
const left = () => readdirSync(folder).filter((name) => !name.startsWith('.'));
const cleaner = () => new FolderCleaner(folder, async (path) => (await readFile(path, 'utf8')) === 'over');

test('deletes what is over, once an hour', async () => {
	const one = cleaner();
	write('a');
	write('b', 'needed');
	await one.cleanIfDue();
	expect(left()).toEqual(['b']);
	write('c');
	await one.cleanIfDue();
	expect(left()).toEqual(['b', 'c']);
	vi.setSystemTime(Date.now() + 3600_000);
	await one.cleanIfDue();
	expect(left()).toEqual(['b']);
});

test('is done by one of several processes', async () => {
	await cleaner().cleanIfDue();
	write('a');
	await cleaner().cleanIfDue();
	expect(left()).toEqual(['a']);
	const anHourAgo = Date.now() / 1000 - 3600;
	utimesSync(join(folder, '.cleaned'), anHourAgo, anHourAgo);
	await cleaner().cleanIfDue();
	expect(left()).toEqual([]);
	expect(readFileSync(join(folder, '.cleaned'), 'utf8')).toBe('');
});

test('leaves time for other work', async () => {
	for (let number = 0; number < 300; number++) write(`${number}`);
	const cleaning = cleaner().cleanIfDue();
	await eventually(() => expect(left().length).toBeLessThan(300));
	expect(left().length).toBeGreaterThan(0);
	await cleaning;
	expect(left()).toEqual([]);
});

test('does nothing in a folder that does not exist', async () => {
	rmSync(folder, { recursive: true });
	await cleaner().cleanIfDue();
});
