import { DiscordAPIError, DiscordjsError, DiscordjsErrorCodes, GatewayCloseCodes, HTTPError } from 'discord.js';
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
		'Discord does not accept DISCORD_TOKEN: reset the token in the developer portal under Bot, and set the new one.',
	[GatewayCloseCodes.InvalidShard]: 'Discord does not accept DISCORD_SHARDS: it names a shard that does not exist.',
	[GatewayCloseCodes.ShardingRequired]:
		'The bot is in too many servers for this number of shards: set DISCORD_SHARDS to auto, or to more shards.',
	[GatewayCloseCodes.InvalidIntents]:
		'Discord does not know the intents that this version of Easel requests: update Easel.',
	[GatewayCloseCodes.DisallowedIntents]:
		'Discord does not allow the bot to read messages: turn on Message Content Intent in the developer portal under Bot, or set DISCORD_MESSAGE_CONTENT=off.',
};

/** Returns what a failed login means: a `PlatformLoginError` when Discord refuses it, the error itself when trying again may help. */
export function loginErrorOf(error: unknown): unknown {
	const isTokenInvalid = error instanceof DiscordjsError && error.code === DiscordjsErrorCodes.TokenInvalid;
	const status = error instanceof DiscordAPIError || error instanceof HTTPError ? error.status : undefined;
	if (isTokenInvalid || status === 401) return new DiscordLoginError(GatewayCloseCodes.AuthenticationFailed);
	if (status === 404)
		return new PlatformLoginError(
			"DISCORD_API_URL is not the address of Discord's API, which answers 404 there: correct it, or remove it.",
		);
	return error;
}
