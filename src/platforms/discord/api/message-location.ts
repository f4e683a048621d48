import { type APIMessage, MessageFlags } from 'discord.js';
import type { Keyv } from 'keyv';
import type { MessageHandle, Place } from '../../../domain/place.ts';
import type { Log } from '../../../log.ts';
import { MessageRecords } from '../../shared/message-records.ts';

/** Allows requests about an interaction's own messages, even where the bot has no other access to the channel. */
export type InteractionToken = {
	application: string;
	token: string;
	/** Unix milliseconds. */
	until: number;
	/** The bot is not a member where the interaction comes from, so that it has no other access. */
	onlyAccess?: true;
};

/** The location of a message of the bot. `@original` stands for the first response to an interaction while its id is unknown. */
export type DiscordMessageLocation = { channel: string; message: string; via?: InteractionToken; private?: true };

/** Tells whether only one user sees a message. Discord makes some responses ephemeral by itself. */
export const isEphemeral = ({ flags }: Pick<APIMessage, 'flags'>): boolean =>
	((flags ?? 0) & MessageFlags.Ephemeral) !== 0;

/** The location as `MessageHandle.data`. `locationOf` is the inverse. */
export const handleData = ({
	channel,
	message,
	via,
	private: isPrivate,
}: DiscordMessageLocation): Record<string, string> => ({
	channel,
	message,
	...(isPrivate && { private: 'yes' }),
	...(via && { application: via.application, token: via.token, until: String(via.until) }),
});

/** Returns undefined for a handle that has only place and key. */
export function locationOf({ data = {} }: Pick<MessageHandle, 'data'>): DiscordMessageLocation | undefined {
	const { channel, message, private: isPrivate, application, token, until } = data;
	if (channel === undefined || message === undefined) return undefined;
	const via = application !== undefined && token !== undefined && { application, token, until: Number(until) };
	return { channel, message, ...(isPrivate && { private: true }), ...(via && { via }) };
}

/** The address of a message, as `Post.link`. Direct and private messages have none. */
export const linkTo = (
	{ server, direct }: Place,
	{ channel, message, private: isPrivate }: DiscordMessageLocation,
): { link?: string } =>
	isPrivate || direct || message === '@original'
		? {}
		: { link: `https://discord.com/channels/${server}/${channel}/${message}` };

export type DiscordMessageRecords = MessageRecords<DiscordMessageLocation>;

/**
 * The locations of the bot's messages, by the key that each was posted under. A private one can be edited for 15 minutes.
 * https://docs.discord.com/developers/interactions/receiving-and-responding#followup-messages
 */
export const createMessageRecords = (keyv: Keyv, ttlMs: number, log: Log): DiscordMessageRecords =>
	new MessageRecords({
		keyv,
		idOf: ({ message }) => (message === '@original' ? undefined : message),
		isFleeting: (location) => location.private === true,
		ttlMs,
		log,
	});
