import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createClient } from '@keyv/redis';
import type { Place } from '../../src/domain/channel.ts';
import type { Limit } from '../../src/domain/job.ts';
import { openStore } from '../../src/store/open-store.ts';
import { createLedgerContext } from '../../src/usage/ledger.fixture.ts';
import type { Figures } from '../runner.ts';

/** Measures one ledger: `ledger.ts easel|raw sqlite|URL IN_FLIGHT`. Sends its figures to the parent process. */

/** A ledger under test: takes a call of a member from five layers, with the job's entry; then settles it, with its receipt. */
type LedgerPeer = {
	call(id: string, member: string): Promise<void>;
	close(): Promise<void>;
};

const MEMBERS = 10;

const place: Place = { platform: 'bench', server: 'club', channel: 'general' };
/** Never reached, but always compared with. */
const CAP = 1_000_000_000;

const keysOf = (member: string) => ['plan', 'server:day', 'server:month', `${member}:day`, `${member}:month`];
/** As large as what the ledger writes for one call. */
const JOB = JSON.stringify({
	state: 'reserved',
	debits: keysOf('m12345').map((key) => [key, 1]),
	place,
	at: 1e12,
});

const TAKE = `
	if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
	for i = 2, #KEYS do
		if tonumber(redis.call('GET', KEYS[i]) or 0) >= ${CAP} then return 0 end
	end
	for i = 2, #KEYS do redis.call('INCR', KEYS[i]) end
	redis.call('SET', KEYS[1], ARGV[1])
	return 1`;
const SETTLE = `
	if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
	redis.call('SET', KEYS[1], ARGV[1])
	redis.call('SET', KEYS[2], ARGV[1])
	return 1`;

/** Two Lua scripts on Redis. */
async function openRedisLedger(url: string): Promise<LedgerPeer> {
	const client = createClient({ url });
	await client.connect();
	await Promise.all([client.scriptLoad(TAKE), client.scriptLoad(SETTLE)]);
	const [take, settle] = [TAKE, SETTLE].map((script) => createHash('sha1').update(script).digest('hex'));
	const run = async (script = '', keys: string[]) => {
		if ((await client.evalSha(script, { keys, arguments: [JOB] })) !== 1) throw new Error('The benchmark was refused.');
	};
	return {
		async call(id, member) {
			await run(take, [`job:${id}`, ...keysOf(member)]);
			await run(settle, [`receipt:${id}`, `job:${id}`]);
		},
		async close() {
			client.destroy();
		},
	};
}

/** Two prepared transactions on node:sqlite. */
function openSqliteLedger(path: string): LedgerPeer {
	const database = new DatabaseSync(path);
	database.exec(`
		PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
		CREATE TABLE counters (key TEXT PRIMARY KEY, used INTEGER NOT NULL) STRICT;
		CREATE TABLE jobs (id TEXT PRIMARY KEY, entry TEXT NOT NULL) STRICT;
		CREATE TABLE receipts (id TEXT PRIMARY KEY, entry TEXT NOT NULL) STRICT;`);
	const [begin, commit] = [database.prepare('BEGIN IMMEDIATE'), database.prepare('COMMIT')];
	const take = database.prepare(`
		INSERT INTO counters VALUES (?, 1) ON CONFLICT DO UPDATE SET used = used + 1 WHERE used < ${CAP} RETURNING used`);
	const insert = database.prepare('INSERT INTO jobs VALUES (?, ?)');
	const update = database.prepare('UPDATE jobs SET entry = ? WHERE id = ?');
	const receipt = database.prepare('INSERT INTO receipts VALUES (?, ?)');
	const together = (work: () => void) => {
		begin.run();
		work();
		commit.run();
	};
	return {
		async call(id, member) {
			together(() => {
				for (const key of keysOf(member)) if (!take.get(key)) throw new Error('The benchmark was refused.');
				insert.run(id, JOB);
			});
			together(() => {
				receipt.run(id, JOB);
				update.run(JOB, id);
			});
		},
		async close() {
			database.close();
		},
	};
}

/** Easel's ledger on a store. */
async function openEaselLedger(storeUrl: string): Promise<LedgerPeer> {
	const store = await openStore(storeUrl);
	const { settings, ledger } = createLedgerContext(store, { plan: { imagesPerMonth: CAP, price: 30 } });
	const limits: Limit[] = [];
	for (const scope of ['server', 'member'] as const)
		for (const period of ['day', 'month'] as const) limits.push({ scope, period, images: CAP });
	// A request for pictures hands on the settings that it has read for its rules.
	const changed = await settings.change(place, { id: 'mod', name: 'Mod' }, 'bench', (before) => ({
		...before,
		limits,
	}));
	return {
		async call(id, member) {
			const person = { id: member, name: member };
			const request = {
				id,
				command: 'imagine',
				place,
				person,
				message: { place, key: id },
				settings: changed.settings,
			};
			const job = await ledger.reserve(request);
			if (job === 'duplicate' || !('state' in job)) throw new Error('The benchmark was refused.');
			await ledger.answer(job, { kind: 'pictures', count: 1 }, { outcome: 'succeeded', pictures: 1 });
		},
		close: () => store.close(),
	};
}

const [name = '', url = '', inFlight = ''] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'easel-bench-'));
const path = join(folder, 'bench.db');

const WARM_UP_MS = 2000;
const MEASURE_MS = 1500;

function openLedger(): LedgerPeer | Promise<LedgerPeer> {
	if (name === 'easel') return openEaselLedger(url === 'sqlite' ? `sqlite:${path}` : url);
	return url === 'sqlite' ? openSqliteLedger(path) : openRedisLedger(url);
}

async function measure(ledger: LedgerPeer): Promise<Figures> {
	let count = 0;
	let done = false;
	const worker = async () => {
		while (!done) {
			const id = count++;
			await ledger.call(`job-${id}`, `m${Math.floor(Math.random() * MEMBERS)}`);
			// Without a pause, a synchronous ledger would block the timers.
			if (id % 64 === 0) await new Promise(setImmediate);
		}
	};
	const workers = Array.from({ length: Number(inFlight) }, worker);
	const span = async (milliseconds: number) => {
		const [from, at, cpu] = [count, performance.now(), process.cpuUsage()];
		await new Promise((resolve) => setTimeout(resolve, milliseconds));
		const { user, system } = process.cpuUsage(cpu);
		const calls = count - from;
		return { 'calls/s': (calls * 1000) / (performance.now() - at), 'CPU µs/call': (user + system) / calls };
	};
	await span(WARM_UP_MS);
	const figures = await span(MEASURE_MS);
	done = true;
	await Promise.all(workers);
	return figures;
}

const ledger = await openLedger();
const figures = await measure(ledger);
await ledger.close();
rmSync(folder, { recursive: true });
process.send?.(figures);
