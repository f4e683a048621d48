import { readFileSync } from 'node:fs';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Bot } from '../bot/bot.ts';
import type { Platform } from '../domain/platform.ts';
import { lastBackupAt } from '../store/backup/last-backup.ts';
import type { Store } from '../store/store.ts';
import { createDeploymentGauges } from './deployment-gauges.ts';
import { createEventMetrics, type EventObservers, type MetricsNames } from './event-metrics.ts';
import { createStateGauges } from './state-gauges.ts';

export type Metrics = EventObservers & {
	/** Adds the gauges, which are read from the parts of the bot at each scrape. */
	watch(parts: { bot: Bot; platforms: readonly Platform[]; store: Store }): void;
	/** Returns the metrics in Prometheus' text format. */
	text(): Promise<string>;
};

/** Creates the metrics with Prometheus' library. Every label has a closed set of values. */
export function createPrometheusMetrics(names: MetricsNames): Metrics {
	const registry = new Registry();
	collectDefaultMetrics({ register: registry });
	createBuildInfo(registry);
	return {
		...createEventMetrics(registry, names),
		watch({ bot, platforms, store }) {
			createStateGauges(registry, { platforms, processState: () => bot.processState() });
			createDeploymentGauges(registry, async () => {
				const [state, backupAt] = await Promise.all([bot.deploymentState(), lastBackupAt(store)]);
				return { ...state, backupAt };
			});
		},
		text: () => registry.metrics(),
	};
}

function createBuildInfo(registry: Registry): void {
	const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
	new Gauge({
		name: 'easel_build_info',
		help: 'The version of Easel, with the value 1.',
		labelNames: ['version'],
		registers: [registry],
	}).set({ version }, 1);
}
