/** The location of a message. */
export type MessageLocation = { server: string; channel: string; thread?: string | undefined };

/** A posted message. */
export type SlackMessage = MessageLocation & { ts: string };

/** Returns the thread of a message, which it may begin. */
export const threadOf = ({ ts, ...location }: SlackMessage): MessageLocation => ({
	...location,
	thread: location.thread ?? ts,
});
