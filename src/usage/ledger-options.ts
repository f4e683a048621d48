import type { CallKind, CallOutcome } from '../domain/job.ts';
import type { Space } from '../store/store.ts';
import type { LayerName, Plan } from './caps.ts';
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
	observer?: LedgerObserver;
};

/** Counts what happens to calls. Every method is called once for each event, by the process that has caused it. */
export type LedgerObserver = {
	/** A call was settled. */
	settled(what: CallKind, outcome: CallOutcome): void;
	/** A cap has denied a call. */
	capReached(what: CallKind, scope: LayerName): void;
	/** A job of a process that is gone was claimed. */
	claimed(): void;
};
