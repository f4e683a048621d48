import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, test } from 'vitest';
import { outcomeOfCrash } from '../src/jobs/outcome.ts';
import { openStore } from '../src/store/open-store.ts';
import { usageStatus } from '../src/usage/caps.ts';
import { receiptsOf } from '../src/usage/jobs.ts';
import { Lease } from '../src/usage/lease.ts';
import { createLedgerContext } from '../src/usage/ledger.fixture.ts';
import { findMismatches } from '../src/usage/windows.ts';
import { hasRedis, startRedis } from './harness/redis.ts';

const TRIES = 500;
const CAP = 100;
const place = { platform: 'test', server: 'club', channel: 'general' };
const moderator = { id: 'mod', name: 'Mod' };

type SharedStore = { url: string; close(): Promise<unknown> };

async function createSqlite(): Promise<SharedStore> {
	const folder = await mkdtemp(join(tmpdir(), 'easel-'));
	return { url: `sqlite:${folder}/easel.db`, close: () => rm(folder, { recursive: true }) };
}

describe.each([
	['one SQLite file', true, createSqlite],
	['one Redis server', hasRedis, startRedis as () => Promise<SharedStore>],
])('two processes on %s', (_, isAvailable, create) => {
	const children: ChildProcess[] = [];
	afterEach(() => {
		for (const child of children.splice(0)) child.kill('SIGKILL');
	});

	/** Starts a process that makes requests once it is told to, and collects the ids of the calls that it may send. */
	async function startProcess(url: string, name: string) {
		const script = join(import.meta.dirname, 'harness/ledger-process.ts');
		const child = spawn(process.execPath, [script, url, name, String(TRIES)], { stdio: ['pipe', 'pipe', 'inherit'] });
		children.push(child);
		const granted: string[] = [];
		const lines = createInterface(child.stdout);
		const ready = Promise.withResolvers<void>();
		const someGranted = Promise.withResolvers<void>();
		lines.on('line', (line) => {
			if (line === 'ready') return ready.resolve();
			granted.push(line);
			if (granted.length === 20) someGranted.resolve();
		});
		await ready.promise;
		const go = () => child.stdin.end('go\n');
		return { child, granted, someGranted: someGranted.promise, go, ended: once(child, 'close') };
	}

	async function openLedger(url: string) {
		const store = await openStore(url);
		const space = store.space('ledger');
		const lease = new Lease(space, Date.now);
		const easel = createLedgerContext(store, { lease });
		const { settings, ledger } = easel;
		const used = async () => {
			const statuses = await usageStatus(easel, await settings.get(place), place, { id: 'nobody' });
			return statuses.find(({ name }) => name === 'server')?.used;
		};
		await settings.change(place, moderator, 'test', (before) => ({
			...before,
			limits: [{ scope: 'server', period: 'day', images: CAP }],
		}));
		const verify = () => findMismatches(space, easel);
		return { store, space, ledger, lease, used, verify };
	}

	test.runIf(isAvailable)(`are granted exactly ${CAP} of ${2 * TRIES} calls by a cap of ${CAP}`, async () => {
		const shared = await create();
		const { store, used, verify } = await openLedger(shared.url);
		const [one, other] = await Promise.all([startProcess(shared.url, 'one'), startProcess(shared.url, 'other')]);
		one.go();
		other.go();
		await Promise.all([one.ended, other.ended]);
		expect(one.granted.length + other.granted.length).toBe(CAP);
		expect(await used()).toBe(CAP);
		expect(await verify()).toEqual([]);
		await store.close();
		await shared.close();
	});

	test.runIf(isAvailable)('keep the cap and lose no call when one of them is killed', async () => {
		const shared = await create();
		const { store, space, ledger, lease, used, verify } = await openLedger(shared.url);
		const [one, other] = await Promise.all([startProcess(shared.url, 'one'), startProcess(shared.url, 'other')]);
		one.go();
		other.go();
		await Promise.race([one.someGranted, one.ended]);
		one.child.kill('SIGKILL');
		await Promise.all([one.ended, other.ended]);
		expect(one.granted.length + other.granted.length).toBeLessThanOrEqual(CAP);

		// A sweep ends the jobs of a dead process in the same way.
		for await (const job of ledger.openJobs()) {
			await expect.poll(() => lease.hasExpired(job.process), { timeout: 30_000 }).toBe(true);
			const claimed = await ledger.claim(job);
			if (!claimed) throw new Error('Another process has claimed the job.');
			await ledger.end(claimed, { outcome: outcomeOfCrash(claimed), pictures: 0 });
		}
		expect(await Array.fromAsync(ledger.openJobs())).toEqual([]);
		expect(await verify()).toEqual([]);
		const receipts = await Array.fromAsync(
			receiptsOf(space, { platform: 'test', server: 'club' }, { from: 0, to: Date.now() + 1000 }),
		);
		const counted = receipts.filter(({ outcome }) => outcome !== 'failed').map(({ id }) => `granted ${id}`);
		expect(counted.length).toBe(await used());
		expect(counted.length).toBeLessThanOrEqual(CAP);
		// Every call that was sent has a receipt and counts.
		expect([...one.granted, ...other.granted].filter((line) => !counted.includes(line))).toEqual([]);
		await store.close();
		await shared.close();
	});
});
