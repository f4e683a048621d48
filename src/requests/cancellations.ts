import type { Keyv } from 'keyv';
import { type CancelledBy, CancelledError, type Job } from '../domain/job.ts';
import type { Place } from '../domain/place.ts';

/** How often this process looks for cancellations that others have received, in milliseconds. */
const POLL_MS = 1000;

/** Longer than a request waits and runs. */
const TTL_MS = 3600_000;

/** An answer in a chat, by the key of its first message. */
type StoppableAnswer = { id: string; place: Place };

/** Cancels requests for pictures and answers in chats, also those of another process, which finds the cancellation in the store. */
export class Cancellations {
	readonly #keyv: Keyv;
	/** What this process works on, by id: jobs, and answers by their keys. */
	readonly #running = new Map<string, { work: Job | StoppableAnswer; controller: AbortController }>();
	#timer: NodeJS.Timeout | undefined;
	#isPolling = false;

	constructor(keyv: Keyv) {
		this.#keyv = keyv;
	}

	/** Returns the signal that aborts with `CancelledError` when the work is cancelled. Call `end` afterwards. */
	begin(work: Job | StoppableAnswer): AbortSignal {
		const controller = new AbortController();
		this.#running.set(work.id, { work, controller });
		this.#timer ??= setInterval(() => void this.#poll(), POLL_MS).unref();
		return controller.signal;
	}

	/** A cancellation has no effect from here on. */
	end({ id }: { id: string }): void {
		this.#running.delete(id);
		if (this.#running.size > 0) return;
		clearInterval(this.#timer);
		this.#timer = undefined;
	}

	/** Returns a job that this process works on. */
	running(id: string): Job | undefined {
		const work = this.#running.get(id)?.work;
		return work && 'state' in work ? work : undefined;
	}

	/** Cancels a job or an answer. It takes effect within about a second where another process works on it. */
	async request(id: string, by: CancelledBy): Promise<void> {
		const running = this.#running.get(id);
		if (running) running.controller.abort(new CancelledError(by));
		else await this.#keyv.set(keyOf(id), by, TTL_MS);
	}

	/** Stops the answers that this process writes in the places that match. */
	stopAnswers(matches: (place: Place) => boolean): void {
		for (const { work, controller } of this.#running.values())
			if (!('state' in work) && matches(work.place)) controller.abort(new CancelledError('requester'));
	}

	/** Never rejects: while the store fails, the next look may find more. A slow store is asked once at a time. */
	async #poll(): Promise<void> {
		if (this.#isPolling) return;
		this.#isPolling = true;
		const running = [...this.#running];
		const asked = this.#keyv.getMany<CancelledBy>(running.map(([id]) => keyOf(id)));
		const found = await asked.catch(() => []);
		this.#isPolling = false;
		for (const [index, [, { controller }]] of running.entries()) {
			const by = found[index];
			if (by !== undefined) controller.abort(new CancelledError(by));
		}
	}
}

const keyOf = (job: string) => `cancel:${job}`;
