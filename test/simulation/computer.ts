import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock, Pending } from './clock.ts';

/** Something that runs as if in a process of its own: its timers, its idea of the time, its end. */
export type Runner = {
	/** How far its clock is off, in milliseconds. */
	skew: number;
	/** Whether its timers still are its own to fire: a process that is gone has none. */
	timer(ms: number, work: () => void): Pending;
};

/** Who does what is being done right now, and for which delivery. */
export type Doing<Who extends Runner> = { by: Who; delivery?: string | undefined };

export type Computer<Who extends Runner> = {
	/** Who is at it; undefined outside of every process. */
	doing(): Doing<Who> | undefined;
	run<Result>(by: Who, work: () => Result, delivery?: string): Result;
	/** Takes back what stands in for the real timers and clock. */
	restore(): void;
};

/**
 * Puts a virtual clock and virtual timers in place of the real ones, for code that runs inside `run` alone: whatever else lives
 * in this process keeps the real ones. Which process a timer belongs to is known by the asynchronous context.
 */
export function createComputer<Who extends Runner>(clock: Clock): Computer<Who> {
	const context = new AsyncLocalStorage<Doing<Who>>();
	const real = { setTimeout, setInterval, clearTimeout, clearInterval, now: Date.now };

	function timeout(work: (...args: unknown[]) => void, ms = 0, ...args: unknown[]): unknown {
		const doing = context.getStore();
		if (!doing) return real.setTimeout(work, ms, ...args);
		return timerOf(doing.by.timer(ms, () => context.run(doing, work, ...args)));
	}

	function interval(work: (...args: unknown[]) => void, ms = 0, ...args: unknown[]): unknown {
		const doing = context.getStore();
		if (!doing) return real.setInterval(work, ms, ...args);
		const again = () =>
			doing.by.timer(ms, () => {
				pending = again();
				context.run(doing, work, ...args);
			});
		let pending = again();
		return timerOf({ cancel: () => pending.cancel() });
	}

	const clear = (timer: unknown) => {
		if (timer instanceof VirtualTimer) timer.pending.cancel();
		else real.clearTimeout(timer as NodeJS.Timeout);
	};

	Object.assign(globalThis, { setTimeout: timeout, setInterval: interval, clearTimeout: clear, clearInterval: clear });
	Date.now = () => {
		const doing = context.getStore();
		return doing ? clock.wall() + doing.by.skew : real.now();
	};

	return {
		doing: () => context.getStore(),
		run: (by, work, delivery) => context.run({ by, delivery }, work),
		restore() {
			const { now, ...timers } = real;
			Object.assign(globalThis, timers);
			Date.now = now;
		},
	};
}

class VirtualTimer {
	readonly pending: Pending;

	constructor(pending: Pending) {
		this.pending = pending;
	}

	/** Virtual time keeps no process alive. */
	unref(): this {
		return this;
	}

	ref(): this {
		return this;
	}
}

const timerOf = (pending: Pending) => new VirtualTimer(pending);
