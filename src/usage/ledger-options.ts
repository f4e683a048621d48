import type { Space } from '../store/store.ts';
import type { Plan } from './caps.ts';
import type { LedgerObserver } from './ledger-observer.ts';
import type { SettingsRepository } from './settings/settings-repository.ts';

export type LedgerOptions = {
	/** Holds jobs, receipts, counters and settings, so that one commit can change all of them. */
	space: Space;
	settings: SettingsRepository;
	plan: Plan;
	/** Identifies this process in jobs; see `Lease.processId`. */
	processId: string;
	/** Returns Unix milliseconds. */
	now: () => number;
	/** How long receipts of single calls are kept. Later their sums remain. */
	retentionMs: number;
	/** Counts what happens, for the metrics. */
	observer?: LedgerObserver | undefined;
};
