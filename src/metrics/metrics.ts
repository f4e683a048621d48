import { setTimeout as sleep } from 'node:timers/promises';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Observer } from '../bot/bot.ts';
import type { CallKind, CallOutcome } from '../domain/job.ts';
import type { Platform } from '../domain/platform.ts';
import { version } from '../domain/program.ts';
import { rememberedFor } from '../domain/queues.ts';
import type { Easel } from '../easel.ts';
import { SERVICE_CALLS, SERVICE_OUTCOMES, type ServiceObserver } from '../service/service.ts';
import { STORE_OPERATIONS, type StoreObserver } from '../store/backend.ts';
import { lastBackupAt } from '../store/backup.ts';
import { deploymentUsage, type LayerName, type LedgerObserver } from '../usage/caps.ts';
import { openWork } from '../usage/jobs.ts';
import { MICROS_PER_USD } from '../usage/prices.ts';

/** Of the library's metrics: what the process takes from its machine, and whether its event loop keeps up. */
const OF_LIBRARY =
	/^process_(cpu_seconds|start_time|resident_memory|open_fds|max_fds)|^nodejs_(eventloop_lag_p99|heap_size_used)_/;

/** Kinds of requests besides the commands; see `Bot`. */
const OTHER_REQUESTS = ['button', 'message', 'unknown'];
const PICTURE_CALLS = ['generate', 'edit', 'compose'];
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

type Deployment = Awaited<ReturnType<typeof readDeployment>>;

async function readDeployment(easel: Easel) {
	const { failurePause, store } = easel;
	const [usage, open, pausedMs, backupAt = 0] = await Promise.all([
		deploymentUsage(easel),
		openWork(store.space('ledger')),
		failurePause.leftMs(),
		lastBackupAt(store),
	]);
	return { usage, open, pausedMs, backupAt };
}

/** The names of the labels, each with the values that start at 0: `rate()` misses the first event of a new time series. */
type Labels = Readonly<Record<string, readonly string[]>>;

/** What a scrape reads of a metric, with its labels. It is absent without a value. */
type Sample = { value: number | undefined; [label: string]: string | number | undefined };

type Reading = Sample['value'] | Sample[];

/** Reads a metric at each scrape. The state of the deployment is undefined while the store does not answer. */
type Reader = (easel: Easel, now: Deployment | undefined) => Reading;

/** Its labels, as sets of values that start at 0; of what is timed, the upper bounds in seconds, too. */
type Counted = readonly [help: string, labels: Labels[], bounds?: number[]];

const ofPlatforms =
	(of: (platform: Platform) => Sample): Reader =>
	({ platforms }) =>
		platforms.all.map((platform) => ({ platform: platform.name, ...of(platform) }));

/** What is counted and timed, by the names of the metrics. A text answer takes milliseconds, a picture up to minutes. */
const countedOf = (platform: readonly string[], command: readonly string[]) =>
	({
		easel_requests_total: ['Finished requests.', [{ platform, command, outcome: ['unanswered'] }]],
		easel_request_duration_seconds: [
			'Time from a request to its answer, the wait in line included.',
			[{ platform, command, outcome: [] }],
			[0.01, 0.1, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 180],
		],
		easel_calls_total: [
			'Settled calls: failed ones were given back, those of unknown outcome stay counted.',
			[{ kind: CALL_KINDS, outcome: CALL_OUTCOMES }],
		],
		easel_caps_reached_total: [
			'Calls that a cap has denied, by the scope of the cap.',
			[{ kind: CALL_KINDS, scope: CAP_SCOPES }],
		],
		easel_jobs_taken_over_total: ['Jobs of processes that were gone, which this process has taken over.', [{}]],
		easel_call_pauses_total: [
			'Pauses of paid calls in all processes, which this process began because too many calls had failed.',
			[{}],
		],
		easel_service_calls_total: [
			'Calls to the image service that have ended.',
			[
				{ call: PICTURE_CALLS, outcome: SERVICE_OUTCOMES },
				{ call: SERVICE_CALLS, outcome: ['ok', 'key', 'balance'] },
			],
		],
		easel_service_call_duration_seconds: [
			'Time from a call to the image service to the end of its answer.',
			[{ call: PICTURE_CALLS, outcome: ['ok'] }],
			[0.5, 1, 2, 5, 10, 20, 30, 60, 120, 180],
		],
		easel_store_failures_total: ['Operations of the store that have failed.', [{ operation: STORE_OPERATIONS }]],
		easel_store_operation_duration_seconds: [
			'Time that an operation of the store has taken.',
			[{ operation: ['commit'] }],
			[0.001, 0.0025, 0.01, 0.025, 0.1, 0.25, 0.5, 1, 5],
		],
		easel_discord_invalid_requests_total: [
			'Requests that Discord refused with 401, 403 or 429; it bans an address after 10,000 in ten minutes.',
			[{ status: ['401', '403', '429'] }],
		],
		easel_rate_limit_waits_total: ['Requests that waited for a rate limit of the platform.', [{ platform }]],
		easel_rate_limit_wait_seconds_total: [
			'Time that requests have waited for rate limits of the platform.',
			[{ platform }],
		],
	}) satisfies Record<string, Counted>;

