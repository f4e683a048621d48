import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DiscordFake } from '../../packages/fakes/src/discord/index.ts';
import { startUnlimitedDiscord } from '../fakes.ts';
import { type Program, startProgram } from '../programs.ts';
import { type Command, MEMBERS, runScenarios } from '../scenarios.ts';

export const description = `Easel on Discord, as npm start starts it, records in SQLite, compared with a minimal bot on discord.js and
openai. Discord is a fake on loopback in the benchmark's own process, the image service answers at once from a third. Every run in fresh
processes, alternating rounds, medians. Memory and CPU are the bot's, measured from outside.`;

export const run = () =>
	runScenarios({
		'discord.js + openai': (service) => openDiscord(startPeer(service)),
		easel: (service) => openDiscord(startEasel(service)),
	});

type Start = (discord: DiscordFake, database: string) => Promise<Program>;

/** A bot on a fake Discord. */
export async function openDiscord(startBot: Start) {
	const discord = await startUnlimitedDiscord(MEMBERS);
	const folder = await mkdtemp(join(tmpdir(), 'easel-bench-'));
	const database = join(folder, 'easel.db');
	const bot = await startBot(discord, database);
	return {
		bot,
		discord,
		database,
		imagine(member: number): Command {
			const user = discord.user(`m${member}`);
			const acknowledged = user.command('imagine', { prompt: 'a red fox in the snow' });
			const interaction = user.last();
			/** Counts the command's own message and, in a short channel, the messages after it. */
			function pictures(): number {
				const { original, channel } = interaction ?? {};
				if (!original || !channel || channel.messages.size > 10) return original?.files.length ?? 0;
				const own = [...channel.messages.values()].filter(
					(one) => !one.interaction || one.interaction.id === interaction?.id,
				);
				return own.reduce((sum, { files }) => sum + files.length, 0);
			}
			return { acknowledged, pictures };
		},
		calls: () => discord.requests.length,
		async close() {
			await bot.stop();
			await discord.close();
			await rm(folder, { recursive: true });
		},
	};
}

const startPeer =
	(service: string): Start =>
	({ api, token }) =>
		startProgram(import.meta.resolve('../peers/discord.ts'), [api, token, service], {}, (line) => line === 'ready');

/** Easel as `npm start` starts it. @param nodeOptions such as a module that is loaded before it */
export const startEasel =
	(service: string, nodeOptions: readonly string[] = []): Start =>
	({ api, cdn, token }, database) =>
		startProgram(
			import.meta.resolve('../../src/main.ts'),
			[],
			{
				DISCORD_TOKEN: token,
				DISCORD_API_URL: api,
				ATTACHMENT_ORIGINS: new URL(cdn).origin,
				SERVICE_BASE_URL: service,
				SERVICE_API_KEY: 'key',
				STORE_URL: `sqlite:${database}`,
				PORT: '0',
				LOG_FORMAT: 'json',
				WALK_FILES: process.env['WALK_FILES'] ?? '',
				WALK_ROWS: process.env['WALK_ROWS'] ?? '',
			},
			(line) => line.includes('Easel is ready'),
			nodeOptions,
		);
