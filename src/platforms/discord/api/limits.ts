import type { ChannelLimits } from '../../../domain/channel.ts';

/** https://docs.discord.com/developers/resources/message#create-message */
export const MAX_MESSAGE_TEXT = 2000;
const MAX_FILES = 10;

/** https://docs.discord.com/developers/interactions/application-commands#application-command-object-application-command-option-choice-structure */
export const MAX_CHOICES = 25;
export const MAX_CHOICE_LENGTH = 100;

/**
 * The upload limit of a file, which is higher in a boosted server. Interactions carry the limit that applies to them. The default was
 * 10 MiB before 2026-09-03.
 * https://docs.discord.com/developers/reference#uploading-files and https://github.com/discord/discord-api-docs/pull/8578
 */
const DEFAULT_FILE_BYTES = 20 * 1024 * 1024;
const FILE_BYTES_BY_TIER: Readonly<Record<number, number>> = { 2: 50 * 1024 * 1024, 3: 100 * 1024 * 1024 };

/** A feature of a server that raises the limit, whatever its tier. */
const FILE_SIZE_FEATURE = /^MAX_FILE_SIZE_(\d+)_MB$/;

type Boosts = { premiumTier: number; features: readonly string[] };

/** The limit for a file of the bot in a server, in bytes. */
export function fileBytesIn({ premiumTier, features }: Boosts): number {
	const named = features.map((feature) => Number(FILE_SIZE_FEATURE.exec(feature)?.[1] ?? 0) * 1024 * 1024);
	return Math.max(0, ...named) || (FILE_BYTES_BY_TIER[premiumTier] ?? DEFAULT_FILE_BYTES);
}

/** The limit of a whole request, unless the limit of a file is higher. https://docs.discord.com/developers/reference#uploading-files */
const REQUEST_BYTES = 25 * 1024 * 1024;

/** Reserved for the message and the multipart headers of its files. */
const REQUEST_OVERHEAD_BYTES = 64 * 1024;

/**
 * How long an interaction's token is used, in milliseconds. It is valid for 15 minutes; a minute is left for latency and clock skew.
 * https://docs.discord.com/developers/interactions/receiving-and-responding#followup-messages
 */
export const TOKEN_MS = 14 * 60 * 1000;

/** Discord does not document its rate limits; headers report them. The rate of edits is what they amount to in one channel. */
export const limitsOf = (fileBytes = DEFAULT_FILE_BYTES): ChannelLimits => ({
	text: MAX_MESSAGE_TEXT,
	pictures: MAX_FILES,
	pictureBytes: fileBytes,
	messageBytes: Math.max(REQUEST_BYTES, fileBytes) - REQUEST_OVERHEAD_BYTES,
	previews: true,
	// https://support.discord.com/hc/en-us/articles/210298617
	noTables: true,
	edits: { count: 5, perMs: 5000 },
});
