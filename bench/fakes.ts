import { commands } from '../commands/index.ts';
import { type DiscordFake, startDiscord } from '../packages/fakes/src/discord/index.ts';
import { type SlackFake, startSlack } from '../packages/fakes/src/slack/index.ts';
import { describeCommands } from '../src/bot/declaration/options.ts';
import { createLog } from '../src/log.ts';
import { createRest, registerCommands } from '../src/platforms/discord/index.ts';
import { manifestOf } from '../src/platforms/slack/manifest.ts';
import { PROFILES } from '../src/service/profiles.ts';

/** The periods of rate limits, which are not measured here, are a millionth of what they are. */
const PACE = 1e-6;

const described = describeCommands(commands, PROFILES.easel.capabilities);

/** Starts a Discord without rate limits, with Easel's commands and the members `m0`, who owns the server, `m1`, …. */
export async function startUnlimitedDiscord(members: number, channels = ['general']): Promise<DiscordFake> {
	const discord = await startDiscord({
		servers: [{ name: 'Bench', channels, members: { ...handles(members), m0: { owner: true } } }],
		pace: PACE,
	});
	const log = await createLog({ level: 'silent', format: 'json', secrets: [] });
	await registerCommands({ rest: createRest({ token: discord.token, apiUrl: discord.api, log }), commands: described });
	return discord;
}

/** Starts a Slack without rate limits, with files that are processed at once, Easel's commands and the members `m0`, `m1`, …. */
export const startUnlimitedSlack = (members: number, channels = ['general']): Promise<SlackFake> =>
	startSlack({
		teams: [{ name: 'Bench', users: handles(members), channels }],
		manifest: manifestOf(described, { by: 'socket' }),
		pace: PACE,
		filesAt: 'api host',
		processing: { polls: 0, ms: 0 },
	});

const handles = (members: number) =>
	Object.fromEntries(Array.from({ length: members }, (_, index) => [`m${index}`, {}]));
