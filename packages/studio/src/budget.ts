/** Bounds what work takes at once. Work that does not fit waits, in its order. */
export class Budget {
	readonly #most: number;
	#free: number;
	readonly #waiting = new Set<{ amount: number; start: () => void }>();

	constructor(most: number) {
		this.#most = most;
		this.#free = most;
	}

	/**
	 * Does work once so much is free; more than there is takes all of it.
	 * @throws the signal's reason when it is aborted before the work has begun
	 */
	async use<Result>(amount: number, signal: AbortSignal | undefined, work: () => Promise<Result>): Promise<Result> {
		const taken = Math.min(amount, this.#most);
		await this.#take(taken, signal);
		try {
			return await work();
		} finally {
			this.#free += taken;
			this.#admit();
		}
	}

	async #take(amount: number, signal: AbortSignal | undefined): Promise<void> {
		signal?.throwIfAborted();
		const { promise, resolve, reject } = Promise.withResolvers<void>();
		const entry = { amount, start: resolve };
		const leave = () => {
			this.#waiting.delete(entry);
			reject(signal?.reason);
			this.#admit();
		};
		signal?.addEventListener('abort', leave, { once: true });
		this.#waiting.add(entry);
		this.#admit();
		await promise.finally(() => signal?.removeEventListener('abort', leave));
	}

	#admit(): void {
		for (const entry of this.#waiting) {
			if (entry.amount > this.#free) return;
			this.#waiting.delete(entry);
			this.#free -= entry.amount;
			entry.start();
		}
	}
}
