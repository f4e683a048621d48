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
