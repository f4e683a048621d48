import type { Keyv } from 'keyv';

/** Longer than anything is still under way; buttons need no record, for they come with their message. */
const KEPT_MS = 30 * 24 * 3600 * 1000;

/** A picture of a message: a file that its block shows. */
export type Image = { file: string; alt: string };

/** What is known of a message of ours. */
export type MessageRecord = {
	/** Where it really is: for what is private, the direct messages with who asked. */
	channel: string;
	thread?: string;
	/** Not known yet, or never, of what Slack shows to one person for the moment. */
	ts?: string;
	/** Unix milliseconds at which it was about to be posted. */
	since: number;
	/** Shown to one person for the moment: it can be neither edited nor found. */
	fleeting?: true;
	images?: readonly Image[];
	/** Names its covered ones. */
	covered?: string;
};

export type SlackMessageRecords = ReturnType<typeof createRecords>;

/** Which message was posted under which key. */
export function createRecords(keyv: Keyv) {
	const messageName = (channel: string, ts: string) => `message:${channel}:${ts}`;
	return {
		find: (key: string) => keyv.get<MessageRecord>(`post:${key}`),
		keyOf: (channel: string, ts: string) => keyv.get<string>(messageName(channel, ts)),

		async save(key: string, kept: MessageRecord): Promise<void> {
			await keyv.set(`post:${key}`, kept, KEPT_MS);
			if (kept.ts !== undefined) await keyv.set(messageName(kept.channel, kept.ts), key, KEPT_MS);
		},

		async forget(key: string, { channel, ts }: MessageRecord): Promise<void> {
			await keyv.delete(`post:${key}`);
			if (ts !== undefined) await keyv.delete(messageName(channel, ts));
		},
	};
}
