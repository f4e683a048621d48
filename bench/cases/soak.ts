import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { smallPng } from '../../packages/fakes/src/service.ts';
import type { PictureFile, SeenMessage, TestUser } from '../../packages/fakes/src/test-user.ts';
import { startUnlimitedDiscord, startUnlimitedSlack } from '../fakes.ts';
import type { Census, EaselSettings } from '../peers/easel.ts';
import { startProgram } from '../programs.ts';
import { type Figures, table, withStub } from '../runner.ts';
import { until } from '../scenarios.ts';

export const description = `Easel on Discord and Slack in one process, records in SQLite: 50,000 requests of 20 people (pictures, edits, chat messages,
repeats by a button, refusals), and three restarts inside the process. What it holds at every 5,000, after a collection of garbage. Rows and files
are those of the store: the receipt, the prompt and the messages of a request are kept for the retention, so that rows are given for each request.
Files are kept beside the database, such as pictures on their way.`;

const REQUESTS = Number(process.env['SOAK_REQUESTS'] ?? 50_000);
const MARKS = 10;
/** People on each platform. Each has a channel. */
const PEOPLE = 10;
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

export const run = () =>
	withStub(async (service) => {
		const channels = Array.from({ length: PEOPLE }, (_, index) => `c${index}`);
		const { discord, slack, bot, database, close } = await openBothPlatforms(`${service}/mixed`, channels);
		try {
			const file = { name: 'fox.png', bytes: await smallPng('#2980b9') };
			const people = channels.flatMap((channel, index) =>
				[discord, slack].map((platform) => new Person(platform.user(`m${index}`, channel), file)),
			);
			const rows: Record<string, Figures> = {};
			for (let mark = 1; mark <= MARKS; mark++) {
				await Promise.all(people.map((person) => person.request(REQUESTS / MARKS / people.length)));
				for (const requests of [discord.requests, slack.calls]) requests.length = 0;
				await pause(1000);
				const done = (mark * REQUESTS) / MARKS;
				rows[String(done)] = { ...(await bot.ask<Census>('census')), ...stored(database, done) };
				if (mark % 3 === 0) await bot.ask('restart');
			}
			console.log(`\n${table(rows)}`);
			const refused = [...discord.violations, ...slack.violations];
			if (refused.length > 0) console.log(`\n${refused.length} violations of the platforms' rules: ${refused[0]}`);
			return rows;
		} finally {
			await close();
		}
	});

/** Easel in one process on a fake Discord and a fake Slack, neither of which limits rates. */
async function openBothPlatforms(service: string, channels: string[]) {
	const [discord, slack] = await Promise.all([
		startUnlimitedDiscord(PEOPLE, channels),
		startUnlimitedSlack(PEOPLE, channels),
	]);
	const folder = await mkdtemp(join(tmpdir(), 'easel-bench-'));
	const database = join(folder, 'easel.db');
	const { apiUrl, botToken, appToken } = slack;
	const { api, cdn, token } = discord;
	const settings: EaselSettings = {
		...{ service, store: `sqlite:${database}` },
		...{ slack: { apiUrl, botToken, appToken }, discord: { api, cdn, token } },
	};
	const script = import.meta.resolve('../peers/easel.ts');
	const bot = await startProgram(script, [JSON.stringify(settings)], {}, (line) => line === 'ready', ['--expose-gc']);
	return {
		...{ discord, slack, bot, database },
		async close() {
			await bot.stop();
			await Promise.all([discord.close(), slack.close()]);
			await rm(folder, { recursive: true });
		},
	};
}

type Member = TestUser & { channel: { messages: Map<string, unknown> } };

/** Somebody who makes one request after the other, and waits for each answer. */
class Person {
	readonly #user: Member;
	readonly #file: PictureFile;
	#done = 0;
	#thread: string | undefined;

	constructor(user: Member, file: PictureFile) {
		this.#user = user;
		this.#file = file;
	}

	async request(count: number): Promise<void> {
		for (let index = 0; index < count; index++) {
			await this.#perform(REQUESTED[this.#done % REQUESTED.length] as Kind);
			this.#done += 1;
			if (this.#done % REQUESTS_IN_THREAD > 0) continue;
			trim(this.#user);
			this.#thread = undefined;
		}
	}

	async #perform(kind: Kind): Promise<void> {
		const user = this.#user;
		const prompt = `fox number ${this.#done}`;
		const isResult = (one: SeenMessage) => one.text.includes(`${prompt}*`) && one.pictures.length > 0;
		if (kind === 'picture') {
			await user.command('imagine', { prompt });
			await this.#sees(isResult);
		} else if (kind === 'edit') {
			await user.command('edit', { prompt, image: this.#file });
			await this.#sees(isResult);
		} else if (kind === 'refusal') {
			await user.command('imagine', { prompt, size: 'huge' });
			await this.#sees(({ text }) => /size/i.test(text));
		} else if (kind === 'button') {
			const seen = await user.look();
			const result = seen.findLast(({ buttons }) => buttons.includes('Again'));
			if (!result) throw new Error('There is no result to repeat');
			await user.press(result, 'Again');
			await this.#sees(({ id, pictures }) => pictures.length > 0 && !seen.some((one) => one.id === id));
		} else await this.#chat();
	}

	async #chat(): Promise<void> {
		const user = this.#user;
		const text = `question ${this.#done}`;
		const known = new Set<string>();
		if (this.#thread === undefined) {
			await user.command('chat', { prompt: text });
			const opened = async () => (await user.threads()).find(({ title }) => title.includes(text));
			await until(`thread for ${text}`, async () => (await opened()) !== undefined);
			this.#thread = (await opened())?.id;
			user.enter(this.#thread);
		} else {
			user.enter(this.#thread);
			for (const { id } of (await user.look()).filter(isAnswer)) known.add(id);
			await user.say(text);
		}
		await this.#sees((one) => !known.has(one.id) && isAnswer(one));
		user.enter();
	}

	#sees(matches: (message: SeenMessage) => boolean): Promise<void> {
		return until(`answer to request ${this.#done}`, async () => (await this.#user.look()).some(matches));
	}
}

const isAnswer = ({ text, buttons }: SeenMessage) => text.endsWith('word9') && buttons.includes('Retry');

/** Removes old messages from the memory of a fake. */
function trim({ channel }: Member): void {
	const old = [...channel.messages.keys()].slice(0, -10);
	for (const id of old) channel.messages.delete(id);
}

function stored(database: string, requests: number): Figures {
	const sqlite = new DatabaseSync(database, { readOnly: true });
	try {
		const tables = sqlite.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).all();
		const counts = tables.map(({ name }) => sqlite.prepare(`SELECT count(*) AS count FROM "${name}"`).get()?.['count']);
		const rows = counts.reduce<number>((sum, count) => sum + Number(count), 0);
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
