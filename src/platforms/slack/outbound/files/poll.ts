import { setTimeout as sleep } from 'node:timers/promises';
import { FileNotReadyError } from './file-not-ready.ts';

/** The pauses between two tries, in milliseconds; each is twice the one before. */
const FIRST_PAUSE_MS = 125;
const MAX_PAUSE_MS = 8000;

/** When a result is looked for, and how long. */
export type PollOptions = {
	timeoutMs: number;
	/** The pause before the first try, in milliseconds. */
	firstPauseMs?: number;
	/** Ends the tries. */
	signal?: AbortSignal;
};

/**
 * Tries until there is a result: Slack needs seconds to process a file, and sometimes never finishes.
 *
 * @param attempt resolves to undefined while Slack is not ready
 * @throws FileNotReadyError after `timeoutMs`, an `AbortError` for the signal, and whatever `attempt` throws
 */
export async function poll<Result>(
	attempt: () => Promise<Result | undefined>,
	{ timeoutMs, firstPauseMs = 0, signal }: PollOptions,
): Promise<Result> {
	const deadline = performance.now() + timeoutMs;
	if (firstPauseMs > 0) await sleep(Math.min(firstPauseMs, timeoutMs), undefined, { signal });
	for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
		const result = await attempt();
		if (result !== undefined) return result;
		const leftMs = deadline - performance.now();
		if (leftMs <= 0) throw new FileNotReadyError('Slack did not process a file in time');
		await sleep(Math.min(pauseMs, leftMs), undefined, { signal });
	}
}
