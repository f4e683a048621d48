import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Observer } from '../bot/bot.ts';
import type { CallKind, CallOutcome } from '../domain/job.ts';
import type { Platform } from '../domain/platform.ts';
import type { Easel } from '../easel.ts';
import { SERVICE_CALLS, SERVICE_OUTCOMES, type ServiceObserver } from '../service/service.ts';
import { STORE_OPERATIONS, type StoreObserver } from '../store/backend.ts';
import { lastBackupAt } from '../store/backup.ts';
import type { LayerName } from '../usage/caps.ts';
import { deploymentUsage, type LedgerObserver } from '../usage/caps.ts';

/** Upper bounds in seconds: a text answer takes milliseconds, a picture up to minutes. */
const REQUEST_BUCKETS = [0.01, 0.1, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 180];
const SERVICE_BUCKETS = [0.5, 1, 2, 5, 10, 20, 30, 60, 120, 180];
const GC_BUCKETS = [0.01, 0.1];
const STORE_BUCKETS = [0.001, 0.0025, 0.01, 0.025, 0.1, 0.25, 0.5, 1, 5];

/** A series for each of V8's spaces: the sizes of the heap say as much. */
const UNNEEDED = ['total', 'used', 'available'].map((size) => `nodejs_heap_space_size_${size}_bytes`);

/** Kinds of requests besides the commands; see `Bot`. */
const OTHER_REQUESTS = ['button', 'message', 'unknown'];
const CALL_KINDS: CallKind[] = ['pictures', 'chat'];
const CALL_OUTCOMES: CallOutcome[] = ['succeeded', 'failed', 'unknown'];
const CAP_SCOPES: LayerName[] = [
	...(['plan', 'overage', 'operatorServer', 'operatorMember'] as const),
	...(['server', 'channel', 'role', 'member'] as const),
];

/** A figure of the deployment is this old at most. More than one Prometheus may ask. */
const FRESH_MS = 10_000;

/** How long a scrape waits for the store. */
const TIMEOUT_MS = 2000;

const MILLS_PER_DOLLAR = 1000;

export type Metrics = ReturnType<typeof createMetrics>;

/** Creates the metrics at `/metrics`; docs/monitoring.md explains them. No label has a value that comes from outside. */
export function createMetrics({ platforms, commands }: { platforms: readonly string[]; commands: readonly string[] }) {
	const registry = new Registry();
	collectDefaultMetrics({ register: registry, gcDurationBuckets: GC_BUCKETS });
	for (const name of UNNEEDED) registry.removeSingleMetric(name);
	const { counter, histogram, gauge } = metricsOf(registry);
	const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
	gauge('easel_build_info', 'The version of Easel, with the value 1.', () => [{ version, value: 1 }], ['version']);
	return {
		...requestMetrics(counter, histogram, platforms, [...commands, ...OTHER_REQUESTS]),
		...callMetrics(counter, histogram),
		...storeMetrics(counter, histogram),
		...platformMetrics(counter, platforms),
		/** Adds the gauges, which are read at each scrape. */
		watch(easel: Easel) {
			watchProcess(registry, gauge, easel);
			watchPlatforms(gauge, easel.platforms.all);
			watchDeployment(gauge, () => readDeployment(easel));
		},
		/** Returns the metrics in Prometheus' text format. */
		text: () => registry.metrics(),
	};
}

function requestMetrics(
	counter: NewCounter,
	histogram: NewHistogram,
	platforms: readonly string[],
	kinds: readonly string[],
): { observe: Observer } {
	const labels = { platform: platforms, command: kinds, outcome: ['unanswered'] };
	const requests = counter('easel_requests_total', 'Finished requests.', labels);
	const durations = histogram(
		'easel_request_duration_seconds',
		'Time from a request to its answer, the wait in line included.',
		REQUEST_BUCKETS,
		{ ...labels, outcome: [] },
	);
	return {
		observe({ platform, command: name, outcome, seconds }) {
			// Each further name would be a time series that Prometheus keeps.
			const command = kinds.includes(name) ? name : 'unknown';
			requests.inc({ platform, command, outcome });
			durations.observe({ platform, command, outcome }, seconds);
		},
	};
}

