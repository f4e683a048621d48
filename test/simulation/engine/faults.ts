import type { Random } from './random.ts';

/**
 * The fault of one call to the store or the platform. `fails`: it has no effect. `answer-lost`: it takes effect but is
 * reported as failed. `late`: it is reported as failed and takes effect some time later. `slow`: it takes effect and is answered, but
 * some time later. `crash-…`: the process is killed at this call. `stall-…`: the process is suspended there until its lease has expired.
 */
export type Fault = 'none' | 'fails' | 'answer-lost' | 'late' | 'slow' | `${'crash' | 'stall'}-${'before' | 'after'}`;

export type Target = 'store' | 'platform';

export type Faults = {
	/** Draws the fault of one call. */
	draw(target: Target, call: string): Fault;
	/** Draws how long a call, or its answer, is under way, in milliseconds. */
	delay(target: Target | 'service'): number;
	/** Ends all faults. */
	end(): void;
};

/** The entries and files that a job depends on after a crash. */
const JOURNAL = /commit .*(job|open):|(put|delete) pictures/;

/** Calls that renew or read a lease. While they take their time, jobs end and processes too. */
const LEASE = / lease:/;

/** Draws how frequent each fault is. A run has some of them only, so that no fault hides the effects of another one. */
export function createFaults(random: Random): Faults {
	const rate = (max: number) => (random.chance(0.5) ? random.next() * max : 0);
	const rates = {
		store: { fails: rate(0.03), lost: rate(0.03), late: rate(0.02), slow: rate(0.01) },
		platform: { fails: rate(0.1), lost: rate(0.05), late: 0, slow: 0 },
	};
	const slowLeases = rate(0.3);
	/** Most crashes happen at a step of a job, which has to survive them. */
	const crashes = { other: rate(0.002), journal: rate(0.04) };
	/** A stalled process loses its lease, and continues nevertheless. */
	const stalls = rate(0.06);
	const slow = { share: random.next() * 0.2, maxMs: random.pick([200, 2000, 20_000]) };
	let hasEnded = false;

	return {
		draw(target, call) {
			if (hasEnded) return 'none';
			const { fails, lost, late, slow: slowCalls } = rates[target];
			const isJournal = JOURNAL.test(call);
			const crash = isJournal || target === 'platform' ? crashes.journal : crashes.other;
			const stall = isJournal ? stalls : 0;
			const shares: [Fault, number][] = [
				['fails', fails],
				['answer-lost', lost],
				['late', late],
				['slow', LEASE.test(call) ? slowLeases : slowCalls],
				['crash-before', crash / 2],
				['crash-after', crash / 2],
				['stall-before', stall / 2],
				['stall-after', stall / 2],
			];
			let drawn = random.next();
			for (const [fault, share] of shares) {
				if (drawn < share) return fault;
				drawn -= share;
			}
			return 'none';
		},
		delay(target) {
			if (!hasEnded && random.chance(slow.share)) return random.between(1, slow.maxMs);
			return target === 'service' ? random.between(200, 4000) : random.between(0, target === 'store' ? 3 : 120);
		},
		end() {
			hasEnded = true;
		},
	};
}
