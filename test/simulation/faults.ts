import type { Random } from './random.ts';

/**
 * What becomes of one call to the outside: `fails`, nothing is done; `lost`, it is done but the answer says it failed; `late`,
 * said to have failed, and done a moment later; `dies-before` and `dies-after`, the process is killed at this very call;
 * `stalls-before` and `stalls-after`, it is suspended there, for longer than it counts as living.
 */
export type Fate = 'fine' | 'fails' | 'lost' | 'late' | `${'dies' | 'stalls'}-${'before' | 'after'}`;

export type Target = 'store' | 'platform';

export type Faults = {
	/** Nothing goes wrong any more. */
	end(): void;
	fate(target: Target, what: string): Fate;
	/** Milliseconds on the way, once there and once back. */
	delay(target: Target | 'service'): number;
};

/** How often each fault comes; a run has some of them and not others, so that no fault hides behind another one. */
export function createFaults(random: Random): Faults {
	const sometimes = (most: number) => (random.chance(0.5) ? random.next() * most : 0);
	const rates = {
		store: { fails: sometimes(0.03), lost: sometimes(0.03), late: sometimes(0.02) },
		platform: { fails: sometimes(0.1), lost: sometimes(0.05), late: 0 },
	};
	/** Ends of processes at a call: most of them at a step of a job's journal, which is what has to survive them. */
	const dies = { rare: sometimes(0.002), journal: sometimes(0.04) };
	/** There they are taken for dead, too, and go on all the same. */
	const stalls = sometimes(0.06);
	const slow = { share: random.next() * 0.2, most: random.pick([200, 2000, 20_000]) };
	let ended = false;

	return {
		end() {
			ended = true;
		},
		fate(target, what) {
			if (ended) return 'fine';
			const { fails, lost, late } = rates[target];
			const isJournal = /commit .*(job|receipt|open|claim|gate|closed):|(put|delete) pictures/.test(what);
			const fatal = isJournal || target === 'platform' ? dies.journal : dies.rare;
			const stall = isJournal ? stalls : 0;
			const shares: [Fate, number][] = [
				['fails', fails],
				['lost', lost],
				['late', late],
				['dies-before', fatal / 2],
				['dies-after', fatal / 2],
				['stalls-before', stall / 2],
				['stalls-after', stall / 2],
			];
			let drawn = random.next();
			for (const [fate, share] of shares) {
				if (drawn < share) return fate;
				drawn -= share;
			}
			return 'fine';
		},
		delay(target) {
			if (!ended && random.chance(slow.share)) return random.between(1, slow.most);
			return target === 'service' ? random.between(200, 4000) : random.between(0, target === 'store' ? 3 : 120);
		},
	};
}
