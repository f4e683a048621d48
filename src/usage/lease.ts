import { randomUUID } from 'node:crypto';
import type { Space } from '../store/store.ts';

/** How long a lease lasts after its last renewal, in milliseconds. With the time between two sweeps, an answer after a crash comes within 20 s. */
export const LEASE_MS = 12_000;
export const RENEW_EVERY_MS = LEASE_MS / 4;

/**
 * Clocks of different machines disagree by up to this much. The owner gives up its lease this much earlier than others
 * take it.
 */
const CLOCK_SKEW_MS = 5000;

/**
 * How long a lease is stored after its last renewal. Until then, its process may only be suspended, and its last calls may be under way.
 * One that goes on later than that waits for its pictures like any other.
 */
const STORED_MS = 150_000;

/** `expiresAt` is in Unix milliseconds; `RELEASED` once its process has ended in order. */
type LeaseEntry = { renewals: number; expiresAt: number };
const RELEASED = 0;

/**
 * - `held`: the process works on its jobs
 * - `expired`: others may claim its jobs; it may have ended, or be suspended and go on some time
 * - `gone`: it does nothing any more
 */
export type LeaseState = 'held' | 'expired' | 'gone';

/** Returns whether the lease has been held without a gap since the guard was made. */
export type LeaseGuard = () => boolean;

/**
 * The lease of one process. Jobs name the process that works on them. Other processes may claim a job once the lease of its
 * process has expired.
 */
export class Lease {
	/** Identifies this process in jobs. */
	readonly processId = randomUUID();

	readonly #space: Space;
	readonly #now: () => number;
	/** The earliest time at which other processes may see the lease expired. */
	#expiresAt = Number.NEGATIVE_INFINITY;
	#lapses = 0;
	#losses = 0;
	#wasHeld = false;
	#renewals = 0;
	/** How often this process had renewed its lease when it first missed that of another. */
	readonly #missedSince = new Map<string, number>();
	#renewal: Promise<void> = Promise.resolve();

	constructor(space: Space, now: () => number) {
		this.#space = space;
		this.#now = now;
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
		if (!this.isHeld) await this.renew();
		const lapses = this.#lapses;
		return () => this.isHeld && this.#lapses === lapses;
	}

	/** Tells whether this process may work on its jobs. */
	get isHeld(): boolean {
		return this.#now() < this.#expiresAt - CLOCK_SKEW_MS;
	}

	/** How often this process has held its lease and lost it. */
	get losses(): number {
		return this.#losses;
	}

	/** Tells whether the jobs of a process may be claimed. Always false for this process itself. */
	async hasExpired(processId: string): Promise<boolean> {
		return (await this.stateOf(processId)) !== 'held';
	}

	async stateOf(processId: string): Promise<LeaseState> {
		if (processId === this.processId) return 'held';
		// If this process is suspended while it reads, the lease may have been renewed since.
		const now = this.#now();
		const lease = await this.#space.keyv.get<LeaseEntry>(keyOf(processId));
		if (lease === undefined) return this.#isMissedForLong(processId) ? 'gone' : 'expired';
		this.#missedSince.delete(processId);
		if (lease.expiresAt === RELEASED) return 'gone';
		return lease.expiresAt <= now ? 'expired' : 'held';
	}

	/** A clock that is set forward lets the lease of a process expire that will renew it within `RENEW_EVERY_MS`. */
	#isMissedForLong(processId: string): boolean {
		const since = this.#missedSince.get(processId) ?? this.#renewals;
		this.#missedSince.set(processId, since);
		return this.#renewals - since > LEASE_MS / RENEW_EVERY_MS;
	}

	/** Ends the lease in an orderly shutdown, so that jobs left behind can be claimed at once. */
	async release(): Promise<void> {
		const entry: LeaseEntry = { renewals: this.#renewals + 1, expiresAt: RELEASED };
		await this.#space.commit({ put: [{ key: keyOf(this.processId), value: entry, ttlMs: STORED_MS }] });
	}

	async #write(): Promise<void> {
		this.#countLapse();
		const count = this.#renewals + 1;
		const expiresAt = this.#now() + LEASE_MS;
		this.#renewals = count;
		// Until the commit is answered, only the earlier of the two expiries is certain.
		this.#expiresAt = Math.min(this.#expiresAt, expiresAt);
		const entry: LeaseEntry = { renewals: count, expiresAt };
		const key = keyOf(this.processId);
		const result = await this.#space.commit({
			// A renewal that was reported as failed can still take effect. After a later one it is refused.
			add: [{ key, field: 'renewals', by: 0, atMost: count - 1 }],
			put: [{ key, value: entry, ttlMs: STORED_MS }],
		});
		// The commit may have taken longer than what was left of the lease. Then others have seen it expired.
		this.#countLapse();
		if (result !== 'done') return;
		this.#expiresAt = expiresAt;
		this.#wasHeld = true;
	}

	#countLapse(): void {
		if (this.isHeld) return;
		this.#lapses += 1;
		if (this.#wasHeld) this.#losses += 1;
		this.#wasHeld = false;
	}
}

const keyOf = (processId: string) => `lease:${processId}`;
