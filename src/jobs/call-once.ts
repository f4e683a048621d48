import { outcomeOfError } from './outcome.ts';

/** How a call to the service ended, as far as this process knows. */
export type CallResult<Result> = { wasSent: boolean } & (
	| { outcome: 'succeeded'; result: Result }
	| { outcome: 'failed' | 'unknown'; error: unknown }
);

/**
 * Makes a paid call. Never rejects.
 * @param run calls `sent()` right before it asks the service
 */
export async function callOnce<Result>(run: (sent: () => void) => Promise<Result>): Promise<CallResult<Result>> {
	let wasSent = false;
	try {
		const result = await run(() => {
			wasSent = true;
		});
		return { wasSent, outcome: 'succeeded', result };
	} catch (error) {
		return { wasSent, outcome: outcomeOfError(error, wasSent), error };
	}
}
