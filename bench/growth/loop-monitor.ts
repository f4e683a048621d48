const TICK_MS = 1;

/** How long the event loop was held at once, in ms. */
export type LoopHold = {
	/** Includes the time for which the system ran other programs, and waits for the disk. */
	wall: number;
	/** The thread's own CPU time between the same two ticks. */
	cpu: number;
};

/** Measures the longest time for which the event loop of this thread runs nothing else, by a timer that is due every millisecond. */
export class LoopMonitor {
	readonly #timer: NodeJS.Timeout;
	#longest: LoopHold = { wall: 0, cpu: 0 };
	#at = performance.now();
	#cpu = cpuMs();

	constructor() {
		this.#timer = setInterval(() => this.#tick(), TICK_MS);
	}

	/** Returns the longest hold. */
	async stop(): Promise<LoopHold> {
		// Work that ended without a pause is seen by the next tick only.
		await new Promise((resolve) => setTimeout(resolve, 2 * TICK_MS));
		clearInterval(this.#timer);
		return this.#longest;
	}

	#tick(): void {
		const [at, cpu] = [performance.now(), cpuMs()];
		this.#longest.wall = Math.max(this.#longest.wall, at - this.#at - TICK_MS);
		this.#longest.cpu = Math.max(this.#longest.cpu, cpu - this.#cpu);
		[this.#at, this.#cpu] = [at, cpu];
	}
}

/** Returns the CPU time of this thread so far. */
export function cpuMs(): number {
	const { user, system } = process.threadCpuUsage();
	return (user + system) / 1000;
}
