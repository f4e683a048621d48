import { type Platform, type Platforms, platformsOf, RETENTION_MS } from './domain/platform.ts';
import type { Log } from './log.ts';
import { RunningWork } from './running-work.ts';
import type { Service } from './service/service.ts';
import type { Store } from './store/store.ts';
import type { Plan } from './usage/caps.ts';
import { Lease } from './usage/lease.ts';
import { Ledger } from './usage/ledger.ts';
import type { LedgerObserver } from './usage/ledger-options.ts';
import { SettingsRepository } from './usage/settings/settings-repository.ts';

/**
 * What every part of one running Easel works with: made once, handed on whole. It names only what lies below the features, so that each
 * feature may take it.
 */
export type Easel = {
	store: Store;
	ledger: Ledger;
	settings: SettingsRepository;
	/** The lease of this process. */
	lease: Lease;
	service: Service;
	platforms: Platforms;
	plan: Plan;
	/** How long prompts, pictures, chats and names are kept. */
	retentionMs: number;
	log: Log;
	/** Returns Unix milliseconds. */
	now: () => number;
	/** What runs in this process, and what a stop waits for. */
	running: RunningWork;
	/** Aborted, with `ShutdownError`, when Easel ends the requests that still run. */
	stopping: AbortSignal;
	/** Aborts `stopping`. */
	abort(reason: Error): void;
};

export type EaselOptions = {
	store: Store;
	service: Service;
	platforms: readonly Platform[];
	log: Log;
	plan: Plan;
	/** Calls a day of a person in direct messages who comes under no server's caps. No cap by default. */
	directImagesPerDay?: number;
	/** 30 days by default. */
	retentionMs?: number;
	now?: () => number;
	/** Counts calls, for the metrics. */
	ledgerObserver?: LedgerObserver;
};

/** Makes the context of a process on its store, service and platforms. */
export function createEasel(given: EaselOptions): Easel {
	const { store, service, log, plan, retentionMs = RETENTION_MS, now = Date.now } = given;
	const space = store.space('ledger');
	const lease = new Lease(space, now);
	const settings = new SettingsRepository(space, now, given.directImagesPerDay);
	const { processId } = lease;
	const shutdown = new AbortController();
	return {
		...{ store, service, log, plan, retentionMs, now, lease, settings },
		ledger: new Ledger({ space, settings, plan, processId, now, retentionMs, observer: given.ledgerObserver }),
		platforms: platformsOf(given.platforms),
		running: new RunningWork(log),
		stopping: shutdown.signal,
		abort: (reason) => shutdown.abort(reason),
	};
}
