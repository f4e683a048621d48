import { DiscordAPIError, RESTJSONErrorCodes } from 'discord.js';

/** Tells whether something is gone, never existed, or is no longer visible to the bot. */
export const isMissing = (error: unknown) => error instanceof DiscordAPIError && [401, 403, 404].includes(error.status);

/** Tells whether something does not exist any more, or can be reached by nobody, such as a private message without its token. */
export const isGone = (error: unknown) => error instanceof DiscordAPIError && [401, 404].includes(error.status);

/** Tells whether a message is deleted. */
export const isUnknownMessage = (error: unknown) =>
	error instanceof DiscordAPIError && error.code === RESTJSONErrorCodes.UnknownMessage;

/** Turns a rejection for something missing into undefined: `request.catch(ignoreMissing)`. */
export function ignoreMissing(error: unknown): undefined {
	if (!isMissing(error)) throw error;
}
