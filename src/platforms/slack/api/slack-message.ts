/** The location of a message. */
export type MessageLocation = { server: string; channel: string; thread?: string | undefined };

/** A posted message. */
export type SlackMessage = MessageLocation & { ts: string };
