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

/**
 * Returns a function that reads once for calls at about the same time: those during a reading, and within some time after it, get its result.
 * @param msOf how long a result is good for, in milliseconds
 */
export function rememberedFor<Result>(msOf: (result: Result) => number, read: () => Promise<Result>) {
	let latest: Promise<Result> | undefined;
	let until = 0;
	return (): Promise<Result> => {
		if (latest && performance.now() < until) return latest;
		until = Number.POSITIVE_INFINITY;
		latest = read();
		latest.then(
			(result) => {
				until = performance.now() + msOf(result);
			},
			() => {
				until = 0;
			},
		);
		return latest;
	};
}

/** Bounds the memory that work takes at once. Work that does not fit waits, in its order. */
export class MemoryBudget {
	readonly #bytes: number;
	readonly #waitMs: number;
	#free: number;
	readonly #waiting = new Set<{ bytes: number; start: () => void }>();

	/** @param waitMs longest wait, after which work gets its memory all the same, as it does when its signal is aborted. Default: for ever */
	constructor(bytes: number, waitMs = Number.POSITIVE_INFINITY) {
		this.#bytes = bytes;
		this.#free = bytes;
		this.#waitMs = waitMs;
	}

	/** Does work once so many bytes are free. */
	async use<Result>(bytes: number, signal: AbortSignal | undefined, work: () => Promise<Result>): Promise<Result> {
		const release = await this.take(bytes, signal);
		try {
			return await work();
		} finally {
			release();
		}
	}

	/**
	 * Waits until so many bytes are free; more than there are take all of them.
	 * @returns gives them back, once
	 * @throws the signal's reason when it is aborted before, unless the wait has an end
	 */
	take(bytes: number, signal?: AbortSignal): Promise<() => void> {
		return new Promise((resolve, reject) => {
			const hasEnd = Number.isFinite(this.#waitMs);
			let taken = Math.min(bytes, this.#bytes);
			const leave = () => {
				this.#waiting.delete(entry);
				clearTimeout(timer);
				signal?.removeEventListener('abort', end);
			};
			const start = () => {
				leave();
				this.#free -= taken;
				resolve(() => {
					this.#free += taken;
					taken = 0;
					this.#admit();
				});
			};
			const end = () => {
				if (hasEnd) return start();
				leave();
				reject(signal?.reason);
				this.#admit();
			};
			const entry = { bytes: taken, start };
			const timer = hasEnd ? setTimeout(end, this.#waitMs).unref() : undefined;
			this.#waiting.add(entry);
			signal?.addEventListener('abort', end, { once: true });
			if (signal?.aborted) end();
			else this.#admit();
		});
	}

	#admit(): void {
		for (const { bytes, start } of this.#waiting) {
			if (bytes > this.#free) return;
			start();
		}
	}
}
