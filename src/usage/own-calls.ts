import { LRUCache } from 'lru-cache';
import type { CallOutcome, Job, JobEnd, TokenUsage } from '../domain/job.ts';

/** Far more calls than a process makes while a platform repeats deliveries. */
const MAX_CALLS = 10_000;

/** How a call ended whose request has its answer. */
export type OwnCallEnd = {
	outcome: CallOutcome;
	pictures: number;
	tokens?: TokenUsage;
	state: JobEnd;
};

type OwnCall = Partial<OwnCallEnd>;

/**
 * What this process knows of its latest calls. The store knows the same, unless its last commits are lost: when a replica without them is
 * promoted, or when it has rejected a write.
 */
export class OwnCalls {
	readonly #calls = new LRUCache<string, OwnCall>({ maxSize: MAX_CALLS, sizeCalculation: () => 1 });

	sent({ id }: Job): void {
		this.#calls.set(id, {});
	}

	settled({ id }: Job, outcome: CallOutcome, pictures: number, tokens?: TokenUsage): void {
		const call = this.#calls.get(id);
		if (call) this.#calls.set(id, { ...call, outcome, pictures, ...(tokens && { tokens }) });
	}

	closed({ id }: Job, state: JobEnd): void {
		const call = this.#calls.get(id);
		if (call) this.#calls.set(id, { ...call, state });
	}

	wasSent(id: string): boolean {
		return this.#calls.has(id);
	}

	/** Returns undefined while its request has no answer. */
	endOf(id: string): OwnCallEnd | undefined {
		const { outcome, pictures, tokens, state } = this.#calls.get(id) ?? {};
		if (outcome === undefined || pictures === undefined || !state) return undefined;
		return { outcome, pictures, ...(tokens && { tokens }), state };
	}
}
