/** The person whose command, button or message is answered. */
export type SlackRequester = {
	user: string;
	/** The id of their workspace. */
	team: string;
	/** Slack's address for replies, where the request came with one. */
	responseUrl?: string;
	/** Private replies will be edited or show pictures. Ephemeral messages allow neither, so they are sent as direct messages. */
	needsDirectMessage?: boolean;
};
