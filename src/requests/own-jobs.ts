/** The jobs that this process works on, and what it has left to do for others. An open job that no process works on was left behind. */
export class OwnJobs {
	/** The members that the jobs are of, by job. */
	readonly #running = new Map<string, string>();
	readonly #reserved = new Set<string>();
	/** What waits until jobs are reserved. */
	readonly #waiting = new Map<string, () => void>();
	/** What the store did not take, by job. */
	readonly #deferred = new Map<string, () => Promise<void>>();

	/** Works on a job, unless that is under way: then it returns undefined. */
	async run<Result>(id: string, work: () => Promise<Result>, member = ''): Promise<Result | undefined> {
		if (this.#running.has(id)) return undefined;
		this.#running.set(id, member);
		try {
			return await work();
		} finally {
			this.#running.delete(id);
			this.#reserved.delete(id);
		}
	}

	isRunning(id: string): boolean {
		return this.#running.has(id);
	}

	/** Begins a request, whose id is that of its job. Resolves once the job is reserved, or the request has ended without. */
	begin(id: string, request: () => Promise<void>): Promise<void> {
		const { promise, resolve } = Promise.withResolvers<void>();
		this.#waiting.set(id, resolve);
		void request().finally(() => {
			this.#waiting.delete(id);
			resolve();
		});
		return promise;
	}

	/** Notes that this process has reserved a job that it works on. */
	reserved(id: string): void {
		this.#reserved.add(id);
		this.#waiting.get(id)?.();
	}

	/** Tells whether the job that runs is that of another process: a delivery of its request has come here, too. */
	isForeign(id: string): boolean {
		return this.#running.has(id) && !this.#reserved.has(id);
	}

	/** Returns how many jobs of a member are under way. */
	countOf(member: string): number {
		return [...this.#running.values()].filter((other) => other === member).length;
	}

	/** Leaves work on a job to the next sweep, since the store failed. */
	defer(job: string, work: () => Promise<void>): void {
		this.#deferred.set(job, work);
	}

	/** Does what was left to do for a job. Returns false when that is nothing. */
	async resume(job: string): Promise<boolean> {
		const work = this.#deferred.get(job);
		if (!work) return false;
		await work();
		// The work may have deferred other work.
		if (this.#deferred.get(job) === work) this.#deferred.delete(job);
		return true;
	}

	/** Forgets what was left to do for jobs that have ended otherwise. @param open the open jobs */
	forget(open: ReadonlySet<string>): void {
		for (const job of this.#deferred.keys()) if (!open.has(job)) this.#deferred.delete(job);
	}
}
