import type { Keyv } from 'keyv';

export type SandboxIndexMember = { index: string; member: string };

/** A change that is made as a whole or not at all. */
export type SpaceChange = {
	add?: readonly { key: string; by: number }[];
	put?: readonly { key: string; value: unknown; ttlMs?: number }[];
	remove?: readonly string[];
	index?: readonly SandboxIndexMember[];
	unindex?: readonly SandboxIndexMember[];
};

/** The part of a space of the store that the sandbox uses. Indexes are in the order of their members. */
export type SandboxSpace = {
	keyv: Keyv;
	commit(change: SpaceChange): Promise<unknown>;
	members(
		index: string,
		page: { after?: string; before?: string; limit: number; descending?: boolean },
	): Promise<string[]>;
	files: {
		put(name: string, bytes: Uint8Array, ttlMs: number): Promise<void>;
		get(name: string): Promise<Uint8Array | undefined>;
		delete(name: string): Promise<boolean>;
	};
};

/** Returns a text for a time, such that texts are in the order of their times. */
export const timeText = (at: number): string => at.toString(36).padStart(9, '0');
