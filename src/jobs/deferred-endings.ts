/**
 * The ends of requests that this process could not store, because the store failed: answers that people have, and pictures that could be
 * neither posted nor kept. They are in memory only. A process that takes over such a job knows what its message shows.
 */
export class DeferredEndings {
	readonly #endings = new Map<string, () => Promise<void>>();

	/** @param end ends the request of the job, and may be called again when it rejects */
	defer(job: string, end: () => Promise<void>): void {
		this.#endings.set(job, end);
	}

	/** Returns the ids of the jobs. */
	jobs(): string[] {
		return [...this.#endings.keys()];
	}

	/** Forgets a job that another process has ended. */
	forget(job: string): void {
		this.#endings.delete(job);
	}

	/** Ends a job whose end was deferred. Returns false for any other. */
	async finish(job: string): Promise<boolean> {
		const end = this.#endings.get(job);
		if (!end) return false;
		this.#endings.delete(job);
		try {
			await end();
		} catch (error) {
			this.#endings.set(job, end);
			throw error;
		}
		return true;
	}
}
