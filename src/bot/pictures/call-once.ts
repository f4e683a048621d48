import { ServiceError } from '../../service/errors.ts';
import { ShutdownError } from '../messages/error-messages.ts';

/** Said to the service when a person stops what they have asked for. */
export class UserAbortError extends Error {
	override name = 'Stopped';
}

/** How a call to the service ended, as far as this process knows: only what surely was not made has `failed`. */
export type CallResult<Result> = { wasSent: boolean } & (
	| { outcome: 'succeeded'; result: Result }
	| { outcome: 'failed' | 'unknown'; error: unknown }
);

/**
 * Makes a paid call; never rejects. Before `sent()` is called nothing can have been paid for; after it, only what the client is
 * sure of is not.
 */
export async function callOnce<Result>(run: (sent: () => void) => Promise<Result>): Promise<CallResult<Result>> {
	let wasSent = false;
	try {
		const result = await run(() => {
			wasSent = true;
		});
		return { wasSent, outcome: 'succeeded', result };
	} catch (error) {
		const surelyNot =
			error instanceof ServiceError
				? error.fate !== 'unknown'
				: error instanceof ShutdownError || error instanceof UserAbortError;
		return { wasSent, outcome: wasSent && !surelyNot ? 'unknown' : 'failed', error };
	}
}
