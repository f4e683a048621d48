import type { ChannelLimits } from '../../../domain/channel.ts';

/** https://docs.discord.com/developers/resources/message#create-message */
export const MAX_TEXT = 2000;
export const MAX_FILES = 10;

/** https://docs.discord.com/developers/resources/message#attachment-object */
export const MAX_ALT = 1024;

/** https://docs.discord.com/developers/components/reference#action-row and #button */
export const ROW_BUTTONS = 5;
export const MAX_ROWS = 5;
export const MAX_BUTTON_LABEL = 80;
export const MAX_CUSTOM_ID = 100;

/** https://docs.discord.com/developers/interactions/application-commands#application-command-object-application-command-option-choice-structure */
export const MAX_CHOICES = 25;
export const MAX_CHOICE_LENGTH = 100;

/**
 * What every server takes; an interaction says when it is more, and it is more in a boosted server.
 * https://docs.discord.com/developers/reference#uploading-files
 */
const DEFAULT_FILE_BYTES = 10 * 1024 * 1024;
const BOOSTED_FILE_BYTES: Readonly<Record<number, number>> = { 2: 50 * 1024 * 1024, 3: 100 * 1024 * 1024 };

/** Bytes of one file of the bot's own, by how far a server is boosted. */
export const fileBytesAt = (tier = 0) => BOOSTED_FILE_BYTES[tier] ?? DEFAULT_FILE_BYTES;

/** Of a whole request, where one file alone may not be more. https://docs.discord.com/developers/reference#uploading-files */
const REQUEST_BYTES = 25 * 1024 * 1024;

/** What a request has besides its files: the message, and a head for each file. */
const BESIDE_FILES = 64 * 1024;

/** A token is good for 15 minutes from the event; a minute is left for the way and for clocks that differ. */
export const TOKEN_MS = 14 * 60 * 1000;

/** Discord waits 3 s for the first answer. https://docs.discord.com/developers/interactions/receiving-and-responding */
export const DEFER_AFTER_MS = 2000;

/** The pace of edits is Discord's, told by its headers; this is what it comes to in one channel. */
export const limitsOf = (fileBytes = DEFAULT_FILE_BYTES): ChannelLimits => ({
	text: MAX_TEXT,
	pictures: MAX_FILES,
	pictureBytes: fileBytes,
	messageBytes: Math.max(REQUEST_BYTES, fileBytes) - BESIDE_FILES,
	edits: { count: 5, perMs: 5000 },
});
