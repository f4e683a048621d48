import { setTimeout as pause } from 'node:timers/promises';
import type { Program } from './programs.ts';
import { alternate, type Figures, quantile, table, withStub } from './runner.ts';

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

type Scenario = { title: string; rounds: number; run(fixture: BotFixture): Promise<Figures> };

const COMMANDS = 300;

const SCENARIOS: readonly Scenario[] = [
	{
		title: `${COMMANDS} commands, one after the other, each for a picture of 4 kB`,
		rounds: 3,
		async run(fixture) {
			const acks: number[] = [];
			const posts: number[] = [];
			const calls = [fixture.calls()];
			for (let index = 0; index < COMMANDS; index++) {
				if (index === MEMBERS) calls.push(fixture.calls());
				const began = performance.now();
				const command = fixture.imagine(index % MEMBERS);
				void command.acknowledged.then(() => acks.push(performance.now() - began));
				await posted(command);
				posts.push(performance.now() - began);
			}
			const [before = 0, after = 0] = calls;
			return {
				'acknowledged p50, ms': quantile(acks, 0.5),
				'acknowledged p99, ms': quantile(acks, 0.99),
				'posted p50, ms': quantile(posts, 0.5),
				"API calls a member's first command": (after - before) / MEMBERS,
				'API calls a command': (fixture.calls() - after) / (COMMANDS - MEMBERS),
			};
		},
	},
	{
		title: '10,000 commands, 50 at a time: resident memory in between',
		rounds: 1,
		async run(fixture) {
			const figures: Figures = { 'idle, MB': fixture.bot.memory() };
			let done = 0;
			for (const mark of [1000, 2500, 5000, 7500, 10_000]) {
				for (; done < mark; done += 50) {
					const commands = Array.from({ length: 50 }, (_, index) => fixture.imagine((done + index) % MEMBERS));
					for (const one of commands) await posted(one);
				}
				figures[`after ${mark}, MB`] = fixture.bot.memory();
			}
			return figures;
		},
	},
];

/** Runs every scenario with each bot in a process of its own, with a service that answers at once. */
export const runScenarios = (bots: Record<string, (service: string) => Promise<BotFixture>>) =>
	withStub(async (stub) => {
		const results: Record<string, Record<string, Figures>> = {};
		for (const { title, rounds, run } of SCENARIOS) {
			results[title] = await alternate(Object.keys(bots), rounds, async (name) => {
				const fixture = await bots[name]!(`${stub}/tiny`);
				try {
					return await run(fixture);
				} finally {
					await fixture.close();
				}
			});
			console.log(`\n## ${title}\n\n${table(results[title])}`);
		}
		return results;
	});

/** Waits until a command has posted its picture. */
export const posted = (command: Command): Promise<void> => until('a picture', () => command.pictures() > 0);

/** Waits for something that people would see. */
export async function until(what: string, isSeen: () => boolean | Promise<boolean>): Promise<void> {
	for (const deadline = performance.now() + TIMEOUT_MS; !(await isSeen()); await pause(1))
		if (performance.now() > deadline) throw new Error(`There was no ${what} in time`);
}
