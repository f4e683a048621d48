import type { Keyv } from 'keyv';
import {
	createMessageRecords as createSharedRecords,
	type MessageRecords as SharedRecords,
} from '../../shared/message-records.ts';
import type { DiscordMessageLocation } from './message-location.ts';

export type DiscordMessageRecords = SharedRecords<DiscordMessageLocation>;

/** The locations of the bot's messages, by the key that each was posted under. */
export const createMessageRecords = (keyv: Keyv, ttlMs: number): DiscordMessageRecords =>
	createSharedRecords(keyv, ({ message }) => (message === '@original' ? undefined : message), ttlMs);
