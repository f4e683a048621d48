import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Program } from './programs.ts';
import { alternate, type Figures, start, stop, table } from './runner.ts';

/** A chat platform on loopback, with a bot on it that is measured. */
export type Stage = {
	bot: Program;
	/** Somebody asks for a picture; every member does it for themselves. */
	imagine(member: number): Asked;
	close(): Promise<void>;
};

/** One command. */
export type Asked = {
	/** Resolves when the platform has its acknowledgement. */
	acknowledged: Promise<void>;
	/** How many pictures have been posted. */
	pictures(): number;
};

export const MEMBERS = 200;

const BOUND_MS = 60_000;

type Scene = { title: string; rounds: number; ratios: readonly string[]; play(stage: Stage): Promise<Figures> };

/** By the stub's answer that they are about. */
const SCENES: readonly (Scene & { answer: string })[] = [
	{
		title: '300 commands, one after the other, each for a picture of 4 kB',
		answer: 'tiny',
		rounds: 3,
		ratios: [],
		async play(stage) {
			const [acks, posts] = await oneByOne(stage, 300, 1);
			return {
				'acknowledged p50, ms': quantile(acks, 0.5),
				'acknowledged p99, ms': quantile(acks, 0.99),
				'posted p50, ms': quantile(posts, 0.5),
			};
		},
	},
	{
		title: '30 commands, one after the other, each for a picture of 4 MB',
		answer: 'many',
		rounds: 3,
		ratios: ['posted p50, ms', 'CPU, s'],
		async play(stage) {
			const cpu = stage.bot.cpu();
			const [, posts] = await oneByOne(stage, 30, 1);
			return {
				'posted p50, ms': quantile(posts, 0.5),
				'posted p99, ms': quantile(posts, 0.99),
				'CPU, s': stage.bot.cpu() - cpu,
			};
		},
	},
	{
		title: `${MEMBERS} members at once, each for a picture of 4 kB`,
		answer: 'tiny',
		rounds: 3,
		ratios: ['all posted, ms', 'CPU, s'],
		async play(stage) {
			const cpu = stage.bot.cpu();
			const began = performance.now();
			const acks: number[] = [];
			const asked = Array.from({ length: MEMBERS }, (_, member) => stage.imagine(member));
			for (const { acknowledged } of asked) void acknowledged.then(() => acks.push(performance.now() - began));
			for (const one of asked) await posted(one, 1);
			return {
				'acknowledged p99, ms': quantile(acks, 0.99),
				'all posted, ms': performance.now() - began,
				'CPU, s': stage.bot.cpu() - cpu,
			};
		},
	},
	{
		title: 'Four pictures of 10 MB in one answer',
		answer: 'four',
		rounds: 5,
		ratios: ['peak over idle, MB', 'CPU, s'],
		async play(stage) {
			await pause(500);
			stage.bot.forget();
			const idle = stage.bot.memory();
			const cpu = stage.bot.cpu();
			const began = performance.now();
			await posted(stage.imagine(0), 4);
			const ms = performance.now() - began;
			return { 'peak over idle, MB': stage.bot.peak() - idle, 'CPU, s': stage.bot.cpu() - cpu, 'posted, ms': ms };
		},
	},
	{
		title: '10,000 commands, 50 at a time: resident memory in between',
		answer: 'tiny',
		rounds: 1,
		ratios: [],
		async play(stage) {
			const figures: Figures = { 'idle, MB': stage.bot.memory() };
			let done = 0;
			for (const mark of [1000, 2500, 5000, 7500, 10_000]) {
				for (; done < mark; done += 50) {
					const asked = Array.from({ length: 50 }, (_, index) => stage.imagine((done + index) % MEMBERS));
					for (const one of asked) await posted(one, 1);
				}
				figures[`after ${mark}, MB`] = stage.bot.memory();
			}
			return figures;
		},
	},
];

/** Every scene with each bot in a process of its own, in front of a service that answers at once. */
export async function playScenes(bots: Record<string, (service: string) => Promise<Stage>>) {
	const stub = await start<string>(fileURLToPath(import.meta.resolve('./peers/stub.ts')));
	const results: Record<string, Record<string, Figures>> = {};
	try {
		for (const { title, answer, rounds, ratios, play } of SCENES) {
			const rows = await alternate(Object.keys(bots), rounds, async (name) => {
				const stage = await bots[name]!(`${stub.message}/${answer}`);
				try {
					return await play(stage);
				} finally {
					await stage.close();
				}
			});
			results[title] = rows;
			console.log(`\n## ${title}\n\n${table(rows, ratios)}`);
		}
	} finally {
		await stop(stub.process);
	}
	return results;
}

/** Milliseconds until each was acknowledged, and until its pictures were there. */
async function oneByOne(stage: Stage, count: number, pictures: number): Promise<[number[], number[]]> {
	const acks: number[] = [];
	const posts: number[] = [];
	for (let index = 0; index < count; index++) {
		const began = performance.now();
		const asked = stage.imagine(index % MEMBERS);
		void asked.acknowledged.then(() => acks.push(performance.now() - began));
		await posted(asked, pictures);
		posts.push(performance.now() - began);
	}
	return [acks, posts];
}

async function posted(asked: Asked, pictures: number): Promise<void> {
	for (const bound = performance.now() + BOUND_MS; asked.pictures() < pictures; await pause(1))
		if (performance.now() > bound) throw new Error(`Only ${asked.pictures()} of ${pictures} pictures came`);
}

const quantile = (values: readonly number[], share: number) =>
	values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;
