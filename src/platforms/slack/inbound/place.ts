import type { Place } from '../../../domain/place.ts';

/** Returns a place in a channel or thread, which counts as no direct messages with the bot. */
export const placeIn = (server: string, channel: string, thread?: string): Place => ({
	platform: 'slack',
	server,
	channel,
	...(thread !== undefined && { thread }),
});

/**
 * Returns the thread that a message is a reply in. The first message of a thread has its own `ts` as `thread_ts`; it counts as a
 * message of the channel. https://docs.slack.dev/messaging/retrieving-messages#threading
 */
export const threadOf = ({ ts, thread_ts }: { ts?: unknown; thread_ts?: unknown }): string | undefined =>
	typeof thread_ts === 'string' && thread_ts !== ts ? thread_ts : undefined;
