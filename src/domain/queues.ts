/** Runs tasks of one key one after another, and tasks of different keys side by side. */
export class KeyedQueue {
	/** The last task of each key that has tasks left. */
	readonly #last = new Map<string, Promise<unknown>>();

	/** Resolves or rejects as the task does. A task that fails does not keep the next from running. */
	run<Result>(key: string, task: () => Promise<Result>): Promise<Result> {
		const result = (this.#last.get(key) ?? Promise.resolve()).then(task);
		const settled = result.catch(() => {});
		this.#last.set(key, settled);
		void settled.then(() => this.#last.get(key) === settled && this.#last.delete(key));
		return result;
	}
}

/** Bounds the memory that work takes at once. Work that does not fit waits, in its order. */
export class MemoryBudget {
	readonly #bytes: number;
	#free: number;
	readonly #waiting = new Set<{ bytes: number; start: () => void }>();

	constructor(bytes: number) {
		this.#bytes = bytes;
		this.#free = bytes;
	}

	/**
	 * Does work once so many bytes are free; more than there are take all of them.
	 * @throws the signal's reason when it is aborted before the work has begun
	 */
	async use<Result>(bytes: number, signal: AbortSignal | undefined, work: () => Promise<Result>): Promise<Result> {
		const taken = Math.min(bytes, this.#bytes);
		await this.#take(taken, signal);
		try {
			return await work();
		} finally {
			this.#free += taken;
			this.#admit();
		}
	}

	#take(bytes: number, signal: AbortSignal | undefined): Promise<void> {
		return new Promise((resolve, reject) => {
			if (signal?.aborted) return reject(signal.reason);
			const leave = () => {
				this.#waiting.delete(entry);
				reject(signal?.reason);
				this.#admit();
			};
			const start = () => {
				signal?.removeEventListener('abort', leave);
				resolve();
			};
			const entry = { bytes, start };
			signal?.addEventListener('abort', leave, { once: true });
			this.#waiting.add(entry);
			this.#admit();
		});
	}

	#admit(): void {
		for (const entry of this.#waiting) {
			if (entry.bytes > this.#free) return;
			this.#waiting.delete(entry);
			this.#free -= entry.bytes;
			entry.start();
		}
	}
}
