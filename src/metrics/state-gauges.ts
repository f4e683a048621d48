import { Counter, Gauge, type Registry } from 'prom-client';
import type { ProcessState } from '../bot/bot.ts';
import type { Platform } from '../domain/platform.ts';
import { oneOf, PLATFORM_STATES } from './labels.ts';

type State = {
	platforms: readonly Pick<Platform, 'name' | 'state' | 'connections'>[];
	processState(): ProcessState;
};

/** Creates the gauges of what this process does at the moment. They are read at each scrape. */
export function createStateGauges(registry: Registry, { platforms, processState }: State): void {
	createPlatformGauges(registry, platforms);
	const gauge = (name: string, help: string, read: (state: ProcessState) => number) =>
		new Gauge({
			name,
			help,
			registers: [registry],
			collect() {
				this.set(read(processState()));
			},
		});
	gauge('easel_queue_running', 'Picture requests that run in this process.', ({ queue }) => queue.running);
	gauge('easel_queue_waiting', 'Picture requests that wait in line in this process.', ({ queue }) => queue.waiting);
	gauge(
		'easel_queue_oldest_wait_seconds',
		'How long the first request in line has waited; 0 when none waits.',
		({ queue }) => queue.oldestSeconds,
	);
	gauge('easel_chat_busy_threads', 'Chat threads with a turn under way.', ({ busyThreads }) => busyThreads);
	gauge('easel_lease_held', '1 while this process may work on its jobs.', ({ lease }) => Number(lease.isHeld));
	new Counter({
		name: 'easel_lease_losses_total',
		help: 'How often the lease of this process has lapsed, so that others could take its jobs over.',
		registers: [registry],
		collect() {
			this.reset();
			this.inc(processState().lease.losses);
		},
	});
}

function createPlatformGauges(registry: Registry, platforms: State['platforms']): void {
	const registers = [registry];
	new Gauge({
		name: 'easel_platform_ready',
		help: '1 while a platform is connected.',
		labelNames: ['platform'],
		registers,
		collect() {
			for (const platform of platforms) this.set({ platform: platform.name }, Number(platform.state() === 'ready'));
		},
	});
	new Gauge({
		name: 'easel_platform_state',
		help: 'The connection of a platform: 1 for its present state, 0 for all others.',
		labelNames: ['platform', 'state'],
		registers,
		collect() {
			this.reset();
			for (const each of platforms) {
				const platform = each.name;
				for (const other of PLATFORM_STATES) this.set({ platform, state: other }, 0);
				this.set({ platform, state: oneOf(PLATFORM_STATES, each.state()) }, 1);
			}
		},
	});
	const gauge = (name: string, help: string, which: 'open' | 'expected') =>
		new Gauge({
			name,
			help,
			labelNames: ['platform'],
			registers,
			collect() {
				for (const platform of platforms) {
					const connections = platform.connections?.();
					if (connections) this.set({ platform: platform.name }, connections[which]);
				}
			},
		});
	gauge('easel_platform_connections', 'Shards or sockets by which events arrive.', 'open');
	gauge('easel_platform_expected_connections', 'Shards or sockets that this process runs.', 'expected');
}
