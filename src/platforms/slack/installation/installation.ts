/** The bot in a workspace, or in a whole organization. */
export type Installation = {
	/** The owner of caps and places: the id of the organization when it is installed for all of it, else of the workspace. */
	server: string;
	botToken: string;
	botUser: string;
	/** The bot's id as the author of messages, `B…`. */
	bot: string;
	scopes: readonly string[];
	/** With token rotation: when `botToken` expires (Unix milliseconds), and the token that the next one is requested with, once. */
	rotation?: { expiresAt: number; refreshToken: string };
};

export type Installations = {
	/** Returns undefined where the bot is not installed. */
	of(server: string): Promise<Installation | undefined>;
};