function callMetrics(counter: NewCounter, histogram: NewHistogram) {
	const settled = counter(
		'easel_calls_total',
		'Settled calls: failed ones were given back, those of unknown outcome stay counted.',
		{ kind: CALL_KINDS, outcome: CALL_OUTCOMES },
	);
	const caps = counter('easel_caps_reached_total', 'Calls that a cap has denied, by the scope of the cap.', {
		kind: CALL_KINDS,
		scope: CAP_SCOPES,
	});
	const claims = counter(
		'easel_jobs_taken_over_total',
		'Jobs of processes that were gone, which this process has taken over.',
	);
	const pauses = counter(
		'easel_call_pauses_total',
		'Pauses of paid calls in all processes, which this process began because too many calls had failed.',
	);
	const pictures = ['generate', 'edit', 'compose'];
	const calls = counter(
		'easel_service_calls_total',
		'Calls to the image service that have ended.',
		{ call: pictures, outcome: SERVICE_OUTCOMES },
		{ call: SERVICE_CALLS, outcome: ['ok', 'key', 'balance'] },
	);
	const durations = histogram(
		'easel_service_call_duration_seconds',
		'Time from a call to the image service to the end of its answer.',
		SERVICE_BUCKETS,
		{ call: pictures, outcome: ['ok'] },
	);
	const ledgerObserver: LedgerObserver = {
		settled: (kind, outcome) => settled.inc({ kind, outcome }),
		capReached: (kind, scope) => caps.inc({ kind, scope }),
		claimed: () => claims.inc(),
	};
	const observeService: ServiceObserver = (call, outcome, seconds) => {
		calls.inc({ call, outcome });
		durations.observe({ call, outcome }, seconds);
	};
	/** Counts a pause of paid calls after too many failures. */
	const onPause = () => pauses.inc();
	return { ledgerObserver, observeService, onPause };
}

function storeMetrics(counter: NewCounter, histogram: NewHistogram): { observeStore: StoreObserver } {
	const durations = histogram(
		'easel_store_operation_duration_seconds',
		'Time that an operation of the store has taken.',
		STORE_BUCKETS,
		{ operation: ['commit'] },
	);
	const failures = counter('easel_store_failures_total', 'Operations of the store that have failed.', {
		operation: STORE_OPERATIONS,
	});
	return {
		observeStore(operation, seconds, failed) {
			durations.observe({ operation }, seconds);
			if (failed) failures.inc({ operation });
		},
	};
}

function platformMetrics(counter: NewCounter, platforms: readonly string[]) {
	const invalid = counter(
		'easel_discord_invalid_requests_total',
		'Requests that Discord refused with 401, 403 or 429; it bans an address after 10,000 in ten minutes.',
		{ status: ['401', '403', '429'] },
	);
	const waits = counter('easel_rate_limit_waits_total', 'Requests that waited for a rate limit of the platform.', {
		platform: platforms,
	});
	const waited = counter(
		'easel_rate_limit_wait_seconds_total',
		'Time that requests have waited for rate limits of the platform.',
		{ platform: platforms },
	);
	return {
		/** Counts a request that Discord has refused, by its status: 401, 403 or 429. */
		onInvalidDiscordRequest: (status: number) => invalid.inc({ status }),
		/** Counts a request that waits for a platform's rate limit. */
		onRateLimitWait(platform: string, seconds: number) {
			waits.inc({ platform });
			waited.inc({ platform }, seconds);
		},
	};
}

function watchProcess(registry: Registry, gauge: NewGauge, { queue, turns, lease }: Easel): void {
	const figure = (name: string, help: string, read: () => number) => gauge(name, help, () => [{ value: read() }]);
	figure('easel_queue_running', 'Picture requests that run in this process.', () => queue.load.running);
	figure('easel_queue_waiting', 'Picture requests that wait in line in this process.', () => queue.load.waiting);
	figure(
		'easel_queue_oldest_wait_seconds',
		'How long the first request in line has waited; 0 when none waits.',
		() => queue.load.oldestSeconds,
	);
	figure('easel_chat_busy_threads', 'Chat threads with a turn under way.', () => turns.busyThreads);
	figure('easel_lease_held', '1 while this process may work on its jobs.', () => Number(lease.isHeld));
	new Counter({
		name: 'easel_lease_losses_total',
		help: 'How often the lease of this process has lapsed, so that others could take its jobs over.',
		registers: [registry],
		collect() {
			this.reset();
			this.inc(lease.losses);
		},
	});
}

function watchPlatforms(gauge: NewGauge, platforms: readonly Platform[]): void {
	const figure = (name: string, help: string, of: (platform: Platform) => number | undefined) =>
		gauge(name, help, () => platforms.map((each) => ({ platform: each.name, value: of(each) })), ['platform']);
	figure('easel_platform_ready', '1 while a platform is connected.', (each) => Number(each.state() === 'ready'));
	figure(
		'easel_platform_connections',
		'Shards or sockets by which events arrive.',
		(each) => each.connections?.()?.open,
	);
	figure(
		'easel_platform_expected_connections',
		'Shards or sockets that this process runs.',
		(each) => each.connections?.()?.expected,
	);
	gauge(
		'easel_platform_state',
		'The connection of a platform: 1 for its present state. The others are absent.',
		() => platforms.map((each) => ({ platform: each.name, state: each.state(), value: 1 })),
		['platform', 'state'],
	);
}

