import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Embedder } from '../../src/bot/search/embedder.ts';
import { quantize } from '../../src/bot/search/int8-vector.ts';
import { ResultSearch } from '../../src/bot/search/result-search.ts';
import { SearchEntries, type StoredEmbedding } from '../../src/bot/search/search-entries.ts';
import type { Place } from '../../src/domain/place.ts';
import { createLog } from '../../src/log.ts';
import { openStore } from '../../src/store/open-store.ts';
import { timedMember } from '../../src/store/pages.ts';
import { LoopMonitor } from '../growth/loop-monitor.ts';
import { type Figures, median, table } from '../runner.ts';

export const description = `Searches of /find among 100,000 results of one server, without the call that embeds the words, records in SQLite. Missed:
the share of the ten best results, by an exact scan of 32-bit floats, that are not among the first ten found. First search: reads the index. Vectors are
drawn around 2,000 topics; a fifth of the results are in another channel, and are not found.`;

const RESULTS = 100_000;
const TOPICS = 2000;
const QUERIES = 40;
const BATCH = 500;
const DAY_MS = 24 * 3600_000;
const FIRST = 10;
const LENGTHS = [256, 1024];
/** How far vectors are from their topic: two of one topic have a cosine of about 0.6. */
const SPREAD = 0.8;

const place: Place = { platform: 'bench', server: 'club', channel: 'general' };
const reader = { id: 'reader' };

export async function run(): Promise<Record<string, Figures>> {
	const rows: Record<string, Figures> = {};
	for (const length of LENGTHS) rows[`${length} dimensions`] = await measure(length);
	console.log(`\n${table(rows)}`);
	return rows;
}

async function measure(length: number): Promise<Figures> {
	const random = randomOf(length);
	const topics = Array.from({ length: TOPICS }, () => around(undefined, length, random));
	const topicOf = () => topics[Math.floor(random() * TOPICS)];
	const vectors = new Float32Array(RESULTS * length);
	const folder = await mkdtemp(join(tmpdir(), 'easel-bench-'));
	const store = await openStore(`sqlite:${join(folder, 'easel.db')}`);
	const space = store.space('search');
	const added = Date.now() - DAY_MS;
	for (let first = 0; first < RESULTS; first += BATCH) {
		const batch = Array.from({ length: BATCH }, (_, at) => {
			const number = first + at;
			const vector = around(topicOf(), length, random);
			vectors.set(vector, number * length);
			return { job: `${number}`, ...entryOf(vector, isVisible(number) ? 'general' : 'elsewhere', added) };
		});
		await space.commit({
			put: batch.map(({ job, ...value }) => ({ key: `bench/club/${job}`, value })),
			index: batch.map(({ job }) => ({ index: 'bench/club', member: timedMember(added, job) })),
		});
	}
	const queries = new Map(Array.from({ length: QUERIES }, (_, at) => [`${at}`, around(topicOf(), length, random)]));
	const search = await createSearch(new SearchEntries(space, Number.MAX_SAFE_INTEGER), queries);
	const find = (words: string) => search.search(place, reader, words, false);
	const firstMs = await timed(() => find('0'));
	const monitor = new LoopMonitor();
	const found = new Map<string, string[]>();
	const searches: number[] = [];
	for (const words of queries.keys())
		searches.push(await timed(async () => void found.set(words, (await find(words)).slice(0, FIRST))));
	const held = await monitor.stop();
	const scans: number[] = [];
	let hits = 0;
	for (const [words, vector] of queries) {
		const began = performance.now();
		const best = exactScan(vectors, vector);
		scans.push(performance.now() - began);
		hits += best.filter((job) => found.get(words)?.includes(job)).length;
	}
	await store.close();
	await rm(folder, { recursive: true });
	return {
		'missed of ten, %': 100 * (1 - hits / (QUERIES * FIRST)),
		'search, ms': median(searches),
		'exact scan, ms': median(scans),
		'search, of the exact scan': median(searches) / median(scans),
		'loop held, ms': held.wall,
		'first search, s': firstMs / 1000,
	};
}

/** Creates the search of a process, whose service embeds words as these vectors. */
async function createSearch(entries: SearchEntries, queries: ReadonlyMap<string, Float32Array>): Promise<ResultSearch> {
	const log = await createLog({ level: 'silent', format: 'json', secrets: [] });
	const service = {
		embed: async ({ input }: { input: readonly string[] }) => input.map((text) => [...(queries.get(text) ?? [])]),
	};
	const embedder = new Embedder({ service, stopping: new AbortController().signal, log, now: Date.now });
	return new ResultSearch({ entries, requests: { find: async () => undefined }, embedder, model: 'm', now: Date.now });
}

const entryOf = (vector: Float32Array, channel: string, added: number): StoredEmbedding => {
	const encoded = Buffer.from(quantize(vector)).toString('base64');
	return { person: 'p', channel, private: false, model: 'm', added, vector: encoded };
};

/** Every fifth result is not visible in the channel of the search. */
const isVisible = (number: number) => number % 5 !== 0;

function exactScan(vectors: Float32Array, query: Float32Array): string[] {
	const best: { job: string; value: number }[] = [];
	for (let number = 0; number < RESULTS; number++) {
		if (!isVisible(number)) continue;
		const start = number * query.length;
		let value = 0;
		for (let at = 0; at < query.length; at++) value += (vectors[start + at] ?? 0) * (query[at] ?? 0);
		if (best.length === FIRST && value <= (best.at(-1)?.value ?? 0)) continue;
		best.push({ job: `${number}`, value });
		best.sort((one, other) => other.value - one.value);
		best.length = Math.min(best.length, FIRST);
	}
	return best.map(({ job }) => job);
}

/** Returns a vector of length 1 in a random direction, or near another one. */
function around(topic: Float32Array | undefined, length: number, random: () => number): Float32Array {
	const spread = (topic ? SPREAD : 1) / Math.sqrt(length);
	const vector = Float32Array.from({ length }, (_, at) => (topic?.[at] ?? 0) + spread * normal(random));
	const size = Math.hypot(...vector);
	return vector.map((value) => value / size);
}

/** A number of the normal distribution. https://en.wikipedia.org/wiki/Box%E2%80%93Muller_transform */
const normal = (random: () => number) => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** The same numbers in every run. https://en.wikipedia.org/wiki/Linear_congruential_generator */
function randomOf(seed: number): () => number {
	let state = seed;
	return () => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return state / 2 ** 32;
	};
}

async function timed(work: () => Promise<unknown>): Promise<number> {
	const began = performance.now();
	await work();
	return performance.now() - began;
}
