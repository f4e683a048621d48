import { RETENTION_MS } from '../../../../domain/platform.ts';

/** How much the sandbox keeps. What is beyond is dropped, the oldest first. */
export type SandboxBounds = {
	/** Messages in a channel, and in a thread. */
	messages: number;
	/** Threads in a channel. */
	threads: number;
	/** Files of all messages together. */
	fileBytes: number;
	/** How long messages, threads and files are kept, in milliseconds. */
	retentionMs: number;
};

export const DEFAULT_BOUNDS: SandboxBounds = {
	messages: 1000,
	threads: 50,
	fileBytes: 512 * 2 ** 20,
	retentionMs: RETENTION_MS,
};
