import type { Keyv } from 'keyv';
import { createMessageRecords } from '../../shared/message-records.ts';
import type { Image } from './blocks.ts';

/** A message of the bot. */
export type MessageRecord = {
	/** The channel that Slack has it in: for a private message, the direct messages with its reader. */
	channel: string;
	thread?: string;
	/** Undefined until it is posted, and always for an ephemeral message. */
	ts?: string;
	/** Unix milliseconds just before it was posted. */
	since: number;
	/** Ephemeral: it can be neither edited nor found. https://docs.slack.dev/reference/methods/chat.postEphemeral */
	fleeting?: true;
	/** Only the requester sees its status, so it has no `ts`: the result will be a message of files. */
	ephemeralStatus?: {
		/** The response URL of the slash command that the status was posted through. */
		responseUrl?: string;
	};
	/** Slack shows its pictures as files of the message. A hash of their bytes. */
	asFiles?: string;
	images?: readonly Image[];
	/** The id of its covered pictures, with which the id of the button that shows them ends. */
	covered?: string;
};

export type SlackMessageRecords = ReturnType<typeof createSlackMessageRecords>;

/** The id of a message that holds in all workspaces. */
export const messageIdOf = (channel: string, ts: string): string => `${channel}:${ts}`;

export const createSlackMessageRecords = (keyv: Keyv, ttlMs: number) =>
	createMessageRecords<MessageRecord>(
		keyv,
		({ channel, ts }) => (ts === undefined ? undefined : messageIdOf(channel, ts)),
		({ fleeting }) => fleeting === true,
		ttlMs,
	);