/** What is read at each scrape, by the names of the metrics: of this process, of its platforms, and of what all processes share. */
const READ: Readonly<Record<string, readonly [help: string, read: Reader]>> = {
	easel_queue_running: ['Picture requests that run in this process.', ({ queue }) => queue.load.running],
	easel_queue_waiting: ['Picture requests that wait in line in this process.', ({ queue }) => queue.load.waiting],
	easel_queue_oldest_wait_seconds: [
		'How long the first request in line has waited; 0 when none waits.',
		({ queue }) => queue.load.oldestSeconds,
	],
	easel_chat_busy_threads: ['Chat threads with a turn under way.', ({ turns }) => turns.busyThreads],
	easel_lease_held: ['1 while this process may work on its jobs.', ({ lease }) => Number(lease.isHeld)],
	easel_lease_losses_total: [
		'How often the lease of this process has lapsed, so that others could take its jobs over.',
		({ lease }) => lease.losses,
	],
	easel_platform_ready: [
		'1 while a platform is connected.',
		ofPlatforms((platform) => ({ value: Number(platform.state() === 'ready') })),
	],
	easel_platform_state: [
		'The connection of a platform: 1 for its present state. The others are absent.',
		ofPlatforms((platform) => ({ state: platform.state(), value: 1 })),
	],
	easel_platform_connections: [
		'Shards or sockets by which events arrive.',
		ofPlatforms((platform) => ({ value: platform.connections?.()?.open })),
	],
	easel_platform_expected_connections: [
		'Shards or sockets that this process runs.',
		ofPlatforms((platform) => ({ value: platform.connections?.()?.expected })),
	],
	easel_store_reachable: ['1 while the store answers.', (_, now) => Number(now !== undefined)],
	easel_plan_used_calls: ['Calls of the plan that this month (UTC) has used.', (_, now) => now?.usage.plan?.used],
	easel_plan_included_calls: ['Calls of the plan that a month includes.', (_, now) => now?.usage.plan?.included],
	easel_overage_spent_dollars: [
		'Spent beyond the plan this month (UTC), by all servers.',
		(_, now) => now && now.usage.overage.spent / MICROS_PER_USD,
	],
	easel_overage_allowed_dollars: [
		'The most that the servers with calls this month may spend in it beyond the plan.',
		(_, now) => now && now.usage.overage.allowed / MICROS_PER_USD,
	],
	easel_open_jobs: ['Paid requests without an answer yet, in all processes.', (_, now) => now?.open.count],
	easel_open_jobs_oldest_seconds: [
		'Age of the oldest paid request without an answer; 0 when there is none.',
		(_, now) => now && Math.max(0, Date.now() - (now.open.oldestAt ?? Date.now())) / 1000,
	],
	easel_calls_paused: [
		'1 while paid calls of all processes are paused, because too many have failed.',
		(_, now) => now && Number(now.pausedMs > 0),
	],
	easel_backup_last_success_timestamp_seconds: [
		'When the last backup was finished; 0 when there is none.',
		(_, now) => now && now.backupAt / 1000,
	],
};

export type Metrics = ReturnType<typeof createMetrics>;

