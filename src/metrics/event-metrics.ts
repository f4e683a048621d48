import { Counter, Histogram, type Registry } from 'prom-client';
import type { Observer } from '../bot/error-boundary.ts';
import { SERVICE_CALLS, SERVICE_OUTCOMES, type ServiceObserver } from '../service/observed-service.ts';
import { STORE_OPERATIONS, type StoreObserver } from '../store/backend.ts';
import type { LedgerObserver } from '../usage/ledger-options.ts';
import {
	CALL_KINDS,
	CALL_OUTCOMES,
	CAP_SCOPES,
	INVALID_STATUSES,
	OTHER_REQUESTS,
	oneOf,
	REQUEST_OUTCOMES,
} from './labels.ts';

/** Upper bounds in seconds: a text answer takes milliseconds, a picture up to minutes. */
const REQUEST_BUCKETS = [0.01, 0.1, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 180];
const SERVICE_BUCKETS = [0.1, 0.5, 1, 2, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180];
const STORE_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** The names of what this process runs, which the labels are limited to. */
export type MetricsNames = { platforms: readonly string[]; commands: readonly string[] };

/** What the parts of the bot call when something has happened. */
export type EventObservers = {
	observe: Observer;
	ledgerObserver: LedgerObserver;
	observeService: ServiceObserver;
	/** Counts a pause of paid calls after too many failures. */
	onPause(): void;
	observeStore: StoreObserver;
	/** Counts a request that Discord has refused, by its status: 401, 403 or 429. */
	onInvalidDiscordRequest(status: number): void;
	/** Counts a request that waits for a platform's rate limit. */
	onRateLimitWait(platform: string, seconds: number): void;
};

/** Creates the counters and histograms. All counters start at 0, because `rate()` misses the first event of a new time series. */
export function createEventMetrics(registry: Registry, names: MetricsNames): EventObservers {
	const registers = [registry];
	return {
		observe: createRequestMetrics(registers, names),
		ledgerObserver: createLedgerMetrics(registers),
		observeService: createServiceMetrics(registers),
		onPause: createPauseMetric(registers),
		observeStore: createStoreMetrics(registers),
		...createPlatformMetrics(registers, names),
	};
}

function createRequestMetrics(registers: Registry[], { platforms, commands }: MetricsNames): Observer {
	const kinds = [...commands, ...OTHER_REQUESTS];
	const labelNames = ['platform', 'command', 'outcome'] as const;
	const requests = new Counter({ name: 'easel_requests_total', help: 'Finished requests.', labelNames, registers });
	const durations = new Histogram({
		name: 'easel_request_duration_seconds',
		help: 'Time from a request to its answer, the wait in line included.',
		labelNames,
		buckets: REQUEST_BUCKETS,
		registers,
	});
	for (const platform of platforms)
		for (const command of kinds)
			for (const outcome of REQUEST_OUTCOMES) requests.inc({ platform, command, outcome }, 0);
	return ({ platform, command, outcome, seconds }) => {
		const labels = {
			platform: oneOf(platforms, platform),
			command: oneOf(kinds, command),
			outcome: oneOf(REQUEST_OUTCOMES, outcome),
		};
		requests.inc(labels);
		durations.observe(labels, seconds);
	};
}

function createLedgerMetrics(registers: Registry[]): LedgerObserver {
	const calls = new Counter({
		name: 'easel_calls_total',
		help: 'Settled calls: failed ones were given back, those of unknown outcome stay counted.',
		labelNames: ['kind', 'outcome'],
		registers,
	});
	const caps = new Counter({
		name: 'easel_caps_reached_total',
		help: 'Calls that a cap has denied, by the scope of the cap.',
		labelNames: ['kind', 'scope'],
		registers,
	});
	const claims = new Counter({
		name: 'easel_jobs_taken_over_total',
		help: 'Jobs of processes that were gone, which this process has taken over.',
		registers,
	});
	for (const kind of CALL_KINDS) {
		for (const outcome of CALL_OUTCOMES) calls.inc({ kind, outcome }, 0);
		for (const scope of CAP_SCOPES) caps.inc({ kind, scope }, 0);
	}
	return {
		settled: (kind, outcome) => calls.inc({ kind: oneOf(CALL_KINDS, kind), outcome: oneOf(CALL_OUTCOMES, outcome) }),
		capReached: (kind, scope) => caps.inc({ kind: oneOf(CALL_KINDS, kind), scope: oneOf(CAP_SCOPES, scope) }),
		claimed: () => claims.inc(),
	};
}

