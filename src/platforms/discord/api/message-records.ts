import type { Keyv } from 'keyv';
import {
	createMessageRecords as createSharedRecords,
	type MessageRecords as SharedRecords,
} from '../../shared/message-records.ts';
import type { DiscordMessageLocation } from './message-location.ts';

export type DiscordMessageRecords = SharedRecords<DiscordMessageLocation>;

/**
 * The locations of the bot's messages, by the key that each was posted under. A private one can be edited for 15 minutes.
 * https://docs.discord.com/developers/interactions/receiving-and-responding#followup-messages
 */
export const createMessageRecords = (keyv: Keyv, ttlMs: number): DiscordMessageRecords =>
	createSharedRecords(
		keyv,
		({ message }) => (message === '@original' ? undefined : message),
		(location) => location.private === true,
		ttlMs,
	);
