import type { Keyv } from 'keyv';
import type { Place } from '../domain/channel.ts';
import { type CancelledBy, CancelledError, type Job } from '../domain/job.ts';
import type { Log } from '../log.ts';

/** How often this process looks for cancellations that others have received, in milliseconds. */
const POLL_MS = 1000;

/** Longer than a request waits and runs. */
const TTL_MS = 3600_000;

/** What this process does for a job. It can be cancelled while it has a `job`, which it has reserved, or is about an answer in a `place`. */
type Work = { member: string; cancel: AbortController; isReserved?: true; job?: Job; place?: Place };

/**
 * The jobs that this process works on, and what it has left to do for others. An open job that no process works on was left behind. Requests
 * for pictures and answers in chats can be cancelled, also in another process, which finds the cancellation in the store.
 */
export class OwnJobs {
	readonly #keyv: Keyv;
	readonly #running = new Map<string, Work>();
	/** What waits until jobs are reserved. */
	readonly #waiting = new Map<string, () => void>();
	/** What the store or the platform did not take, by job. */
	readonly #deferred = new Map<string, () => Promise<unknown>>();
	#timer: NodeJS.Timeout | undefined;
	#isPolling = false;

	constructor(keyv: Keyv) {
		this.#keyv = keyv;
	}

	/**
	 * Works on a job, unless that is under way: then it returns undefined.
	 *
	 * @param work gets the signal that aborts with `CancelledError` when it is cancelled
	 * @param of the member whose job it is; the place of an answer
	 */
	async run<Result>(
		id: string,
		work: (cancelled: AbortSignal) => Promise<Result>,
		{ member = '', place }: { member?: string; place?: Place } = {},
	): Promise<Result | undefined> {
		if (this.#running.has(id)) return undefined;
		const cancel = new AbortController();
		this.#running.set(id, { member, place, cancel });
		this.#watch();
		try {
			return await work(cancel.signal);
		} finally {
			this.#running.delete(id);
			this.#watch();
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
	reserved(job: Job): void {
		Object.assign(this.#running.get(job.id) ?? {}, { job, isReserved: true });
		this.#watch();
		this.#waiting.get(job.id)?.();
	}

	/** Notes that the call of a job has ended: a cancellation has no effect from here on. */
	called(id: string): void {
		Object.assign(this.#running.get(id) ?? {}, { job: undefined });
		this.#watch();
	}

	/** Returns a job that this process works on, and that can be cancelled. */
	cancellable(id: string): Job | undefined {
		return this.#running.get(id)?.job;
	}

	/** Cancels a job, or an answer by its job. It takes effect within about a second where another process works on it. */
	async cancel(id: string, by: CancelledBy): Promise<void> {
		const work = this.#running.get(id);
		if (work && isCancellable(work)) work.cancel.abort(new CancelledError(by));
		else await this.#keyv.set(keyOf(id), by, TTL_MS);
	}

	/** Stops the answers that this process writes in the places that match. */
	stopAnswers(matches: (place: Place) => boolean): void {
		for (const { place, cancel } of this.#running.values())
			if (place && matches(place)) cancel.abort(new CancelledError('requester'));
	}

	/** Tells whether the job that runs is that of another process: a delivery of its request has come here, too. */
	isForeign(id: string): boolean {
		return this.#running.has(id) && !this.#running.get(id)?.isReserved;
	}

	/** Returns how many jobs of a member are under way. */
	countOf(member: string): number {
		return [...this.#running.values()].filter((other) => other.member === member).length;
	}

	/** Tells whether this process makes pictures in a place that matches. */
	makesPictures(matches: (place: Place) => boolean): boolean {
		return [...this.#running.values()].some(({ job }) => job && matches(job.place));
	}

	/** Leaves work on a job to the next sweep, since the store or the platform failed. It is left once more while it returns `nowhere`. */
	defer(job: string, work: () => Promise<unknown>): void {
		this.#deferred.set(job, work);
	}

	/** Does what was left to do for a job, and returns whether that is done; undefined when there was nothing. */
	async resume(job: string): Promise<'done' | 'nowhere' | undefined> {
		const work = this.#deferred.get(job);
		if (!work) return undefined;
		if ((await work()) === 'nowhere') return 'nowhere';
		// The work may have deferred other work.
		if (this.#deferred.get(job) === work) this.#deferred.delete(job);
		return 'done';
	}

	/** Returns the jobs for which something is left to do. */
	deferred(): string[] {
		return [...this.#deferred.keys()];
	}

	/** Forgets what was left to do for jobs that have ended otherwise. */
	forget(jobs: readonly string[]): void {
		for (const job of jobs) this.#deferred.delete(job);
	}

	/** Looks for cancellations as long as there is something to cancel. */
	#watch(): void {
		if ([...this.#running.values()].some(isCancellable)) {
			this.#timer ??= setInterval(() => void this.#poll(), POLL_MS).unref();
			return;
		}
		clearInterval(this.#timer);
		this.#timer = undefined;
	}

	/** Never rejects: while the store fails, the next look may find more. A slow store is asked once at a time. */
	async #poll(): Promise<void> {
		if (this.#isPolling) return;
		this.#isPolling = true;
		const running = [...this.#running].filter(([, work]) => isCancellable(work));
		const asked = this.#keyv.getMany<CancelledBy>(running.map(([id]) => keyOf(id)));
		const found = await asked.catch(() => []);
		this.#isPolling = false;
		for (const [index, [, { cancel }]] of running.entries()) {
			const by = found[index];
			if (by !== undefined) cancel.abort(new CancelledError(by));
		}
	}
}

const isCancellable = ({ job, place }: Work) => (job ?? place) !== undefined;

const keyOf = (job: string) => `cancel:${job}`;

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

	async ended(): Promise<void> {
		await Promise.allSettled(this.#running);
		// Work that has ended may have added further work.
		await Promise.allSettled(this.#running);
	}
}