/** Creates the metrics at `/metrics`; docs/monitoring.md explains them. No label has a value that comes from outside. */
export function createMetrics({ platforms, commands }: { platforms: readonly string[]; commands: readonly string[] }) {
	const registry = new Registry();
	collectDefaultMetrics({ register: registry });
	for (const { name } of registry.getMetricsAsArray()) if (!OF_LIBRARY.test(name)) registry.removeSingleMetric(name);
	addFigure(registry, 'easel_build_info', 'The version of Easel, with the value 1.', () => [
		{ version: version, value: 1 },
	]);
	const kinds = [...commands, ...OTHER_REQUESTS];
	for (const [name, [help, labels, bounds]] of Object.entries<Counted>(countedOf(platforms, kinds)))
		addCounted(registry, { name, help }, labels, bounds);
	return {
		...observersOf(registry, kinds),
		/** Adds what is read at each scrape. */
		watch(easel: Easel) {
			const latest = rememberedFor(
				() => FRESH_MS,
				() => {
					const late = sleep(TIMEOUT_MS, undefined, { ref: false });
					return Promise.race([readDeployment(easel).catch(() => undefined), late]);
				},
			);
			for (const [name, [help, read]] of Object.entries(READ))
				addFigure(registry, name, help, async () => read(easel, await latest()));
		},
		/** Returns the metrics in Prometheus' text format. */
		text: () => registry.metrics(),
	};
}

function addCounted(registry: Registry, named: { name: string; help: string }, labels: Labels[], buckets?: number[]) {
	const options = { ...named, labelNames: Object.keys(labels[0] ?? {}), registers: [registry] };
	const created = buckets ? new Histogram({ ...options, buckets }) : new Counter(options);
	for (const starting of labels.flatMap(combinations))
		if (created instanceof Histogram) created.zero(starting);
		else created.inc(starting, 0);
}

function observersOf(registry: Registry, kinds: readonly string[]) {
	type Name = keyof ReturnType<typeof countedOf>;
	type Values = Record<string, string | number>;
	const count = (name: Name, labels: Values = {}, by = 1) =>
		(registry.getSingleMetric(name) as Counter).inc(labels, by);
	const time = (name: Name, labels: Values, seconds: number) =>
		(registry.getSingleMetric(name) as Histogram).observe(labels, seconds);
	const observe: Observer = ({ platform, command: name, outcome, seconds }) => {
		// Each further name would be a time series that Prometheus keeps.
		const command = kinds.includes(name) ? name : 'unknown';
		count('easel_requests_total', { platform, command, outcome });
		time('easel_request_duration_seconds', { platform, command, outcome }, seconds);
	};
	const ledgerObserver: LedgerObserver = {
		settled: (kind, outcome) => count('easel_calls_total', { kind, outcome }),
		capReached: (kind, scope) => count('easel_caps_reached_total', { kind, scope }),
		claimed: () => count('easel_jobs_taken_over_total'),
	};
	const observeService: ServiceObserver = (call, outcome, seconds) => {
		count('easel_service_calls_total', { call, outcome });
		time('easel_service_call_duration_seconds', { call, outcome }, seconds);
	};
	const observeStore: StoreObserver = (operation, seconds, failed) => {
		time('easel_store_operation_duration_seconds', { operation }, seconds);
		if (failed) count('easel_store_failures_total', { operation });
	};
	return {
		...{ observe, ledgerObserver, observeService, observeStore },
		onPause: () => count('easel_call_pauses_total'),
		onInvalidDiscordRequest: (status: number) => count('easel_discord_invalid_requests_total', { status }),
		onRateLimitWait(platform: string, seconds: number) {
			count('easel_rate_limit_waits_total', { platform });
			count('easel_rate_limit_wait_seconds_total', { platform }, seconds);
		},
	};
}

/** Adds a metric that is read at each scrape: a counter if its name ends in `_total`, else a gauge. */
function addFigure(registry: Registry, name: string, help: string, read: () => Reading | Promise<Reading>): void {
	const options = {
		...{ name, help, labelNames: ['platform', 'state', 'version'], registers: [registry] },
		async collect(this: Counter | Gauge) {
			const reading = await read();
			const samples = Array.isArray(reading) ? reading : [{ value: reading }];
			this.reset();
			for (const { value, ...labels } of samples)
				if (value !== undefined) this.inc(labels as Record<string, string>, value);
		},
	};
	if (name.endsWith('_total')) new Counter(options);
	else new Gauge(options);
}

function combinations(labels: Labels): Record<string, string>[] {
	let sets: Record<string, string>[] = [{}];
	for (const [name, values] of Object.entries(labels))
		sets = sets.flatMap((set) => values.map((value) => ({ ...set, [name]: value })));
	return sets;
}
