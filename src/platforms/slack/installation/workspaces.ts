import type { Installation, Installations } from './installation.ts';

/** Where the bot is installed, and how that changes. */
export type Workspaces = Installations & {
	/**
	 * Asks Slack whether it knows us, where that can be asked. Resolves to the scopes that were granted; undefined where every
	 * workspace has its own. Rejects with `SlackRefusal`, or with the network's error.
	 */
	check(): Promise<readonly string[] | undefined>;
	/** The bot was removed from a workspace at that time (Unix milliseconds). False where it was not there, or is again. */
	remove(server: string, at: number): Promise<boolean>;
	/** The bot was removed from the only workspace that there can be. */
	gone(): boolean;
};

/** An installation as it is kept, sealed. */
export type StoredInstallation = Installation & {
	/** For people. */
	name: string;
	/** Unix milliseconds. */
	installedAt: number;
	/** Where tokens are rotated: when `botToken` ends (Unix milliseconds), and what the next one is got with, once. */
	rotation?: { expiresAt: number; refreshToken: string };
};
