import type { MessageRecord } from '../api/message-records.ts';

/** Returns what a message handle stores besides place and key. */
export const handleDataOf = ({ channel, thread, ts }: MessageRecord, responseUrl?: string): Record<string, string> => ({
	channel,
	...(thread !== undefined && { thread }),
	...(ts !== undefined && { ts }),
	...(responseUrl !== undefined && { responseUrl }),
});

/** Returns the record that `handleDataOf` was given; undefined when the data identify no message. */
export function recordFromHandle(data: Record<string, string> = {}): MessageRecord | undefined {
	const { channel, thread, ts, responseUrl } = data;
	if (channel === undefined || (ts === undefined && responseUrl === undefined)) return undefined;
	return {
		channel,
		since: 0,
		...(thread !== undefined && { thread }),
		...(ts === undefined ? { fleeting: true as const } : { ts }),
	};
}
