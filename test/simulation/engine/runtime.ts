import { AsyncLocalStorage } from 'node:async_hooks';
import type { Task, VirtualClock } from './clock.ts';

/** A simulated process, as far as the runtime uses it. */
export type RuntimeProcess = {
	/** How much its clock differs from the wall clock, in milliseconds. */
	clockSkewMs: number;
	/** Schedules a timer of this process, which does not fire once the process has ended. */
	schedule(ms: number, work: () => void): Task;
};

/** The process whose code is running, and the delivery that it handles. */
export type Execution<Process extends RuntimeProcess> = { process: Process; delivery?: string | undefined };

/**
 * Replaces the real clock and timers by virtual ones for code that runs inside `run`; all other code keeps the real ones. The
 * asynchronous context tells which process a timer belongs to.
 */
export class VirtualRuntime<Process extends RuntimeProcess> {
	readonly #context = new AsyncLocalStorage<Execution<Process>>();
	readonly #real = { setTimeout, setInterval, clearTimeout, clearInterval };
	readonly #realNow = Date.now;

	constructor(clock: VirtualClock) {
		const clear = (timer: unknown) => this.#clear(timer);
		Object.assign(globalThis, {
			setTimeout: (work: TimerCallback, ms = 0, ...args: unknown[]) => this.#setTimeout(work, ms, args),
			setInterval: (work: TimerCallback, ms = 0, ...args: unknown[]) => this.#setInterval(work, ms, args),
			clearTimeout: clear,
			clearInterval: clear,
		});
		Date.now = () => {
			const execution = this.current();
			return execution ? clock.wall + execution.process.clockSkewMs : this.#realNow();
		};
	}

	/** Returns undefined outside of every process. */
	current(): Execution<Process> | undefined {
		return this.#context.getStore();
	}

	run<Result>(process: Process, work: () => Result, delivery?: string): Result {
		return this.#context.run({ process, delivery }, work);
	}

	/** Restores the real clock and timers. */
	restore(): void {
		Object.assign(globalThis, this.#real);
		Date.now = this.#realNow;
	}

	#setTimeout(work: TimerCallback, ms: number, args: unknown[]): unknown {
		const execution = this.current();
		if (!execution) return this.#real.setTimeout(work, ms, ...args);
		return new VirtualTimer(execution.process.schedule(ms, () => this.#context.run(execution, work, ...args)));
	}

	#setInterval(work: TimerCallback, ms: number, args: unknown[]): unknown {
		const execution = this.current();
		if (!execution) return this.#real.setInterval(work, ms, ...args);
		const repeat = (): Task =>
			execution.process.schedule(ms, () => {
				task = repeat();
				this.#context.run(execution, work, ...args);
			});
		let task = repeat();
		return new VirtualTimer({ cancel: () => task.cancel() });
	}

	#clear(timer: unknown): void {
		if (timer instanceof VirtualTimer) timer.task.cancel();
		else this.#real.clearTimeout(timer as NodeJS.Timeout);
	}
}

type TimerCallback = (...args: unknown[]) => void;

class VirtualTimer {
	readonly task: Task;

	constructor(task: Task) {
		this.task = task;
	}

	/** Does nothing: virtual timers do not keep a process alive. */
	unref(): this {
		return this;
	}

	ref(): this {
		return this;
	}
}
