import type { Keyv } from 'keyv';
import { type Button, encodeActionId, type MessageHandle, type Place, parseActionId } from '../../../domain/channel.ts';
import type { Translate } from '../../../i18n/translator.ts';
import type { Log } from '../../../log.ts';
import { MessageRecords } from '../../shared/message-records.ts';
import type { Image } from '../api/blocks.ts';
import type { SlackMessage } from '../api/messages.ts';
import type { Slack } from '../slack.ts';
import type { SentFile } from './files.ts';

/** What a message shows besides its text and buttons. */
export type Shown = {
	images?: readonly Image[];
	/** Pictures that a button shows to those who press it: Slack cannot cover a picture in a message. */
	covered?: readonly Image[];
	/** Files in its thread, which are there once they are shared. */
	below?: readonly SentFile[];
};

export type MessageRecord = Shown & {
	/** The channel that Slack has it in: for a private message, the direct messages with its reader. */
	channel: string;
	thread?: string;
	/** Undefined until it is posted, and always for an ephemeral message. */
	ts?: string;
	/** Unix milliseconds just before it was posted. */
	since: number;
	/** It can be neither edited nor found. https://docs.slack.dev/reference/methods/chat.postEphemeral */
	isEphemeral?: true;
	/** Edits and deletes it if it is ephemeral and the address came with a press on its button. */
	responseUrl?: string;
	isShared?: true;
};

/** Messages of the bot by the key that they were posted under, also those of a process that crashed before it stored them. */
export class SlackMessageRecords extends MessageRecords<MessageRecord> {
	/** @param ttlMs how long messages are found */
	constructor(keyv: Keyv, ttlMs: number, log: Log) {
		super({
			keyv,
			idOf: ({ channel, ts }) => (ts === undefined ? undefined : idOf(channel, ts)),
			isFleeting: ({ isEphemeral }) => isEphemeral === true,
			ttlMs,
			log,
		});
	}

	/** Finds also the messages of a channel that has got another id since. */
	override async keyOf(id: string): Promise<string | undefined> {
		const key = await super.keyOf(id);
		if (key !== undefined) return key;
		const [channel = '', ts = ''] = id.split(':');
		const before = await this.options.keyv.get<string>(`before:${channel}`);
		return before === undefined ? undefined : this.keyOf(idOf(before, ts));
	}

	/** Stores the new id of a channel. https://docs.slack.dev/reference/events/channel_id_changed */
	async rename(from: string, to: string): Promise<void> {
		const { keyv, ttlMs } = this.options;
		await keyv.set(`now:${from}`, to, ttlMs);
		await keyv.set(`before:${to}`, from, ttlMs);
		// A channel may get an earlier id back.
		await keyv.deleteMany([`now:${to}`, `before:${from}`]);
	}

	renamed(channel: string): Promise<string | undefined> {
		return this.options.keyv.get<string>(`now:${channel}`);
	}

	/** Returns the handle of any message. Its key is the `ts` for messages that are not of the bot. */
	async handleOf(place: Place, ts: string): Promise<MessageHandle> {
		const key = (await this.keyOf(idOf(place.channel, ts))) ?? ts;
		return { place, key, data: handleDataOf({ ...recordIn(place), ts }) };
	}
}

/** The id of a message that holds in all workspaces. */
export const idOf = (channel: string, ts: string): string => `${channel}:${ts}`;

export const recordIn = ({ channel, thread }: Place): MessageRecord => ({ channel, thread, since: Date.now() });

/** Returns the message of a record; undefined for one that is ephemeral, or not posted yet. */
export const messageOf = (server: string, { channel, thread, ts }: MessageRecord): SlackMessage | undefined =>
	ts === undefined ? undefined : { server, channel, thread, ts };

/** Returns what a message handle stores besides place and key. */
export const handleDataOf = ({ channel, thread, ts, responseUrl }: MessageRecord): Record<string, string> => ({
	channel,
	...(thread !== undefined && { thread }),
	...(ts !== undefined && { ts }),
	...(responseUrl !== undefined && { responseUrl }),
});

/** Returns the record that `handleDataOf` was given; undefined when the data identify no message. */
export function recordFromHandle(data: Record<string, string> = {}): MessageRecord | undefined {
	const { channel, thread, ts, responseUrl } = data;
	if (channel === undefined || (ts === undefined && responseUrl === undefined)) return undefined;
	return { channel, thread, ts, responseUrl, since: 0, ...(ts === undefined && { isEphemeral: true as const }) };
}

/** The button that shows covered pictures to the person who presses. Its subject is the key of its message. */
const SHOW = { action: 'show', version: 1 } as const;

export const showButton = (key: string, t: Translate): Button => ({
	id: encodeActionId({ ...SHOW, subject: key }),
	label: t('slack.showPicture'),
});

export const isShowButton = (button: string): boolean => parseActionId(button)?.action === SHOW.action;

/** Returns the pictures that a button shows; none for other buttons, and when they are no longer stored. */
export async function coveredBy({ records }: Slack, button: string): Promise<readonly Image[]> {
	const { subject = '' } = isShowButton(button) ? (parseActionId(button) ?? {}) : {};
	return (subject && (await records.find(subject))?.covered) || [];
}
