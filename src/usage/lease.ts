import { randomUUID } from 'node:crypto';
import type { Space } from '../store/store.ts';
import { currentProcess, type LocalProcess, type ProcessIdentity } from './local-process.ts';

/** How long a lease lasts after its last renewal, in milliseconds. */
export const LEASE_MS = 30_000;
export const RENEW_EVERY_MS = LEASE_MS / 3;

/**
 * Clocks of different machines disagree by up to this much. The owner gives up its lease this much earlier than others
 * take it.
 */
const CLOCK_SKEW_MS = 5000;

type LeaseEntry = ProcessIdentity & {
	/** When the lease expires, in Unix milliseconds. */
	until: number;
};

/** Returns whether the lease has been held without a gap since the guard was made. */
export type LeaseGuard = () => boolean;

/**
 * The lease of one process. Jobs name the process that works on them. Other processes may claim a job once the lease of its
 * process has expired, or that process is known to be dead.
 */
export class Lease {
	/** Identifies this process in jobs. */
	readonly processId = randomUUID();

	readonly #space: Space;
	readonly #now: () => number;
	readonly #self: LocalProcess;
	#expiresAt = Number.POSITIVE_INFINITY;
	#lapses = 0;
	#renewal: Promise<void> = Promise.resolve();

	/**
	 * @param now returns Unix milliseconds
	 * @param self how this machine knows this process
	 */
	constructor(space: Space, now: () => number, self: LocalProcess = currentProcess) {
		this.#space = space;
		this.#now = now;
		this.#self = self;
	}

	/**
	 * Extends the lease by `LEASE_MS`. Renewals are serialized, so that the store never sees an older expiry after a
	 * newer one.
	 */
	renew(): Promise<void> {
		this.#renewal = this.#renewal.catch(() => {}).then(() => this.#write());
		return this.#renewal;
	}

	/**
	 * Returns a guard that tells whether this process has held its lease ever since. Ask it before every side effect: once it
	 * returns false, another process may have claimed the job. A lease that has lapsed is renewed first.
	 */
	async guard(): Promise<LeaseGuard> {
		if (this.#hasLapsed()) await this.renew();
		const lapses = this.#lapses;
		return () => !this.#hasLapsed() && this.#lapses === lapses;
	}

	/** Tells whether the jobs of a process may be claimed. Always false for this process itself. */
	async hasExpired(processId: string): Promise<boolean> {
		if (processId === this.processId) return false;
		const lease = await this.#space.keyv.get<LeaseEntry>(keyOf(processId));
		if (lease === undefined || lease.until <= this.#now()) return true;
		// A process of this machine that was killed a moment ago need not be waited for.
		return lease.host === this.#self.host && (lease.pid === this.#self.pid || !this.#self.isAlive(lease.pid));
	}

	/** Ends the lease in an orderly shutdown, so that jobs left behind can be claimed at once. */
	async release(): Promise<void> {
		await this.#space.commit({ remove: [keyOf(this.processId)] });
	}

	async #write(): Promise<void> {
		if (this.#hasLapsed()) this.#lapses += 1;
		const { host, pid } = this.#self;
		const until = this.#now() + LEASE_MS;
		// Until the commit is answered, only the earlier of the two expiries is certain.
		this.#expiresAt = Math.min(this.#expiresAt, until);
		const entry: LeaseEntry = { until, host, pid };
		await this.#space.commit({ put: [{ key: keyOf(this.processId), value: entry }] });
		this.#expiresAt = until;
	}

	#hasLapsed(): boolean {
		return this.#now() >= this.#expiresAt - CLOCK_SKEW_MS;
	}
}

const keyOf = (processId: string) => `lease:${processId}`;
