import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { TestUser } from '../../packages/fakes/src/test-user.ts';
import type { Walk } from '../peers/probe.ts';
import type { Program } from '../programs.ts';
import { table, withStub } from '../runner.ts';
import { openDiscord, startEasel } from './discord.ts';

export const description = `How much of Easel one warm request runs, on Discord with records in SQLite: distinct functions and files by V8's precise
coverage, the platform's included, and the statements that reach SQLite, until its answer has long been there. WALK_FILES=1 lists the files with their functions, WALK_ROWS=1 the statements.`;

/** After so many requests of a kind, whatever is made once has been made. */
const WARM_UP = 2;
/** The one with the fewest functions is shown: what a timer does now and then is not the request's. */
const WALKS = 3;
/** Until all that a request sets off has ended; in a chat, longer than one waits for a further message. */
const QUIET_MS = 700;
const CHAT_QUIET_MS = 2500;

/** What a moderator does, with a number that makes it new. */
const REQUESTS: Record<string, (user: TestUser, number: number) => Promise<unknown>> = {
	'/imagine': (user, number) => user.command('imagine', { prompt: `fox number ${number}` }),
	'/limits set': (user, number) =>
		user.command('limits set', { scope: 'server', period: 'day', images: 1000 + number }),
	'/usage': (user) => user.command('usage', {}),
	'a chat message': (user, number) => user.say(`What do owls eat, number ${number}?`),
};

export const run = () =>
	withStub(async (stub) => {
		const probe = fileURLToPath(import.meta.resolve('../peers/probe.ts'));
		const { bot, discord, close } = await openDiscord(startEasel(`${stub}/mixed`, ['--import', probe]));
		try {
			const rows = await walkAll(bot, discord.user('m0'));
			console.log(`\n${table(rows)}`);
			refuseZeros(rows);
			return rows;
		} finally {
			await close();
		}
	});

async function walkAll(bot: Program, user: TestUser): Promise<Record<string, Walk>> {
	const rows: Record<string, Walk> = {};
	for (const [name, request] of Object.entries(REQUESTS)) {
		const isChat = name === 'a chat message';
		if (isChat) await enterThread(user);
		const quietly = async (number: number) => {
			await request(user, number);
			await pause(isChat ? CHAT_QUIET_MS : QUIET_MS);
		};
		for (let number = 0; number < WARM_UP; number += 1) await quietly(number);
		const walks: Walk[] = [];
		for (let number = WARM_UP; number < WARM_UP + WALKS; number += 1) {
			await bot.ask('walk');
			await quietly(number);
			walks.push(await bot.ask<Walk>('walked'));
		}
		rows[name] = walks.toSorted((one, other) => one.functions - other.functions)[0] as Walk;
	}
	return rows;
}

/** Every request runs functions, and reads and writes rows: a zero is a counter that sees nothing, and would pass each goal. */
function refuseZeros(rows: Record<string, Walk>): void {
	const zeros = Object.entries(rows).flatMap(([request, walk]) =>
		Object.entries(walk).flatMap(([column, figure]) => (figure > 0 ? [] : [`${request}: ${column}`])),
	);
	if (zeros.length > 0) throw new Error(`Not counted: ${zeros.join(', ')}`);
}

async function enterThread(user: TestUser): Promise<void> {
	await user.command('chat', { prompt: 'Tell me about owls.' });
	await pause(CHAT_QUIET_MS);
	user.enter((await user.threads())[0]?.id);
}
