import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DiscordFake } from '../test/fakes/discord/index.ts';
import type { SlackFake } from '../test/fakes/slack/index.ts';
import { startUnlimitedDiscord, startUnlimitedSlack } from './fakes.ts';
import type { EaselSettings } from './peers/easel.ts';
import { type Program, startProgram } from './programs.ts';
import { start, stop } from './runner.ts';

/** Easel in one process on a fake Discord and a fake Slack, neither of which limits rates, with a service that answers at once. */
export type BothPlatforms = {
	discord: DiscordFake;
	slack: SlackFake;
	bot: Program;
	/** The SQLite file. */
	database: string;
	close(): Promise<void>;
};

type Options = {
	/** Members `m0`, `m1`, … of the server and of the workspace. */
	members: number;
	channels: readonly string[];
	imagesPerDay?: number;
	/** The only core that Easel runs on. */
	core?: number;
};

export async function openBothPlatforms({ members, channels, imagesPerDay, core }: Options): Promise<BothPlatforms> {
	const stub = await start<string>(fileURLToPath(import.meta.resolve('./peers/stub.ts')));
	const [discord, slack] = await Promise.all([
		startUnlimitedDiscord(members, [...channels]),
		startUnlimitedSlack(members, [...channels]),
	]);
	const folder = await mkdtemp(join(tmpdir(), 'easel-bench-'));
	const database = join(folder, 'easel.db');
	const { apiUrl, botToken, appToken } = slack;
	const { api, cdn, token } = discord;
	const settings: EaselSettings = {
		...{ service: `${stub.message}/mixed`, store: `sqlite:${database}` },
		...{ slack: { apiUrl, botToken, appToken }, discord: { api, cdn, token } },
		...(imagesPerDay !== undefined && { imagesPerDay }),
	};
	const script = import.meta.resolve('./peers/easel.ts');
	const options = { nodeOptions: ['--expose-gc'], ...(core !== undefined && { core }) };
	const bot = await startProgram(script, [JSON.stringify(settings)], {}, (line) => line === 'ready', options);
	return {
		...{ discord, slack, bot, database },
		async close() {
			await bot.stop();
			await Promise.all([discord.close(), slack.close(), stop(stub.process)]);
			await rm(folder, { recursive: true });
		},
	};
}
