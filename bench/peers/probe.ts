import { Session } from 'node:inspector/promises';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';

/**
 * What a process runs between two messages of its parent, `walk` and `walked`: loaded before the program, with `--import`. Functions
 * are counted by V8's precise coverage, the work of the store by the statements of its tag store.
 */

/** Distinct functions of Easel that ran, the files that they are in, and the work of the store. */
export type Walk = {
	functions: number;
	files: number;
	/** Of these, files outside of the platforms. */
	'core files': number;
	transactions: number;
	'row writes': number;
	'row reads': number;
};

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PRODUCT = /^(?:src|commands)\//;
const WRITES = /^\s*(?:INSERT|UPDATE|DELETE|REPLACE)/i;
const BEGINS = /^\s*BEGIN/i;
const ENDS = /^\s*(?:COMMIT|END|ROLLBACK)/i;

const counts = { transactions: 0, writes: 0, reads: 0 };
let isOpen = false;

/** @param rows how many rows the statement has changed or returned */
function count(sql: string, rows: number, values: readonly unknown[]): void {
	if (process.env['WALK_ROWS']) console.error(rows, sql.trim(), values);
	if (BEGINS.test(sql)) isOpen = true;
	else if (ENDS.test(sql)) {
		isOpen = false;
		counts.transactions += 1;
	} else if (WRITES.test(sql)) {
		counts.writes += rows;
		if (!isOpen) counts.transactions += 1;
	} else counts.reads += rows;
}

const { createTagStore } = DatabaseSync.prototype;
DatabaseSync.prototype.createTagStore = function (this: DatabaseSync, ...size: Parameters<typeof createTagStore>) {
	const tags = createTagStore.apply(this, size);
	const { run, get, all } = tags;
	tags.run = (strings, ...values) => {
		const result = run.call(tags, strings, ...values);
		count(strings.join('?'), Number(result.changes), values);
		return result;
	};
	tags.get = (strings, ...values) => {
		const row = get.call(tags, strings, ...values);
		count(strings.join('?'), row ? 1 : 0, values);
		return row;
	};
	tags.all = (strings, ...values) => {
		const rows = all.call(tags, strings, ...values);
		count(strings.join('?'), rows.length, values);
		return rows;
	};
	return tags;
};

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

process.on('message', async (message) => {
	if (message === 'walk') {
		await session.post('Profiler.takePreciseCoverage');
		Object.assign(counts, { transactions: 0, writes: 0, reads: 0 });
		process.send?.('walking');
	}
	if (message === 'walked') process.send?.(await takeWalk());
});

process.channel?.unref();

async function takeWalk(): Promise<Walk> {
	const { transactions, writes, reads } = counts;
	const { result } = await session.post('Profiler.takePreciseCoverage');
	const files = new Map<string, string[]>();
	for (const { url, functions } of result) {
		const path = url.startsWith('file:') ? fileURLToPath(url).slice(ROOT.length) : '';
		const ran = functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0).map(({ functionName }) => functionName);
		if (ran.length > 0 && PRODUCT.test(path)) files.set(path, ran);
	}
	if (process.env['WALK_FILES'])
		console.error([...files].map(([path, ran]) => `${ran.length}\t${path}\t${ran.join(' ')}`).join('\n'));
	return {
		functions: [...files.values()].reduce((sum, ran) => sum + ran.length, 0),
		files: files.size,
		'core files': [...files.keys()].filter((path) => !path.startsWith('src/platforms/')).length,
		transactions,
		'row writes': writes,
		'row reads': reads,
	};
}
