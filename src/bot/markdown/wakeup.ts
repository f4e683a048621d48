/** Lets one loop sleep until there is something to do. */
export class Wakeup {
	#wake = () => {};
	#idle = false;

	/** Tells whether the loop sleeps without a time limit. */
	get isIdle(): boolean {
		return this.#idle;
	}

	/** Resolves after `ms`, or when `wake` is called; without `ms` only then. */
	sleep(ms?: number): Promise<void> {
		const { promise, resolve } = Promise.withResolvers<void>();
		const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
		this.#idle = ms === undefined;
		this.#wake = () => {
			clearTimeout(timer);
			this.#idle = false;
			resolve();
		};
		return promise;
	}

	/** Ends the current sleep, if any. */
	wake(): void {
		this.#wake();
	}
}
