import type { MessageRecord } from '../api/message-records.ts';

/** What a handle says of a message besides its place and key. */
export const dataOf = ({ channel, thread, ts }: MessageRecord, responseUrl?: string): Record<string, string> => ({
	channel,
	...(thread !== undefined && { thread }),
	...(ts !== undefined && { ts }),
	...(responseUrl !== undefined && { responseUrl }),
});

/** The inverse of `dataOf`. */
export function keptFrom({ channel, thread, ts, responseUrl }: Record<string, string> = {}): MessageRecord | undefined {
	if (channel === undefined || (ts === undefined && responseUrl === undefined)) return undefined;
	return {
		channel,
		since: 0,
		...(thread !== undefined && { thread }),
		...(ts === undefined ? { fleeting: true as const } : { ts }),
	};
}
