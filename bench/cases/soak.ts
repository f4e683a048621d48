import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { smallPng } from '../../test/fakes/service.ts';
import type { PictureFile, SeenMessage, TestUser } from '../../test/fakes/test-user.ts';
import { startUnlimitedDiscord, startUnlimitedSlack } from '../fakes.ts';
import type { Census, EaselSettings } from '../peers/easel.ts';
import { startProgram } from '../programs.ts';
import { type Figures, start, stop, table } from '../runner.ts';

export const description = `Easel on Discord and Slack in one process, records in SQLite: 50,000 requests of 20 people (pictures, edits, chat messages,
repeats by a button, refusals), and three restarts inside the process. What it holds at every 5,000, after a collection of garbage. Rows and files
are those of the store: the receipt, the prompt and the messages of a request are kept for the retention, so that rows are given for each request.
Files are kept beside the database, such as pictures on their way.`;

const REQUESTS = Number(process.env['SOAK_REQUESTS'] ?? 50_000);
const MARKS = 10;
/** People on each platform. Each has a channel. */
const PEOPLE = 10;
const TIMEOUT_MS = 60_000;
/** After so many requests, a person begins a new thread and forgets the older messages. */
const REQUESTS_IN_THREAD = 60;

type Kind = 'picture' | 'edit' | 'chat' | 'button' | 'refusal';
/** What a person asks for, again and again. */
const REQUESTED: readonly Kind[] = [
	'picture',
	'chat',
	'edit',
	'picture',
	'button',
	'chat',
	'refusal',
	'picture',
	'chat',
	'button',
];

export async function run(): Promise<Record<string, Figures>> {
	const channels = Array.from({ length: PEOPLE }, (_, index) => `c${index}`);
	const fixture = await openBothPlatforms(PEOPLE, channels);
	try {
		const file = { name: 'fox.png', bytes: await smallPng('#2980b9') };
		const people = channels.flatMap((channel, index) => [
			new Person(fixture.discord.user(`m${index}`, channel), file, () =>
				trim(fixture.discord.user(`m${index}`, channel)),
			),
			new Person(fixture.slack.user(`m${index}`, channel), file, () => trim(fixture.slack.user(`m${index}`, channel))),
		]);
		const rows: Record<string, Figures> = {};
		const each = REQUESTS / MARKS / people.length;
		for (let mark = 1; mark <= MARKS; mark++) {
			await Promise.all(people.map((person) => person.request(each)));
			for (const requests of [fixture.discord.requests, fixture.slack.calls]) requests.length = 0;
			await pause(1000);
			const done = (mark * REQUESTS) / MARKS;
			rows[String(done)] = { ...(await fixture.bot.ask<Census>('census')), ...stored(fixture.database, done) };
			if (mark % 3 === 0) await fixture.bot.ask('restart');
		}
		console.log(`\n${table(rows)}`);
		const refused = [...fixture.discord.violations, ...fixture.slack.violations];
		if (refused.length > 0) console.log(`\n${refused.length} violations of the platforms' rules: ${refused[0]}`);
		return rows;
	} finally {
		await fixture.close();
	}
}

/** Easel in one process on a fake Discord and a fake Slack, neither of which limits rates, with a service that answers at once. */
async function openBothPlatforms(members: number, channels: readonly string[]) {
	const stub = await start<string>(fileURLToPath(import.meta.resolve('../peers/stub.ts')));
	const [discord, slack] = await Promise.all([
		startUnlimitedDiscord(members, [...channels]),
		startUnlimitedSlack(members, [...channels]),
	]);
	const folder = await mkdtemp(join(tmpdir(), 'easel-bench-'));
	const database = join(folder, 'easel.db');
	const { apiUrl, botToken, appToken } = slack;
	const { api, cdn, token } = discord;
	const settings: EaselSettings = {
		service: `${stub.message}/mixed`,
		store: `sqlite:${database}`,
		slack: { apiUrl, botToken, appToken },
		discord: { api, cdn, token },
	};
	const bot = await startProgram(
		import.meta.resolve('../peers/easel.ts'),
		[JSON.stringify(settings)],
		{},
		(line) => line === 'ready',
		{ nodeOptions: ['--expose-gc'] },
	);
	return {
		discord,
		slack,
		bot,
		database,
		async close() {
			await bot.stop();
			await Promise.all([discord.close(), slack.close(), stop(stub.process)]);
			await rm(folder, { recursive: true });
		},
	};
}

