/** A failure of a call. */
export type Fault =
	/** Returns `{ ok: false, error }`, without doing anything. */
	| { error: string; more?: Record<string, unknown> }
	/** Returns 429, for so many seconds. */
	| { limited: number }
	/** Returns another status with an HTML page, without doing anything. */
	| { status: number }
	/** Handles the call and returns another status all the same, so that a retry repeats it. */
	| { statusAfter: number }
	/** Handles the call only when this resolves. */
	| { slow: Promise<void> }
	/** Breaks the connection. */
	| { die: true };

export type Faults = ReturnType<typeof createFaults>;

/** Faults of the Web API, and of response URLs under the name `response_url`. Each applies to the next calls of a method, to one by default. */
export function createFaults() {
	const active: { method: string | RegExp; fault: Fault; left: number }[] = [];

	function add(method: string | RegExp, fault: Fault, times = 1) {
		active.push({ method, fault, left: times });
	}

	return {
		add,
		/** @param error such as `not_in_channel` */
		refuse: (method: string | RegExp, error: string, times = 1) => add(method, { error }, times),
		limit: (method: string | RegExp, { seconds = 1, times = 1 } = {}) => add(method, { limited: seconds }, times),
		serverError: (method: string | RegExp, { status = 503, after = false, times = 1 } = {}) =>
			add(method, after ? { statusAfter: status } : { status }, times),
		/** Returns a function that lets the call continue. */
		slow(method: string | RegExp): () => void {
			const { promise, resolve } = Promise.withResolvers<void>();
			add(method, { slow: promise });
			return resolve;
		},
		die: (method: string | RegExp, times = 1) => add(method, { die: true }, times),
		/** Removes all faults. */
		clear: () => void active.splice(0),
		take(method: string): Fault | undefined {
			const found = active.find(
				(one) => one.left > 0 && (typeof one.method === 'string' ? one.method === method : one.method.test(method)),
			);
			if (found) found.left--;
			return found?.fault;
		},
	};
}
