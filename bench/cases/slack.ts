import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SlackFake } from '../../packages/fakes/src/slack/index.ts';
import type { Message } from '../../packages/fakes/src/slack/world/model.ts';
import { startUnlimitedSlack } from '../fakes.ts';
import type { EaselSettings } from '../peers/easel.ts';
import { startProgram } from '../programs.ts';
import { type BotFixture, MEMBERS, runScenarios } from '../scenarios.ts';

export const description = `Easel on Slack by Socket Mode, records in SQLite, compared with a minimal bot on Bolt and openai. Slack is a
fake on loopback in the benchmark's own process, without rate limits and with files that are processed at once; the image service answers at
once from a third process. Easel's picture replaces its status message, the peer's is in a message made by Slack. Every run in
fresh processes, alternating rounds, medians. Memory and CPU are the bot's, measured from outside.`;

export const run = () =>
	runScenarios({
		'Bolt + openai': (service) =>
			open(import.meta.resolve('../peers/slack.ts'), ({ apiUrl, botToken, appToken }) => [
				...[apiUrl, botToken, appToken, service],
			]),
		easel: (service) =>
			open(import.meta.resolve('../peers/easel.ts'), ({ apiUrl, botToken, appToken }, store) => {
				const settings: EaselSettings = { service, store, slack: { apiUrl, botToken, appToken } };
				return [JSON.stringify(settings)];
			}),
	});

async function open(script: string, argsOf: (slack: SlackFake, store: string) => string[]): Promise<BotFixture> {
	const slack = await startUnlimitedSlack(MEMBERS);
	const folder = await mkdtemp(join(tmpdir(), 'easel-bench-'));
	const args = argsOf(slack, `sqlite:${join(folder, 'easel.db')}`);
	const bot = await startProgram(script, args, {}, (line) => line === 'ready');
	let asked = 0;
	return {
		bot,
		imagine(member) {
			const user = slack.user(`m${member}`);
			const prompt = `fox number ${asked++} in the snow`;
			return {
				acknowledged: user.command('imagine', { prompt }),
				pictures() {
					// A message of files has its caption in its blocks.
					const isOwn = ({ text, files, blocks }: Message) =>
						text.includes(prompt) || (files.length > 0 && JSON.stringify(blocks).includes(prompt));
					const own = [...user.channel.messages.values()].filter(isOwn);
					return own.reduce((sum, { files, blocks }) => sum + files.length + blocks.filter(isPicture).length, 0);
				},
			};
		},
		calls: () => slack.calls.length,
		async close() {
			await bot.stop();
			await slack.close();
			await rm(folder, { recursive: true });
		},
	};
}

const isPicture = ({ type }: { type: string }) => type === 'image';
