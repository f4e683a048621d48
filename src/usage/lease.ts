import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Space } from '../store/store.ts';

/** How long a process that says nothing is taken to be alive, and how often it says so. */
export const LEASE_MS = 30_000;
export const RENEW_EVERY_MS = LEASE_MS / 3;

/** Clocks of machines differ: by its own clock a process has to have said so this much earlier. */
const CLOCKS_DIFFER_MS = 5000;

/** A process's sign of life: the jobs of one whose lease is over may be taken from it. */
export type Lease = {
	/** Names this process in jobs. */
	processId: string;
	/** Says that this process lives; to be called every `RENEW_MS`. */
	renew(): Promise<void>;
	/**
	 * Says from now on whether this process has counted as living all the time. Once it has not, because it said too late that it
	 * lives (it was suspended, or the store or the clock failed it), what it runs may have been taken from it.
	 */
	guard(): Promise<() => boolean>;
	/** Another process is gone for sure, or has not said for `LEASE_MS` that it lives. */
	hasExpired(process: string): Promise<boolean>;
	/** This process ends in order: others need not wait. */
	release(): Promise<void>;
};

type Sign = { until: number; host: string; pid: number };

/**
 * @param now Unix milliseconds
 * @param self who this process is on its machine, and how to ask whether another of the same machine lives
 */
export function createLease(space: Space, now: () => number, self: LocalProcess = THIS_PROCESS): Lease {
	const process = randomUUID();
	const key = (other: string) => `lease:${other}`;
	let until = Number.POSITIVE_INFINITY;
	let lapses = 0;
	const isLate = () => now() >= until - CLOCKS_DIFFER_MS;
	let saying: Promise<void> = Promise.resolve();

	/** One after the other: the store must not hear an older sign after a newer one. */
	function renew(): Promise<void> {
		saying = saying.catch(() => {}).then(say);
		return saying;
	}

	async function say() {
		if (isLate()) lapses += 1;
		const sign: Sign = { until: now() + LEASE_MS, host: self.host, pid: self.pid };
		until = Math.min(until, sign.until);
		await space.commit({ put: [{ key: key(process), value: sign }] });
		until = sign.until;
	}

	return {
		processId: process,
		renew,
		async guard() {
			// What begins while it does not count as living could be taken away at once.
			if (isLate()) await renew();
			const before = lapses;
			return () => !isLate() && lapses === before;
		},
		async hasExpired(other) {
			if (other === process) return false;
			const sign = await space.keyv.get<Sign>(key(other));
			if (!sign || sign.until <= now()) return true;
			// A process killed a moment ago and started anew need not wait for its lease: its machine knows that it is gone.
			return sign.host === self.host && (sign.pid === self.pid || !self.isAlive(sign.pid));
		},
		async release() {
			await space.commit({ remove: [key(process)] });
		},
	};
}

export type LocalProcess = { host: string; pid: number; isAlive(pid: number): boolean };

const THIS_PROCESS: LocalProcess = {
	host: hostname(),
	pid: globalThis.process.pid,
	isAlive(pid) {
		try {
			globalThis.process.kill(pid, 0);
			return true;
		} catch (error) {
			return (error as NodeJS.ErrnoException).code === 'EPERM';
		}
	},
};
