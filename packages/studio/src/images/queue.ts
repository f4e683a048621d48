import { Budget } from '../budget.ts';
import { ApiError } from '../http/api-error.ts';

/** Runs one picture's drawing when its turn comes. */
export type InTurn = <T>(task: () => Promise<T>) => Promise<T>;

export type Queue = ReturnType<typeof createQueue>;

/**
 * Drawing is work for the processor, so few pictures are drawn at once, and few wait: a request that would wait long is
 * better told so.
 */
export function createQueue({ atOnce = 2, atMost = 64 } = {}) {
	const turns = new Budget(atOnce);
	let admitted = 0;
	return {
		/**
		 * Lets `work` in, which may draw `count` pictures; first come, first served across all requests.
		 * @param signal gives up every turn that is still waited for
		 * @throws ApiError 429 at once when too many wait already
		 */
		async admit<T>(count: number, signal: AbortSignal, work: (inTurn: InTurn) => Promise<T>): Promise<T> {
			if (admitted + count > atMost)
				throw ApiError.tooMany('Too many pictures are being drawn; try again in a moment.');
			admitted += count;
			try {
				return await work((task) => turns.use(1, signal, task));
			} finally {
				admitted -= count;
			}
		},
	};
}
