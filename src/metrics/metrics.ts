import type { MetricsNames } from './event-metrics.ts';
import type { Metrics } from './prometheus.ts';

/** How long after the start the library is loaded. What has waited for the start is answered by then. */
const LOAD_AFTER_MS = 3000;

/**
 * Creates the metrics at `/metrics`. docs/monitoring.md lists them. Their library, which would take a tenth of the start, is loaded some
 * seconds later, or for the first scrape. Until then, what happens is written down.
 */
export function createMetrics(names: MetricsNames): Metrics {
	let metrics: Metrics | undefined;
	const early: ((metrics: Metrics) => void)[] = [];
	const tell = (event: (metrics: Metrics) => void) => {
		if (metrics) event(metrics);
		else early.push(event);
	};
	const load = async () => {
		const { createPrometheusMetrics } = await import('./prometheus.ts');
		metrics = createPrometheusMetrics(names);
		for (const event of early.splice(0)) event(metrics);
		return metrics;
	};
	let loading: Promise<Metrics> | undefined;
	const loaded = () => {
		loading ??= load();
		return loading;
	};
	return {
		observe: (request) => tell(({ observe }) => observe(request)),
		ledgerObserver: {
			settled: (...call) => tell(({ ledgerObserver }) => ledgerObserver.settled(...call)),
			capReached: (...cap) => tell(({ ledgerObserver }) => ledgerObserver.capReached(...cap)),
			claimed: () => tell(({ ledgerObserver }) => ledgerObserver.claimed()),
		},
		observeService: (...call) => tell(({ observeService }) => observeService(...call)),
		onPause: () => tell(({ onPause }) => onPause()),
		observeStore: (...operation) => tell(({ observeStore }) => observeStore(...operation)),
		onInvalidDiscordRequest: (status) => tell(({ onInvalidDiscordRequest }) => onInvalidDiscordRequest(status)),
		onRateLimitWait: (...wait) => tell(({ onRateLimitWait }) => onRateLimitWait(...wait)),
		watch(parts) {
			tell(({ watch }) => watch(parts));
			setTimeout(loaded, LOAD_AFTER_MS).unref();
		},
		text: async () => (await loaded()).text(),
	};
}
