import type { Log } from '../../log.ts';

/** Runs a step whose failure must not stop the steps after it. Logs the failure as `message`, and returns undefined then. */
export async function tryAndLog<T>(log: Log, message: string, work: () => Promise<T>): Promise<T | undefined> {
	try {
		return await work();
	} catch (error) {
		log.error({ err: error }, message);
		return undefined;
	}
}
