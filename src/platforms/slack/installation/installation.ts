/** The bot in one workspace, or in all of one organisation. */
export type Installation = {
	/** What caps and places belong to: the organisation's id where it is installed for all of it, else the workspace's. */
	server: string;
	botToken: string;
	botUser: string;
	/** Of the bot as the author of messages, `B…`. */
	bot: string;
	scopes: readonly string[];
};

export type Installations = {
	/** Undefined where the bot is not installed (any more). */
	of(server: string): Promise<Installation | undefined>;
};
