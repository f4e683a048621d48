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

/** The workspaces where the bot is installed. */
export type Workspaces = Installations & {
	/**
	 * Asks Slack whether the bot token is valid, where there is one for the whole process.
	 *
	 * @returns the scopes that were granted; undefined where every workspace has its own token
	 * @throws PlatformLoginError, or the network's error
	 */
	check(): Promise<readonly string[] | undefined>;
	/**
	 * Removes an installation that Slack has ended.
	 *
	 * @param at Unix milliseconds
	 * @returns false where the bot was not installed, or was installed again since
	 */
	remove(server: string, at: number): Promise<boolean>;
	/** Tells whether the bot is installed in a workspace now; undefined where this process cannot know it. */
	isInstalled(server: string): Promise<boolean | undefined>;
	/** Tells whether the bot was removed from the only workspace that this process can have. */
	isRemoved(): boolean;
};

/** An installation as it is stored, encrypted. */
export type StoredInstallation = Installation & {
	/** The name of the workspace or organization, for people. */
	name: string;
	/** Unix milliseconds. */
	installedAt: number;
};
