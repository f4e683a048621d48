import { setTimeout as sleep } from 'node:timers/promises';
import { Gauge, type Registry } from 'prom-client';
import type { DeploymentState } from '../bot/bot.ts';

/** A figure of the deployment is this old at most. More than one Prometheus may ask. */
const FRESH_MS = 10_000;

/** How long a scrape waits for the store. */
const TIMEOUT_MS = 2000;

const MILLS_PER_DOLLAR = 1000;

type Reading = DeploymentState & {
	/** Unix milliseconds. */
	backupAt: number | undefined;
};

/** Creates the gauges of what all processes share. While the store does not answer they are absent. @param now Unix milliseconds */
export function createDeploymentGauges(registry: Registry, read: () => Promise<Reading>, now = Date.now): void {
	const latest = createReader(read);
	const gauge = (name: string, help: string, figureOf: (reading: Reading) => number | undefined) =>
		new Gauge({
			name,
			help,
			registers: [registry],
			async collect() {
				const reading = await latest();
				const value = reading && figureOf(reading);
				if (value === undefined) this.remove();
				else this.set(value);
			},
		});
	new Gauge({
		name: 'easel_store_reachable',
		help: '1 while the store answers.',
		registers: [registry],
		async collect() {
			this.set((await latest()) ? 1 : 0);
		},
	});
	gauge('easel_plan_used_calls', 'Calls of the plan that this month (UTC) has used.', ({ usage }) => usage.plan?.used);
	gauge('easel_plan_included_calls', 'Calls of the plan that a month includes.', ({ usage }) => usage.plan?.included);
	gauge(
		'easel_overage_spent_dollars',
		'Spent beyond the plan this month (UTC), by all servers.',
		({ usage }) => usage.overage.spent / MILLS_PER_DOLLAR,
	);
	gauge(
		'easel_overage_allowed_dollars',
		'The most that the servers with calls this month may spend in it beyond the plan.',
		({ usage }) => usage.overage.allowed / MILLS_PER_DOLLAR,
	);
	gauge('easel_open_jobs', 'Paid requests without an answer yet, in all processes.', ({ open }) => open.count);
	gauge(
		'easel_open_jobs_oldest_seconds',
		'Age of the oldest paid request without an answer; 0 when there is none.',
		({ open }) => (open.oldestAt === undefined ? 0 : Math.max(0, now() - open.oldestAt) / 1000),
	);
	gauge(
		'easel_calls_paused',
		'1 while paid calls of all processes are paused, because too many have failed.',
		({ isPaused }) => Number(isPaused),
	);
	gauge(
		'easel_backup_last_success_timestamp_seconds',
		'When the last backup was finished; 0 when there is none.',
		({ backupAt = 0 }) => backupAt / 1000,
	);
}

/** Returns a function that reads, once for calls at about the same time; undefined when the store does not answer in time. */
function createReader(read: () => Promise<Reading>): () => Promise<Reading | undefined> {
	let latest: { reading: Promise<Reading | undefined>; at: number } | undefined;
	return () => {
		if (latest && performance.now() - latest.at < FRESH_MS) return latest.reading;
		const late = sleep(TIMEOUT_MS, undefined, { ref: false });
		const reading = Promise.race([read().catch(() => undefined), late]);
		latest = { reading, at: performance.now() };
		return reading;
	};
}
