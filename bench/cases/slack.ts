import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commands } from '../../commands/index.ts';
import { describeCommands } from '../../src/bot/declaration/available-commands.ts';
import { manifestOf } from '../../src/platforms/slack/manifest.ts';
import { easelProfile } from '../../src/service/profiles/easel.ts';
import { startSlack } from '../../test/fakes/slack/index.ts';
import { startProgram } from '../programs.ts';
import { type BotFixture, MEMBERS, runScenarios } from '../scenarios.ts';

export const description = `Easel on Slack by Socket Mode, records in SQLite, compared with a minimal bot on Bolt and openai. Slack is a
fake on loopback in the benchmark's own process, without rate limits and with files that are processed at once; the image service answers at
once from a third process. Easel's picture replaces its status message, the peer's is in a message made by Slack. Every run in
fresh processes, alternating rounds, medians. Memory and CPU are the bot's, measured from outside.`;

export const run = () =>
	runScenarios({
		'Bolt + openai': (service) => open(import.meta.resolve('../peers/slack.ts'), service),
		easel: (service) => open(import.meta.resolve('../peers/slack-easel.ts'), service),
	});

async function open(script: string, service: string): Promise<BotFixture> {
	const users = Object.fromEntries(Array.from({ length: MEMBERS }, (_, index) => [`m${index}`, {}]));
	const slack = await startSlack({
		teams: [{ name: 'Bench', users, channels: ['general'] }],
		manifest: manifestOf(describeCommands(commands, easelProfile.capabilities), { by: 'socket' }),
		pace: 1e-6,
		filesAt: 'api host',
		processing: { polls: 0, ms: 0 },
	});
	const folder = await mkdtemp(join(tmpdir(), 'easel-bench-'));
	const { apiUrl, botToken, appToken } = slack;
	const args = [apiUrl, botToken, appToken, service, `sqlite:${join(folder, 'easel.db')}`];
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
					const own = [...user.channel.messages.values()].filter(({ text }) => text.includes(prompt));
					return own.reduce((sum, { files, blocks }) => sum + files.length + blocks.filter(isPicture).length, 0);
				},
			};
		},
		async close() {
			await bot.stop();
			await slack.close();
			await rm(folder, { recursive: true });
		},
	};
}

const isPicture = ({ type }: { type: string }) => type === 'image';
