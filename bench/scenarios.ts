import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Program } from './programs.ts';
import { alternate, type Figures, quantile, start, stop, table } from './runner.ts';

/** A fake chat platform on loopback, with the bot that is measured. */
export type BotFixture = {
	bot: Program;
	/** Requests a picture as one of the members. */
	imagine(member: number): Command;
	/** Returns how many calls of the platform's API the bot has made. */
	calls(): number;
	close(): Promise<void>;
};

/** A command under way. */
export type Command = {
	/** Resolves when the platform has the acknowledgement. */
	acknowledged: Promise<void>;
	/** Returns the number of pictures that have been posted. */
	pictures(): number;
};

export const MEMBERS = 200;

const TIMEOUT_MS = 60_000;

type Scenario = {
	title: string;
	rounds: number;
	ratios: readonly string[];
	run(fixture: BotFixture): Promise<Figures>;
};

/** `answer` is the stub's answer to every call. */
const SCENARIOS: readonly (Scenario & { answer: string })[] = [
	{
		title: '300 commands, one after the other, each for a picture of 4 kB',
		answer: 'tiny',
		rounds: 3,
		ratios: [],
		async run(fixture) {
			const before = fixture.calls();
			const [firstAcks, firstPosts] = await oneByOne(fixture, MEMBERS, 1);
			const after = fixture.calls();
			const [laterAcks, laterPosts] = await oneByOne(fixture, 300 - MEMBERS, 1);
			const [acks, posts] = [
				[...firstAcks, ...laterAcks],
				[...firstPosts, ...laterPosts],
			];
			return {
				'acknowledged p50, ms': quantile(acks, 0.5),
				'acknowledged p99, ms': quantile(acks, 0.99),
				'posted p50, ms': quantile(posts, 0.5),
				"API calls a member's first command": (after - before) / MEMBERS,
				'API calls a command': (fixture.calls() - after) / (300 - MEMBERS),
			};
		},
	},
	{
		title: '10,000 commands, 50 at a time: resident memory in between',
		answer: 'tiny',
		rounds: 1,
		ratios: [],
		async run(fixture) {
			const figures: Figures = { 'idle, MB': fixture.bot.memory() };
			let done = 0;
			for (const mark of [1000, 2500, 5000, 7500, 10_000]) {
				for (; done < mark; done += 50) {
					const commands = Array.from({ length: 50 }, (_, index) => fixture.imagine((done + index) % MEMBERS));
					for (const one of commands) await posted(one, 1);
				}
				figures[`after ${mark}, MB`] = fixture.bot.memory();
			}
			return figures;
		},
	},
];

/** Runs every scenario with each bot in a process of its own, with a service that answers at once. */
export async function runScenarios(bots: Record<string, (service: string) => Promise<BotFixture>>) {
	const stub = await start<string>(fileURLToPath(import.meta.resolve('./peers/stub.ts')));
	const results: Record<string, Record<string, Figures>> = {};
	try {
		for (const { title, answer, rounds, ratios, run } of SCENARIOS) {
			const rows = await alternate(Object.keys(bots), rounds, async (name) => {
				const fixture = await bots[name]!(`${stub.message}/${answer}`);
				try {
					return await run(fixture);
				} finally {
					await fixture.close();
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

/** Returns the milliseconds until each command was acknowledged, and until its pictures were posted. */
async function oneByOne(fixture: BotFixture, count: number, pictures: number): Promise<[number[], number[]]> {
	const acks: number[] = [];
	const posts: number[] = [];
	for (let index = 0; index < count; index++) {
		const began = performance.now();
		const command = fixture.imagine(index % MEMBERS);
		void command.acknowledged.then(() => acks.push(performance.now() - began));
		await posted(command, pictures);
		posts.push(performance.now() - began);
	}
	return [acks, posts];
}

/** Waits until a command has posted so many pictures. */
export async function posted(command: Command, pictures: number): Promise<void> {
	for (const deadline = performance.now() + TIMEOUT_MS; command.pictures() < pictures; await pause(1))
		if (performance.now() > deadline) throw new Error(`Only ${command.pictures()} of ${pictures} pictures came`);
}
