/** Makes what was written durable, one sync at a time. Those that are asked for while one runs are one sync, which begins after it. */
export class SharedSync {
	readonly #work: () => Promise<void>;
	#running: Promise<void> = Promise.resolve();
	#next: Promise<void> | undefined;

	/** @param work makes durable what was written before it is called */
	constructor(work: () => Promise<void>) {
		this.#work = work;
	}

	/** Settles as a sync that begins after this call. */
	sync(): Promise<void> {
		this.#next ??= this.#running.then(() => {
			this.#next = undefined;
			const syncing = this.#work();
			this.#running = syncing.catch(() => {});
			return syncing;
		});
		return this.#next;
	}
}