function createPauseMetric(registers: Registry[]): () => void {
	const pauses = new Counter({
		name: 'easel_call_pauses_total',
		help: 'Pauses of paid calls in all processes, which this process began because too many calls had failed.',
		registers,
	});
	return () => pauses.inc();
}

function createServiceMetrics(registers: Registry[]): ServiceObserver {
	const labelNames = ['call', 'outcome'] as const;
	const calls = new Counter({
		name: 'easel_service_calls_total',
		help: 'Calls to the image service that have ended.',
		labelNames,
		registers,
	});
	const durations = new Histogram({
		name: 'easel_service_call_duration_seconds',
		help: 'Time from a call to the image service to the end of its answer.',
		labelNames,
		buckets: SERVICE_BUCKETS,
		registers,
	});
	for (const call of SERVICE_CALLS) {
		for (const outcome of SERVICE_OUTCOMES) calls.inc({ call, outcome }, 0);
		durations.zero({ call, outcome: 'ok' });
	}
	return (call, outcome, seconds) => {
		const labels = { call: oneOf(SERVICE_CALLS, call), outcome: oneOf(SERVICE_OUTCOMES, outcome) };
		calls.inc(labels);
		durations.observe(labels, seconds);
	};
}

function createStoreMetrics(registers: Registry[]): StoreObserver {
	const labelNames = ['operation'] as const;
	const durations = new Histogram({
		name: 'easel_store_operation_duration_seconds',
		help: 'Time that an operation of the store has taken.',
		labelNames,
		buckets: STORE_BUCKETS,
		registers,
	});
	const failures = new Counter({
		name: 'easel_store_failures_total',
		help: 'Operations of the store that have failed.',
		labelNames,
		registers,
	});
	for (const operation of STORE_OPERATIONS) {
		durations.zero({ operation });
		failures.inc({ operation }, 0);
	}
	return (name, seconds, failed) => {
		const operation = oneOf(STORE_OPERATIONS, name);
		durations.observe({ operation }, seconds);
		if (failed) failures.inc({ operation });
	};
}

function createPlatformMetrics(
	registers: Registry[],
	{ platforms }: MetricsNames,
): Pick<EventObservers, 'onInvalidDiscordRequest' | 'onRateLimitWait'> {
	const invalid = new Counter({
		name: 'easel_discord_invalid_requests_total',
		help: 'Requests that Discord refused with 401, 403 or 429; it bans an address after 10,000 in ten minutes.',
		labelNames: ['status'],
		registers,
	});
	const waits = new Counter({
		name: 'easel_rate_limit_waits_total',
		help: 'Requests that waited for a rate limit of the platform.',
		labelNames: ['platform'],
		registers,
	});
	const seconds = new Counter({
		name: 'easel_rate_limit_wait_seconds_total',
		help: 'Time that requests have waited for rate limits of the platform.',
		labelNames: ['platform'],
		registers,
	});
	for (const status of INVALID_STATUSES) invalid.inc({ status }, 0);
	for (const platform of platforms) {
		waits.inc({ platform }, 0);
		seconds.inc({ platform }, 0);
	}
	return {
		onInvalidDiscordRequest: (status) => invalid.inc({ status: oneOf(INVALID_STATUSES, String(status)) }),
		onRateLimitWait(name, waited) {
			const platform = oneOf(platforms, name);
			waits.inc({ platform });
			seconds.inc({ platform }, waited);
		},
	};
}
