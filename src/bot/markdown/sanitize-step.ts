/** One decision about the text at a position: how much of it is consumed, and what is put out instead. */
export type Step = { consumed: number; output: string };

/** A zero-width space. It breaks mentions and links without being seen; discord.js used it for the same purpose. */
export const BREAK = '\u200b';

/** UTF-16 units before the current position that are remembered. */
export const CONTEXT = 256;
