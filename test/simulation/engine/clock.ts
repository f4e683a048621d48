import { setImmediate as promisesSettled } from 'node:timers/promises';

/** A scheduled callback. */
export type Task = {
	/** Prevents the callback, unless it has run already. */
	cancel(): void;
};

type ScheduledTask = { at: number; work: () => void };

/** Virtual time. Nothing waits, and callbacks run only in `step`. */
export class VirtualClock {
	/** The next task is last. Of two tasks at the same time, the one that was scheduled first runs first. */
	readonly #tasks: ScheduledTask[] = [];
	#elapsed = 0;
	#offset: number;

	/** @param start what the wall clock shows at first, in Unix milliseconds */
	constructor(start: number) {
		this.#offset = start;
	}

	/** Milliseconds since the start of the run. They never decrease. */
	get elapsed(): number {
		return this.#elapsed;
	}

	/** The wall clock's time, in Unix milliseconds. */
	get wall(): number {
		return this.#offset + this.#elapsed;
	}

	/** Sets the wall clock forward or back without any effect on timers, as a suspension or an operator does. */
	jump(ms: number): void {
		this.#offset += ms;
	}

	schedule(ms: number, work: () => void): Task {
		const task: ScheduledTask = { at: this.#elapsed + Math.max(0, Math.ceil(ms)), work };
		let low = 0;
		let high = this.#tasks.length;
		while (low < high) {
			const middle = (low + high) >>> 1;
			if ((this.#tasks[middle] as ScheduledTask).at > task.at) low = middle + 1;
			else high = middle;
		}
		this.#tasks.splice(low, 0, task);
		return {
			cancel: () => {
				const index = this.#tasks.indexOf(task);
				if (index >= 0) this.#tasks.splice(index, 1);
			},
		};
	}

	/** Runs the next task and everything that follows from it at once. Returns false when there is no task until `end`. */
	async step(end: number): Promise<boolean> {
		const next = this.#tasks.at(-1);
		if (!next || next.at > end) {
			this.#elapsed = Math.max(this.#elapsed, end);
			return false;
		}
		this.#tasks.pop();
		this.#elapsed = next.at;
		next.work();
		// All promises that this settles settle before the next turn of the event loop, because there is no real input or output.
		await promisesSettled();
		return true;
	}
}
