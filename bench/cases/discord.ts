import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DiscordFake } from '../../test/fakes/discord/index.ts';
import type { Options, PictureFile } from '../../test/fakes/test-user.ts';
import { startUnlimitedDiscord } from '../fakes.ts';
import { type Program, startProgram } from '../programs.ts';
import { type BotFixture, type Command, MEMBERS, runScenarios } from '../scenarios.ts';

export const description = `Easel on Discord, as npm start starts it, records in SQLite, compared with a minimal bot on discord.js and
openai. Discord is a fake on loopback in the benchmark's own process, the image service answers at once from a third. Every run in fresh
processes, alternating rounds, medians. Memory and CPU are the bot's, measured from outside.`;

export const bots = {
	'discord.js + openai': (service: string) => open(startPeer, service),
	easel: (service: string) => open(startEasel, service),
};

export const run = () => runScenarios(bots);

type DiscordBot = BotFixture & { compose(member: number, images: Readonly<Record<string, PictureFile>>): Command };

type Start = (discord: DiscordFake, service: string, folder: string) => Promise<Program>;

async function open(start: Start, service: string): Promise<DiscordBot> {
	const discord = await startUnlimitedDiscord(MEMBERS);
	const folder = await mkdtemp(join(tmpdir(), 'easel-bench-'));
	const bot = await start(discord, service, folder);
	function request(member: number, name: string, options: Options): Command {
		const user = discord.user(`m${member}`);
		const acknowledged = user.command(name, options);
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
	}

	return {
		bot,
		imagine: (member) => request(member, 'imagine', { prompt: 'a red fox in the snow' }),
		compose: (member, images) => request(member, 'compose', { prompt: 'one scene', ...images }),
		calls: () => discord.requests.length,
		async close() {
			await bot.stop();
			await discord.close();
			await rm(folder, { recursive: true });
		},
	};
}

const startPeer: Start = ({ api, token }, service) =>
	startProgram(import.meta.resolve('../peers/discord.ts'), [api, token, service], {}, (line) => line === 'ready');

const startEasel: Start = ({ api, cdn, token }, service, folder) =>
	startProgram(
		import.meta.resolve('../../src/main.ts'),
		[],
		{
			DISCORD_TOKEN: token,
			DISCORD_API_URL: api,
			ATTACHMENT_ORIGINS: new URL(cdn).origin,
			SERVICE_BASE_URL: service,
			SERVICE_API_KEY: 'key',
			STORE_URL: `sqlite:${join(folder, 'easel.db')}`,
			PORT: '0',
			LOG_FORMAT: 'json',
		},
		(line) => line.includes('Easel is ready'),
	);