/** Adds the gauges of what all processes share. While the store does not answer they are absent. @param read times in Unix milliseconds */
function watchDeployment(gauge: NewGauge, read: () => Promise<Reading>): void {
	const latest = sharedReading(read);
	const figure = (name: string, help: string, of: (reading: Reading) => number | undefined) =>
		gauge(name, help, async () => {
			const reading = await latest();
			return reading ? [{ value: of(reading) }] : [];
		});
	gauge('easel_store_reachable', '1 while the store answers.', async () => [{ value: (await latest()) ? 1 : 0 }]);
	figure('easel_plan_used_calls', 'Calls of the plan that this month (UTC) has used.', ({ usage }) => usage.plan?.used);
	figure('easel_plan_included_calls', 'Calls of the plan that a month includes.', ({ usage }) => usage.plan?.included);
	figure(
		'easel_overage_spent_dollars',
		'Spent beyond the plan this month (UTC), by all servers.',
		({ usage }) => usage.overage.spent / MILLS_PER_DOLLAR,
	);
	figure(
		'easel_overage_allowed_dollars',
		'The most that the servers with calls this month may spend in it beyond the plan.',
		({ usage }) => usage.overage.allowed / MILLS_PER_DOLLAR,
	);
	figure('easel_open_jobs', 'Paid requests without an answer yet, in all processes.', ({ open }) => open.count);
	figure(
		'easel_open_jobs_oldest_seconds',
		'Age of the oldest paid request without an answer; 0 when there is none.',
		({ open }) => (open.oldestAt === undefined ? 0 : Math.max(0, Date.now() - open.oldestAt) / 1000),
	);
	figure(
		'easel_calls_paused',
		'1 while paid calls of all processes are paused, because too many have failed.',
		({ isPaused }) => Number(isPaused),
	);
	figure(
		'easel_backup_last_success_timestamp_seconds',
		'When the last backup was finished; 0 when there is none.',
		({ backupAt }) => backupAt / 1000,
	);
}

type Reading = Awaited<ReturnType<typeof readDeployment>>;

async function readDeployment({ ledger, failurePause, store }: Easel) {
	const [usage, open, pausedMs, backupAt = 0] = await Promise.all([
		deploymentUsage(ledger.options),
		ledger.openWork(),
		failurePause.leftMs(),
		lastBackupAt(store),
	]);
	return { usage, open, isPaused: pausedMs > 0, backupAt };
}

/** Returns a function that reads, once for calls at about the same time; undefined when the store does not answer in time. */
function sharedReading(read: () => Promise<Reading>): () => Promise<Reading | undefined> {
	let latest: { reading: Promise<Reading | undefined>; at: number } | undefined;
	return () => {
		if (latest && performance.now() - latest.at < FRESH_MS) return latest.reading;
		const late = sleep(TIMEOUT_MS, undefined, { ref: false });
		const reading = Promise.race([read().catch(() => undefined), late]);
		latest = { reading, at: performance.now() };
		return reading;
	};
}

/** The names of the labels, each with the values that start at 0: `rate()` misses the first event of a new time series. */
type Labels<Name extends string> = Readonly<Record<Name, readonly string[]>>;

type NewCounter = ReturnType<typeof metricsOf>['counter'];
type NewHistogram = ReturnType<typeof metricsOf>['histogram'];
type NewGauge = ReturnType<typeof metricsOf>['gauge'];

/** What a scrape reads of a gauge, with its labels. It is absent without a value. */
type Sample = { value: number | undefined; [label: string]: string | number | undefined };

/** Returns what creates metrics in a registry. */
function metricsOf(registry: Registry) {
	const registers = [registry];
	return {
		counter<Name extends string>(name: string, help: string, ...labels: Labels<Name>[]): Counter<Name> {
			const created = new Counter({ name, help, labelNames: namesOf(labels), registers });
			for (const starting of labels.flatMap(combinations)) created.inc(starting, 0);
			return created;
		},
		histogram<Name extends string>(name: string, help: string, buckets: number[], labels: Labels<Name>) {
			const created = new Histogram({ name, help, buckets, labelNames: namesOf([labels]), registers });
			for (const starting of combinations(labels)) created.zero(starting);
			return created;
		},
		gauge(name: string, help: string, read: () => Sample[] | Promise<Sample[]>, labelNames: string[] = []): void {
			new Gauge({
				name,
				help,
				labelNames,
				registers,
				async collect() {
					const samples = await read();
					this.reset();
					if (labelNames.length === 0) this.remove();
					for (const { value, ...labels } of samples) if (value !== undefined) this.set(labels, value);
				},
			});
		},
	};
}

const namesOf = <Name extends string>([labels]: readonly Labels<Name>[]) => Object.keys(labels ?? {}) as Name[];

/** Returns every combination of the labels' values. */
function combinations<Name extends string>(labels: Labels<Name>): Record<Name, string>[] {
	let sets: Partial<Record<Name, string>>[] = [{}];
	for (const [name, values] of Object.entries<readonly string[]>(labels))
		sets = sets.flatMap((set) => values.map((value) => ({ ...set, [name]: value })));
	return sets as Record<Name, string>[];
}
