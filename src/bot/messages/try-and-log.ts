import type { Log } from '../../log.ts';

/** Does what, should it fail, must not cost the rest of what has to be done: the failure is logged under these words. */
export async function tryAndLog<T>(log: Log, what: string, work: () => Promise<T>): Promise<T | undefined> {
	try {
		return await work();
	} catch (error) {
		log.error({ err: error }, what);
		return undefined;
	}
}
