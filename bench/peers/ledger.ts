import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Figures } from '../runner.ts';
import { openEaselLedger } from './ledger-easel.ts';
import type { LedgerPeer } from './ledger-peer.ts';
import { openRedisLedger } from './ledger-redis.ts';
import { openSqliteLedger } from './ledger-sqlite.ts';

/** Measures one ledger: `ledger.ts easel|raw sqlite|URL IN_FLIGHT MEMBERS`. Sends its figures to the parent process. */

const [name = '', url = '', inFlight = '', members = ''] = process.argv.slice(2);
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
			await ledger.call(`job-${id}`, `m${Math.floor(Math.random() * Number(members))}`);
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
await ledger.fill(Number(members));
const figures = await measure(ledger);
await ledger.close();
rmSync(folder, { recursive: true });
process.send?.(figures);
