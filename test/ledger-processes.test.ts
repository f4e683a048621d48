import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, test } from 'vitest';
import { settleAfterCrash } from '../src/bot/outcome.ts';
import { openStore } from '../src/store/open-store.ts';
import { Lease } from '../src/usage/lease.ts';
import { Ledger } from '../src/usage/ledger.ts';
import { SettingsRepository } from '../src/usage/settings-repository.ts';
import { redisIsHere, startRedis } from './fakes/redis.ts';

const TRIES = 500;
const CAP = 100;
const place = { platform: 'test', server: 'club', channel: 'general' };
const moderator = { id: 'mod', name: 'Mod' };

type Opened = { url: string; close(): Promise<unknown> };

async function openSqlite(): Promise<Opened> {
	const folder = await mkdtemp(join(tmpdir(), 'easel-'));
	return { url: `sqlite:${folder}/easel.db`, close: () => rm(folder, { recursive: true }) };
}

describe.each([
	['one SQLite file', true, openSqlite],
	['one Redis', redisIsHere, startRedis as () => Promise<Opened>],
])('two processes on %s', (_, isHere, open) => {
	const children: ChildProcess[] = [];
	afterEach(() => {
		for (const child of children.splice(0)) child.kill('SIGKILL');
	});

	/** A process that waits for the word, and what it has been granted so far. */
	async function startAsking(url: string, name: string) {
		const script = join(import.meta.dirname, 'fakes/asking-process.ts');
		const child = spawn(process.execPath, [script, url, name, String(TRIES)], { stdio: ['pipe', 'pipe', 'inherit'] });
		children.push(child);
		const granted: string[] = [];
		const lines = createInterface(child.stdout);
		const ready = Promise.withResolvers<void>();
		const some = Promise.withResolvers<void>();
		lines.on('line', (line) => {
			if (line === 'ready') return ready.resolve();
			granted.push(line);
			if (granted.length === 20) some.resolve();
		});
		await ready.promise;
		return { child, granted, some: some.promise, go: () => child.stdin.end('go\n'), ended: once(child, 'close') };
	}

	async function openLedger(url: string) {
		const store = await openStore(url);
		const space = store.space('ledger');
		const settings = new SettingsRepository(space, Date.now);
		const lease = new Lease(space, Date.now);
		const ledger = new Ledger({ space, settings, plan: { price: 30 }, processId: lease.processId, now: Date.now });
		const used = async () =>
			(await ledger.usageStatus(place, { id: 'nobody' })).find(({ name }) => name === 'server')?.used;
		await settings.change(place, moderator, 'test', (before) => ({
			...before,
			limits: [{ scope: 'server', period: 'day', images: CAP }],
		}));
		return { store, ledger, lease, used };
	}

	test.runIf(isHere)(`share a cap of ${CAP}: exactly ${CAP} of ${2 * TRIES} tries are granted`, async () => {
		const place = await open();
		const { store, ledger, used } = await openLedger(place.url);
		const [one, other] = await Promise.all([startAsking(place.url, 'one'), startAsking(place.url, 'other')]);
		one.go();
		other.go();
		await Promise.all([one.ended, other.ended]);
		expect(one.granted.length + other.granted.length).toBe(CAP);
		expect(await used()).toBe(CAP);
		expect(await ledger.verify()).toEqual([]);
		await store.close();
		await place.close();
	});

	test.runIf(isHere)('one of them killed in the middle: the cap holds, and afterwards nothing is lost', async () => {
		const place = await open();
		const { store, ledger, lease, used } = await openLedger(place.url);
		const [one, other] = await Promise.all([startAsking(place.url, 'one'), startAsking(place.url, 'other')]);
		one.go();
		other.go();
		await Promise.race([one.some, one.ended]);
		one.child.kill('SIGKILL');
		await Promise.all([one.ended, other.ended]);
		expect(one.granted.length + other.granted.length).toBeLessThanOrEqual(CAP);

		// As a sweep ends the jobs of a process that is gone.
		for await (const job of ledger.openJobs()) {
			expect(await lease.hasExpired(job.process)).toBe(true);
			const mine = await ledger.claim(job);
			if (!mine) throw new Error('Nobody else is there to claim it');
			await ledger.close(await settleAfterCrash(ledger, mine), 'delivered');
		}
		expect(await Array.fromAsync(ledger.openJobs())).toEqual([]);
		expect(await ledger.verify()).toEqual([]);
		const receipts = await Array.fromAsync(ledger.receipts({ platform: 'test', server: 'club' }));
		const counted = receipts.filter(({ outcome }) => outcome !== 'failed').map(({ id }) => `granted ${id}`);
		expect(counted.length).toBe(await used());
		expect(counted.length).toBeLessThanOrEqual(CAP);
		// Every call that was sent is on the books.
		expect([...one.granted, ...other.granted].filter((line) => !counted.includes(line))).toEqual([]);
		await store.close();
		await place.close();
	});
});
