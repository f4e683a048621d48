import { ServiceError } from '../../service/errors.ts';
import type { CallOutcome } from '../../usage/receipt.ts';
import { Stopping } from '../trouble.ts';
import type { AnswerState } from './conversations.ts';

/** Said to the service when a person stops an answer. */
export class Stopped extends Error {
	override name = 'Stopped';
}

/** How a turn went, as far as is known of it. */
type End = { wasSent: boolean; error?: unknown };

export async function attempt(run: (sent: () => void) => Promise<void>): Promise<End> {
	let wasSent = false;
	try {
		await run(() => {
			wasSent = true;
		});
		return { wasSent };
	} catch (error) {
		return { wasSent, error };
	}
}

/** How the answer stands. */
export function stateOf(error: unknown, stop: AbortSignal, stopping: AbortSignal, hasText: boolean): AnswerState {
	if (error === undefined) return 'done';
	if (stop.aborted) return 'stopped';
	if (stopping.aborted) return 'interrupted';
	return hasText ? 'cut' : 'failed';
}

/** What became of a turn without an answer: given back when the service surely did not write one. */
export function outcomeOf({ wasSent, error }: End): CallOutcome {
	const surelyNot =
		error instanceof ServiceError ? error.fate !== 'unknown' : error instanceof Stopping || error instanceof Stopped;
	return wasSent && !surelyNot ? 'unknown' : 'failed';
}
