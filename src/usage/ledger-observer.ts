import type { CallKind, CallOutcome } from '../domain/job.ts';
import type { LayerName } from './caps.ts';

/** Counts what happens to calls. Every method is called once for each event, by the process that has caused it. */
export type LedgerObserver = {
	/** A call was settled. */
	settled(what: CallKind, outcome: CallOutcome): void;
	/** A cap has denied a call. */
	capReached(what: CallKind, scope: LayerName): void;
	/** A job of a process that is gone was claimed. */
	claimed(): void;
};
