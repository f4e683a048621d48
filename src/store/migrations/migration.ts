import type { Change, Space } from '../store.ts';

/** What a migration may need to know. */
export type MigrationOptions = {
	/** How long prompts, pictures, chats and names are kept. */
	retentionMs: number;
	/** Returns Unix milliseconds. */
	now: () => number;
};

/** Migrates the entries of one space. Both functions must give the same result when they are called again after a crash. */
export type SpaceMigration = {
	/** Returns the change that brings one entry to the new version, or undefined when it stays as it is. */
	entry(key: string, value: unknown): Change | undefined;
	/** Makes the changes that concern several entries. */
	finish?(space: Space, commit: (change: Change) => Promise<void>): Promise<void>;
};

/** Returns the migrations of all spaces to one version, by the name of the space. */
export type Migration = (options: MigrationOptions) => Record<string, SpaceMigration>;
