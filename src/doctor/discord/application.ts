import { type APIApplication, type APIGatewayBotInfo, ApplicationFlags, type REST, Routes } from 'discord.js';
import type { Config } from '../../config/config.ts';
import type { CommandDescription } from '../../domain/command.ts';
import { registeredDiffers } from '../../platforms/discord/registration/register.ts';
import { type Finding, fault, ok, warning } from '../check.ts';

export type DiscordConfig = NonNullable<Config['discord']>;

const PORTAL = 'in the developer portal (https://discord.com/developers/applications)';

/** https://docs.discord.com/developers/resources/application#application-object-application-flags */
const MESSAGE_CONTENT = ApplicationFlags.GatewayMessageContent | ApplicationFlags.GatewayMessageContentLimited;

export function checkIntent({ messageContent }: DiscordConfig, { flags }: APIApplication): Finding {
	if (!messageContent)
		return ok('DISCORD_MESSAGE_CONTENT is off: chat threads answer only messages that mention the bot.');
	if (flags & MESSAGE_CONTENT) return ok('The Message Content intent is on.');
	return warning('The Message Content intent is off, so chat threads answer only messages that mention the bot.', {
		variable: 'DISCORD_MESSAGE_CONTENT',
		step: `Turn on Message Content Intent under Bot ${PORTAL}, or set DISCORD_MESSAGE_CONTENT=off.`,
	});
}

/** With such an address, Discord sends interactions there and none to the gateway. */
export function checkInteractions({ interactions_endpoint_url: address }: APIApplication): Finding {
	if (!address) return ok('Commands arrive by the gateway.');
	return fault('Discord sends commands to an interactions endpoint, so none reaches Easel.', {
		step: `Clear Interactions Endpoint URL under General Information ${PORTAL}.`,
	});
}

/** The commands of this version against those that Discord has. Nothing is registered. */
export async function checkCommands(
	{ register }: DiscordConfig,
	rest: REST,
	commands: readonly CommandDescription[],
): Promise<Finding> {
	if (!(await registeredDiffers({ rest, commands }))) return ok('The registered commands are those of this version.');
	const step = register ? 'npm start registers them; npm run register does it now.' : 'npm run register';
	return warning('The registered commands are not those of this version.', { variable: 'DISCORD_REGISTER', step });
}

/** The session starts that are left today. Looking at them takes none. */
export async function checkSessions({ shards }: DiscordConfig, rest: REST, signal: AbortSignal): Promise<Finding> {
	const { shards: recommended, session_start_limit: limit } = (await rest.get(Routes.gatewayBot(), {
		signal,
	})) as APIGatewayBotInfo;
	const needed = shards === 'auto' ? recommended : shards.shards.length;
	if (limit.remaining < needed)
		return warning(`A start needs ${needed} session starts, and ${limit.remaining} are left today.`, {
			step: `A start waits until ${new Date(Date.now() + limit.reset_after).toISOString()}; leave a running process alone until then.`,
		});
	if (shards !== 'auto' && shards.shardCount < recommended)
		return warning(`Discord recommends ${recommended} shards, and DISCORD_SHARDS has ${shards.shardCount}.`, {
			variable: 'DISCORD_SHARDS',
			step: `Set DISCORD_SHARDS to auto, or to ranges of ${recommended} shards in all processes.`,
		});
	return ok(`${limit.remaining} session starts are left today, and a start needs ${needed}.`);
}
