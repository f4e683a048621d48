import type { Installation, Installations } from './installation.ts';

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