/** Somebody who makes one request after the other, and waits for each answer. */
class Person {
	readonly #user: TestUser;
	readonly #file: PictureFile;
	readonly #trim: () => void;
	#done = 0;
	#thread: string | undefined;

	constructor(user: TestUser, file: PictureFile, trim: () => void) {
		this.#user = user;
		this.#file = file;
		this.#trim = trim;
	}

	async request(count: number): Promise<void> {
		for (let index = 0; index < count; index++) {
			await this.#perform(REQUESTED[this.#done % REQUESTED.length] as Kind);
			this.#done += 1;
			if (this.#done % REQUESTS_IN_THREAD > 0) continue;
			this.#trim();
			this.#thread = undefined;
		}
	}

	async #perform(kind: Kind): Promise<void> {
		const user = this.#user;
		const prompt = `fox number ${this.#done}`;
		if (kind === 'picture') {
			await user.command('imagine', { prompt });
			await this.#sees((one) => one.text.includes(`${prompt}*`) && one.pictures.length > 0);
		} else if (kind === 'edit') {
			await user.command('edit', { prompt, image: this.#file });
			await this.#sees((one) => one.text.includes(`${prompt}*`) && one.pictures.length > 0);
		} else if (kind === 'refusal') {
			await user.command('imagine', { prompt, size: 'huge' });
			await this.#sees(({ text }) => /size/i.test(text));
		} else if (kind === 'button') {
			const known = new Set((await user.look()).map(({ id }) => id));
			const result = (await user.look()).findLast(({ buttons }) => buttons.includes('Again'));
			if (!result) throw new Error('There is no result to repeat');
			await user.press(result, 'Again');
			await this.#sees(({ id, pictures }) => !known.has(id) && pictures.length > 0);
		} else await this.#chat();
	}

	async #chat(): Promise<void> {
		const user = this.#user;
		const text = `question ${this.#done}`;
		if (this.#thread === undefined) {
			await user.command('chat', { prompt: text });
			const deadline = performance.now() + TIMEOUT_MS;
			while (true) {
				const opened = (await user.threads()).find(({ title }) => title.includes(text));
				this.#thread = opened?.id;
				if (opened) break;
				if (performance.now() > deadline) throw new Error(`No thread was opened for ${text}`);
				await pause(5);
			}
			user.enter(this.#thread);
			await this.#sees(isAnswer);
		} else {
			user.enter(this.#thread);
			const known = new Set((await user.look()).filter(isAnswer).map(({ id }) => id));
			await user.say(text);
			await this.#sees((one) => !known.has(one.id) && isAnswer(one));
		}
		user.enter();
	}

	async #sees(matches: (message: SeenMessage) => boolean): Promise<void> {
		const deadline = performance.now() + TIMEOUT_MS;
		while (!(await this.#user.look()).some(matches)) {
			if (performance.now() > deadline) {
				const last = (await this.#user.look()).slice(-3).map(({ text, buttons }) => `${text} ${buttons.join()}`);
				throw new Error(`Request ${this.#done} has no answer. Last messages: ${JSON.stringify(last)}`);
			}
			await pause(5);
		}
	}
}

const isAnswer = ({ text, buttons }: SeenMessage) => text.endsWith('word9') && buttons.includes('Retry');

/** Removes old messages from the memory of a fake. */
function trim({ channel }: { channel: { messages: Map<string, unknown> } }): void {
	const old = [...channel.messages.keys()].slice(0, -10);
	for (const id of old) channel.messages.delete(id);
}

function stored(database: string, requests: number): Figures {
	const sqlite = new DatabaseSync(database, { readOnly: true });
	try {
		const tables = sqlite.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).all() as { name: string }[];
		const counts = Object.fromEntries(
			tables.map(({ name }) => [
				name,
				Number(sqlite.prepare(`SELECT count(*) AS count FROM "${name}"`).get()?.['count']),
			]),
		);
		const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
		return { 'rows a request': rows / requests, files: countFiles(database) };
	} finally {
		sqlite.close();
	}
}

/** The store's pictures are in a folder beside its database; SQLite's own files begin with the name of the database. */
const countFiles = (database: string) =>
	readdirSync(dirname(database), { recursive: true, withFileTypes: true }).filter(
		(entry) => entry.isFile() && !entry.name.startsWith(basename(database)),
	).length;
