import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { alternate, type Figures, quantile, table, withStub } from '../runner.ts';
import { posted } from '../scenarios.ts';
import { openDiscord, startEasel } from './discord.ts';

export const description = `What a picture costs on Discord and SQLite when the store has so many earlier ones, each with all of its entries: copies
of those that Easel has made in the same process, in the same server, by the same members. Idle: CPU of ten seconds without a request. Fresh processes,
alternating rounds, medians. BENCH_PICTURES names other numbers than 0,10000,100000; a million takes 6 GB on disk.`;

const ROUNDS = 3;
const STEPS = (process.env['BENCH_PICTURES'] ?? '0,10000,100000').split(',').map(Number);
/** Pictures that Easel makes, and that are copied. */
const MODELS = 20;
const PICTURES = 100;
const IDLE_MS = 10_000;

export const run = () =>
	withStub(async (stub) => {
		const rows = await alternate(STEPS.map(String), ROUNDS, (count) => measure(`${stub}/tiny`, Number(count)));
		console.log(`\n${table(rows, Object.keys(Object.values(rows)[0] ?? {}))}`);
		return rows;
	});

async function measure(service: string, count: number): Promise<Figures> {
	const { discord, database, imagine, bot, close } = await openDiscord(startEasel(service));
	const user = discord.user('m0');
	try {
		const ids: string[] = [];
		for (let number = 0; number < MODELS; number += 1) {
			await posted(imagine(0));
			ids.push(user.last()?.id ?? '');
		}
		await pause(1000);
		copyPictures(database, ids, count / MODELS);

		const times: number[] = [];
		const cpu = bot.cpu();
		for (let number = 0; number < PICTURES; number += 1) {
			const began = performance.now();
			await posted(imagine(0));
			times.push(performance.now() - began);
		}
		const spent = bot.cpu() - cpu;
		const timed = async (command: string) => {
			const began = performance.now();
			await user.command(command, {});
			return performance.now() - began;
		};
		const [usage, history] = [await timed('usage'), await timed('history')];
		const idle = bot.cpu();
		await pause(IDLE_MS);
		return {
			'posted p50, ms': quantile(times, 0.5),
			'CPU a picture, ms': (1000 * spent) / PICTURES,
			'/usage, ms': usage,
			'/history, ms': history,
			'idle CPU, s': bot.cpu() - idle,
		};
	} finally {
		await close();
	}
}

/** Copies every row that names one of these requests, for another request each time, while Easel is running. */
function copyPictures(path: string, ids: readonly string[], copies: number): void {
	if (copies < 1) return;
	const database = new DatabaseSync(path, { timeout: 60_000 });
	const tables = database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).all() as { name: string }[];
	for (const { name } of tables) {
		const columns = database.prepare(`PRAGMA table_info("${name}")`).all() as { name: string; type: string }[];
		const isText = ({ type }: { type: string }) => /TEXT|BLOB|ANY|^$/i.test(type);
		const copied = columns.map((column) =>
			isText(column)
				? `CASE typeof("${column.name}") WHEN 'text' THEN replace("${column.name}", :id, :id + number) ELSE "${column.name}" END`
				: `"${column.name}"`,
		);
		const namesId = columns.filter(isText).map((column) => `instr("${column.name}", :id)`);
		if (namesId.length === 0) continue;
		const copy = database.prepare(
			`INSERT OR IGNORE INTO "${name}" WITH RECURSIVE numbers(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < :copies)
			 SELECT ${copied.join(', ')} FROM (SELECT * FROM "${name}" WHERE ${namesId.join(' OR ')}) CROSS JOIN numbers`,
		);
		for (const id of ids) copy.run({ id, copies });
	}
	database.close();
}
