/** What is done to a call instead of answering it rightly. */
export type Fault =
	/** `{ ok: false, error }`, having done nothing. */
	| { error: string; more?: Record<string, unknown> }
	/** 429, for so many seconds. */
	| { limited: number }
	/** Another status with a page of HTML, having done nothing. */
	| { status: number }
	/** Does it, and answers with a status all the same: whoever asks again asks twice. */
	| { statusAfter: number }
	/** Does it only once this resolves. */
	| { slow: Promise<void> }
	/** Breaks the connection. */
	| { die: true };

export type Faults = ReturnType<typeof createFaults>;

/** Bad behaviour, by switch. Each fault hits so many of the coming calls of a method, once when not said. */
export function createFaults() {
	const standing: { method: string | RegExp; fault: Fault; left: number }[] = [];

	function add(method: string | RegExp, fault: Fault, times = 1) {
		standing.push({ method, fault, left: times });
	}

	return {
		add,
		/** `not_in_channel` and the like. */
		refuse: (method: string | RegExp, error: string, times = 1) => add(method, { error }, times),
		limit: (method: string | RegExp, { seconds = 1, times = 1 } = {}) => add(method, { limited: seconds }, times),
		serverError: (method: string | RegExp, { status = 503, after = false, times = 1 } = {}) =>
			add(method, after ? { statusAfter: status } : { status }, times),
		/** Matching calls are done only when the returned function is called. */
		slow(method: string | RegExp): () => void {
			const { promise, resolve } = Promise.withResolvers<void>();
			add(method, { slow: promise });
			return resolve;
		},
		die: (method: string | RegExp, times = 1) => add(method, { die: true }, times),
		/** From now on all goes well again. */
		clear: () => void standing.splice(0),
		take(method: string): Fault | undefined {
			const found = standing.find(
				(one) => one.left > 0 && (typeof one.method === 'string' ? one.method === method : one.method.test(method)),
			);
			if (found) found.left--;
			return found?.fault;
		},
	};
}
