import type { Log } from './log.ts';

/** The work that runs in this process, so that a shutdown can wait for it. */
export class RunningWork {
	readonly #log: Log;
	readonly #running = new Set<Promise<unknown>>();

	constructor(log: Log) {
		this.#log = log;
	}

	/** Adds work whose result the caller awaits. */
	hold<T>(work: Promise<T>): Promise<T> {
		const held = work.finally(() => this.#running.delete(held));
		this.#running.add(held);
		return held;
	}

	/** Adds work that nothing awaits. A failure is logged. */
	track(work: Promise<unknown>): void {
		const logged = work.catch((error: unknown) => this.#log.error({ err: error }, 'Background work failed'));
		void this.hold(logged);
	}

	/** Resolves when all of it has ended. */
	async ended(): Promise<void> {
		await Promise.allSettled(this.#running);
		// Work that has ended may have added further work.
		await Promise.allSettled(this.#running);
	}
}
