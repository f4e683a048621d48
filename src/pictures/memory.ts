import { MemoryBudget } from '../domain/memory-budget.ts';

export { MemoryBudget };

/** The most that decoding takes at once. A picture that needs more alone is decoded smaller, or refused. */
export const MAX_DECODING_BYTES = 128 * 1024 * 1024;

/**
 * The memory of this process for pictures: their files, and what decoding them takes. Work that needs both takes the files first, so that
 * nothing waits for files while it decodes, and no two pieces of work wait for each other.
 */
export const fileMemory = new MemoryBudget(32 * 1024 * 1024);
export const decodingMemory = new MemoryBudget(MAX_DECODING_BYTES);
