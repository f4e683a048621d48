import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { Observer } from './bot/error-boundary.ts';

/** Upper bounds in seconds: a text answer takes milliseconds, a picture up to minutes. */
const DURATIONS = [0.01, 0.1, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 180];

/** The metrics at `/metrics`: requests by platform, command and outcome, their durations, and the process itself. */
export function createMetrics(): {
	observe: Observer;
	/** Counts a request that Discord has refused, by its status: 401, 403 or 429. */
	onInvalidDiscordRequest(status: number): void;
	registry: Registry;
} {
	const registry = new Registry();
	collectDefaultMetrics({ register: registry });
	const labelNames = ['platform', 'command', 'outcome'];
	const requests = new Counter({
		name: 'easel_requests_total',
		help: 'Finished requests',
		labelNames,
		registers: [registry],
	});
	const durations = new Histogram({
		name: 'easel_request_duration_seconds',
		help: 'Time from the request to its answer',
		labelNames,
		buckets: DURATIONS,
		registers: [registry],
	});
	const invalidRequests = new Counter({
		name: 'easel_discord_invalid_requests_total',
		help: 'Requests that Discord refused with 401, 403 or 429; it bans an address after 10,000 in ten minutes',
		labelNames: ['status'],
		registers: [registry],
	});
	return {
		registry,
		onInvalidDiscordRequest(status) {
			invalidRequests.inc({ status });
		},
		observe({ seconds, ...labels }) {
			requests.inc(labels);
			durations.observe(labels, seconds);
		},
	};
}
