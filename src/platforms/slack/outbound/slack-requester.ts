/** The person whose command, button or message is answered. */
export type SlackRequester = {
	user: string;
	/** The id of their workspace. */
	team: string;
	/** Slack's address for replies, where the request came with one. */
	responseUrl?: string;
	/** The address came with a slash command: it replaces what was posted through it. That of a button replaces the button's message. */
	isCommand?: true;
	/** They are in a conversation between people, which nobody can invite the bot to. */
	isTalk?: boolean;
	/** Private replies will be edited or show pictures. Ephemeral messages allow neither, so they are sent as direct messages. */
	needsDirectMessage?: boolean;
};
