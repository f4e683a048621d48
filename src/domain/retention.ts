/** How long prompts, pictures, chats and names are kept by default, in milliseconds. */
export const RETENTION_MS = 30 * 24 * 3600_000;
