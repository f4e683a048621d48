import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hasRedis, startRedis } from '../../test/fakes/redis.ts';
import { allRounds, type Figures, median, start, stop, table } from '../runner.ts';

export const description = `What the store costs with so many earlier pictures, each of which still has all of its entries. They are spread over
24 earlier months, 100 servers, 200 members and 10 channels; a tenth of them was made in the measured server, and another tenth in
one month of another server. The running month has 300 pictures of the measured server, whatever the number of earlier ones.
Picture: every call to the store from the reservation until the job is closed. Sweep: 25 open jobs and 10 waiting turns of a living
process. Report: the running month's receipts and totals, summarized. Cap: the calls of a channel that gets a cap. Hold: the longest
time for which the event loop was held, other programs and the disk included; CPU hold: the thread's own CPU time in it.
Every run in a fresh process, alternating rounds. Of each run the lower quartile; of all runs medians, ratios of the same round to the
first row with their range, and the longest hold.
SQLite is on disk in the temporary folder; Redis writes its append-only file every second.
BENCH_PICTURES names other numbers of earlier pictures than 0,10000,100000. A million takes up 2.3 GB on disk and 3 GB of memory, and up to
20 minutes more: BENCH_PICTURES=0,10000,100000,1000000 npm run bench -- growth.`;

const ROUNDS = 5;
const STEPS = (process.env['BENCH_PICTURES'] ?? '0,10000,100000').split(',').map(Number);
/** How many pictures are added up, and migrated. */
const UPKEEP_PICTURES = 20_000;

type Results = Record<string, Record<string, Figures>>;

/** An empty store for each call. */
type NewStore = (name: string) => string;

export async function run(): Promise<Results> {
	const results: Results = {};
	const folder = mkdtempSync(join(tmpdir(), 'easel-growth-'));
	try {
		await measure('SQLite', (name) => `sqlite:${join(folder, `${name}.db`)}`, results);
	} finally {
		rmSync(folder, { recursive: true });
	}
	if (!hasRedis) return results;
	const redis = await startRedis('--appendfsync', 'everysec', '--auto-aof-rewrite-percentage', '0');
	let databases = 0;
	try {
		await measure('Redis', () => `${redis.url}/${databases++}`, results);
	} finally {
		await redis.close();
	}
	return results;
}

async function measure(name: string, newStore: NewStore, results: Results): Promise<void> {
	const print = (title: string, rows: Record<string, Figures>) => {
		results[`${name}: ${title}`] = rows;
		console.log(`\n## ${name}: ${title}\n\n${table(rows)}`);
	};
	const bytes = await perform('bytes', newStore('bytes'));
	print('kept of a delivered picture', byMoment(bytes));

	const stores = new Map<string, string>();
	for (const pictures of STEPS) {
		const url = newStore(`with-${pictures}`);
		stores.set(String(pictures), url);
		const { seconds } = await perform('fill', url, pictures);
		console.log(`\nFilled with ${pictures} pictures in ${seconds?.toFixed(0)} s.`);
	}
	const runs = await allRounds([...stores.keys()], ROUNDS, (pictures) => perform('growth', stores.get(pictures) ?? ''));
	const baseline = Object.values(runs)[0] ?? [];
	for (const operation of ['picture', 'sweep', 'report', 'cap']) {
		const rows = Object.entries(runs).map(([pictures, all]) => [pictures, growthOf(operation, all, baseline)]);
		print(operation, Object.fromEntries(rows));
	}
	const [most = ''] = [...stores.values()].slice(-1);
	print('report of a huge month', { '': await perform('hugeReport', most) });

	const sums = newStore('sums');
	await perform('fill', sums, UPKEEP_PICTURES);
	print('adding up old receipts', { '': await perform('sums', sums, UPKEEP_PICTURES) });
	const old = newStore('version-1');
	await perform('fillVersion1', old, UPKEEP_PICTURES);
	print('migration', { '': await perform('migration', old) });
}

async function perform(task: string, url: string, pictures = 0): Promise<Figures> {
	const script = fileURLToPath(import.meta.resolve('../peers/growth.ts'));
	const { process, message } = await start<Figures>(script, task, url, String(pictures));
	await stop(process);
	return message;
}

function byMoment(figures: Figures): Record<string, Figures> {
	const rows: Record<string, Figures> = {};
	for (const [name, figure] of Object.entries(figures)) {
		const [column = '', ...moment] = name.split(' ');
		rows[moment.join(' ')] = { ...rows[moment.join(' ')], [column]: figure };
	}
	return rows;
}

/** Compares the rounds of one number of earlier pictures with the same rounds of the first number. */
function growthOf(operation: string, all: readonly Figures[], baseline: readonly Figures[]): Figures {
	const column = (name: string, runs: readonly Figures[]) => runs.map((figures) => figures[`${operation}${name}`] ?? 0);
	const ratios = (name: string) => {
		const before = column(name, baseline);
		return column(name, all).map((figure, round) => figure / (before[round] ?? Number.NaN));
	};
	const [ms, cpu] = [', ms', ': CPU, ms'];
	return {
		ms: median(column(ms, all)),
		'ms ×': median(ratios(ms)),
		'from ×': Math.min(...ratios(ms)),
		'to ×': Math.max(...ratios(ms)),
		'CPU, ms': median(column(cpu, all)),
		'CPU ×': median(ratios(cpu)),
		'hold, ms': Math.max(...column(': hold, ms', all)),
		'CPU hold, ms': Math.max(...column(': CPU hold, ms', all)),
	};
}
