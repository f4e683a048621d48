import { vi } from 'vitest';

const TIMEOUT_MS = 25_000;

/** Calls `work` until it no longer throws, and returns its result. It is given long enough for a busy machine. */
export const eventually = <Result>(work: () => Result | Promise<Result>): Promise<Result> =>
	vi.waitFor(work, { timeout: TIMEOUT_MS });
