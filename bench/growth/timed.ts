import type { Figures } from '../runner.ts';
import { cpuMs, LoopMonitor } from './loop-monitor.ts';

/**
 * Returns the time of an operation, its CPU time in this thread, and for how long the event loop was held at most. Each is the
 * lower quartile, because other programs only make an operation slower.
 */
export async function timed(name: string, times: number, work: (number: number) => Promise<unknown>): Promise<Figures> {
	const monitor = new LoopMonitor();
	const all: { ms: number; cpu: number }[] = [];
	await repeat(times, async (number) => {
		const [began, cpu] = [performance.now(), cpuMs()];
		await work(number);
		all.push({ ms: performance.now() - began, cpu: cpuMs() - cpu });
	});
	const hold = await monitor.stop();
	return {
		[`${name}, ms`]: lowerQuartile(all.map(({ ms }) => ms)),
		[`${name}: CPU, ms`]: lowerQuartile(all.map(({ cpu }) => cpu)),
		[`${name}: hold, ms`]: hold.wall,
		[`${name}: CPU hold, ms`]: hold.cpu,
	};
}

const lowerQuartile = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 2] ?? Number.NaN;

export async function repeat(times: number, work: (number: number) => Promise<unknown>): Promise<void> {
	for (let number = 0; number < times; number++) await work(number);
}
