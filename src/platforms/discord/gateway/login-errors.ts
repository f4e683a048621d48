import { DiscordAPIError, DiscordjsError, DiscordjsErrorCodes, GatewayCloseCodes } from 'discord.js';
import { PlatformLoginError } from '../../shared/login-error.ts';

/** Thrown when Discord has closed the connection for good, with its close code. */
export class DiscordLoginError extends PlatformLoginError {
	readonly code: number;

	constructor(code: number) {
		super(SENTENCES[code] ?? `Discord has closed the connection for good (close code ${code}).`);
		this.code = code;
	}
}

/** https://docs.discord.com/developers/topics/opcodes-and-status-codes#gateway-gateway-close-event-codes */
const SENTENCES: Readonly<Record<number, string>> = {
	[GatewayCloseCodes.AuthenticationFailed]:
		'Discord does not know DISCORD_TOKEN: reset the token in the developer portal under Bot, and set the new one.',
	[GatewayCloseCodes.InvalidShard]: 'Discord does not take these shards: DISCORD_SHARDS names one that is not there.',
	[GatewayCloseCodes.ShardingRequired]:
		'The bot is in too many servers for so few shards: set DISCORD_SHARDS to auto, or to more shards.',
	[GatewayCloseCodes.InvalidIntents]:
		'Discord does not know the intents that are asked for: discord.js and Discord are not of the same time; update Easel.',
	[GatewayCloseCodes.DisallowedIntents]:
		'Discord does not allow the bot to read messages: turn on Message Content Intent in the developer portal under Bot, or set DISCORD_MESSAGE_CONTENT=off.',
};

/** A failed login as what Discord means by it; any other error as it is. */
export function loginErrorOf(error: unknown, closed: number | undefined): unknown {
	if (closed !== undefined) return new DiscordLoginError(closed);
	const badToken =
		(error instanceof DiscordjsError && error.code === DiscordjsErrorCodes.TokenInvalid) ||
		(error instanceof DiscordAPIError && error.status === 401);
	return badToken ? new DiscordLoginError(GatewayCloseCodes.AuthenticationFailed) : error;
}
