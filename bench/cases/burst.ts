import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { SlackFake } from '../../test/fakes/slack/index.ts';
import { startLimitedSlack } from '../fakes.ts';
import type { EaselSettings } from '../peers/easel.ts';
import { startProgram } from '../programs.ts';
import { type Figures, quantile, start, stop, table } from '../runner.ts';

export const description = `60 members of a Slack channel ask for a picture of 4 kB at once, under Slack's rate limits: Easel compared with a minimal bot on
Bolt and openai, which posts no status. From the commands until the pictures are shown. Each once, in a fresh process.`;

const MEMBERS = 60;
const TIMEOUT_MS = 240_000;

export async function run(): Promise<Record<string, Figures>> {
	const stub = await start<string>(fileURLToPath(import.meta.resolve('../peers/stub.ts')));
	const service = `${stub.message}/tiny`;
	try {
		const rows = {
			'Bolt + openai': await measure('../peers/slack.ts', ({ apiUrl, botToken, appToken }) => [
				...[apiUrl, botToken, appToken, service],
			]),
			easel: await measure('../peers/easel.ts', ({ apiUrl, botToken, appToken }, store) => {
				const settings: EaselSettings = { service, store, slack: { apiUrl, botToken, appToken, isLimited: true } };
				return [JSON.stringify(settings)];
			}),
		};
		console.log(`\n${table(rows, ['all shown, s'])}`);
		return rows;
	} finally {
		await stop(stub.process);
	}
}

async function measure(script: string, argsOf: (slack: SlackFake, store: string) => string[]): Promise<Figures> {
	const slack = await startLimitedSlack(MEMBERS);
	const folder = await mkdtemp(join(tmpdir(), 'easel-bench-'));
	const args = argsOf(slack, `sqlite:${join(folder, 'easel.db')}`);
	const bot = await startProgram(import.meta.resolve(script), args, {}, (line) => line === 'ready');
	try {
		const began = performance.now();
		for (let member = 0; member < MEMBERS; member++)
			void slack.user(`m${member}`).command('imagine', { prompt: `fox number ${member} in the snow` });
		const shownAfter: number[] = [];
		while (shownAfter.length < MEMBERS) {
			const seconds = (performance.now() - began) / 1000;
			if (seconds * 1000 > TIMEOUT_MS) throw new Error(`Only ${shownAfter.length} of ${MEMBERS} pictures are shown`);
			const pictures = countPictures(slack);
			while (shownAfter.length < pictures) shownAfter.push(seconds);
			await pause(20);
		}
		return {
			'half shown, s': quantile(shownAfter, 0.5),
			'all shown, s': shownAfter.at(-1) ?? Number.NaN,
			'calls a picture': slack.calls.length / MEMBERS,
		};
	} finally {
		await bot.stop();
		await slack.close();
		await rm(folder, { recursive: true });
	}
}

const countPictures = (slack: SlackFake) =>
	[...slack.user('m0').channel.messages.values()].reduce(
		(sum, { files, blocks }) => sum + files.length + blocks.filter(({ type }) => type === 'image').length,
		0,
	);
