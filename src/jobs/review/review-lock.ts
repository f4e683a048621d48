import type { Space } from '../../store/store.ts';
import type { Lease } from '../../usage/lease.ts';

/** The work of a process that hangs is repeated after this time. One that is gone is replaced at once. */
const WORK_MS = 120_000;

/** Has one process at a time work on a review. */
export class ReviewLock {
	readonly #space: Space;
	readonly #lease: Lease;

	constructor(space: Space, lease: Lease) {
		this.#space = space;
		this.#lease = lease;
	}

	/** Runs work on a review, unless work on it is under way. The next sweep does it then. */
	async run(job: string, work: () => Promise<void>): Promise<void> {
		const key = `working:${job}`;
		if (!(await this.#take(key))) return;
		try {
			await work();
		} finally {
			await this.#space.keyv.delete(key);
		}
	}

	/** Takes the lock when it is free, or from a process that is gone. Of several that take it from there, one succeeds. */
	async #take(key: string): Promise<boolean> {
		const lock = { key, value: this.#lease.processId, ttlMs: WORK_MS };
		if ((await this.#space.commit({ once: key, put: [lock] })) === 'done') return true;
		const owner = await this.#space.keyv.get<string>(key);
		if (owner === undefined || !(await this.#lease.hasExpired(owner))) return false;
		const once = `${key}:${owner}`;
		const put = [lock, { key: once, value: true, ttlMs: WORK_MS }];
		return (await this.#space.commit({ once, put })) === 'done';
	}
}
