import { AsyncLocalStorage } from 'node:async_hooks';
import { LEASE_MS } from '../../../src/usage/lease.ts';
import type { Task, VirtualClock } from './clock.ts';
import type { Fault, Faults, Target } from './faults.ts';
import type { Random } from './random.ts';
import type { RuntimeProcess, VirtualRuntime } from './runtime.ts';
import type { Trace } from './trace.ts';

/** How long a process is suspended that is to lose its lease. */
const STALL_MS = { min: LEASE_MS, max: 3 * LEASE_MS };

/** How long after it was reported as failed a late call takes effect, at most: mostly soon, sometimes after a lease. */
const LATE_MS = [2000, 2000, 60_000];

/** How long a slow call takes. */
const SLOW_MS = { min: 5000, max: 60_000 };

type ProcessOptions = {
	name: string;
	clockSkewMs: number;
	clock: VirtualClock;
	runtime: VirtualRuntime<SimulatedProcess>;
	faults: Faults;
	random: Random;
	trace: Trace;
	/** Called when a call meets a fault, or the process is killed before it has taken effect. */
	onFault: (call: string) => void;
	/** Called when the process was killed. */
	onEnd: () => void;
};

/** One process of Easel, which can be suspended and resumed, and killed between any two of its calls. */
export class SimulatedProcess implements RuntimeProcess {
	readonly name: string;
	readonly clockSkewMs: number;
	readonly #options: ProcessOptions;
	#state: 'running' | 'suspended' | 'ended' = 'running';
	/** Work that waits for a suspended process to be resumed. */
	#waiting: (() => void)[] = [];
	/** Calls under way. When the process is killed, each of them arrives or not. */
	readonly #outgoing = new Map<Task, { call: string; arrive: () => void }>();

	constructor(options: ProcessOptions) {
		this.name = options.name;
		this.clockSkewMs = options.clockSkewMs;
		this.#options = options;
	}

	get hasEnded(): boolean {
		return this.#state === 'ended';
	}

	get isRunning(): boolean {
		return this.#state === 'running';
	}

	/** Schedules a timer of this process. */
	schedule(ms: number, work: () => void): Task {
		// A timer that is due, and only waits for the process to be resumed, can still be cancelled.
		let isCancelled = false;
		const task = this.#options.clock.schedule(ms, () => this.#whenRunning(() => isCancelled || work()));
		return {
			cancel() {
				isCancelled = true;
				task.cancel();
			},
		};
	}

	/** Runs work in this process, now or when it is resumed. */
	enter(work: () => void, delivery?: string): void {
		this.#whenRunning(() => this.#options.runtime.run(this, work, delivery));
	}

	/**
	 * Makes a call to the outside, which takes time both ways and may meet a fault.
	 *
	 * @param call describes the call
	 * @param error creates the error of a call that is reported as failed
	 */
	call<Result>(target: Target, call: string, effect: () => Promise<Result>, error: () => Error): Promise<Result> {
		const fault = this.hasEnded ? 'none' : this.#options.faults.draw(target, call);
		if (fault !== 'none') this.#options.onFault(call);
		if (fault === 'crash-before') this.kill(`before ${call}`);
		// An ended process never gets an answer.
		if (this.hasEnded) return new Promise(() => {});
		if (fault !== 'none' && fault !== 'crash-after') this.#options.trace.add(this.name, `${call} → ${fault}`);

		const { promise, resolve, reject } = Promise.withResolvers<Result>();
		const { clock, faults, random } = this.#options;
		const answer = (work: () => void) => void clock.schedule(faults.delay(target), () => this.#whenRunning(work));
		const fail = () => answer(() => reject(error()));
		if (fault === 'fails' || fault === 'late') fail();
		if (fault === 'fails') return promise;
		const arrive = AsyncLocalStorage.bind(
			() =>
				void effect().then(
					(result) => {
						if (fault === 'crash-after') this.kill(`after ${call}`);
						else if (fault === 'answer-lost') fail();
						else if (fault !== 'late') answer(() => resolve(result));
					},
					(failure) => answer(() => reject(failure)),
				),
		);
		const more = fault === 'late' ? random.between(1, random.pick(LATE_MS)) : 0;
		const most = fault === 'slow' ? random.between(SLOW_MS.min, SLOW_MS.max) : 0;
		this.#send(fault, faults.delay(target) + more + most, { call, arrive });
		return promise;
	}

	suspend(): void {
		if (this.#state !== 'running') return;
		this.#state = 'suspended';
		this.#options.trace.add(this.name, 'is suspended');
	}

	resume(): void {
		if (this.#state !== 'suspended') return;
		const { clock, random, trace } = this.#options;
		this.#state = 'running';
		trace.add(this.name, 'is resumed');
		// Work that has come up meanwhile runs in any order, one piece after the other.
		const waiting = this.#waiting;
		this.#waiting = [];
		while (waiting.length > 0) {
			const [work] = waiting.splice(random.between(0, waiting.length - 1), 1);
			if (work) clock.schedule(0, () => this.#whenRunning(work));
		}
	}

	kill(reason: string): void {
		if (this.hasEnded) return;
		this.#state = 'ended';
		this.#waiting = [];
		this.#options.trace.add(this.name, `is killed ${reason}`);
		for (const [task, { call, arrive }] of this.#outgoing) {
			task.cancel();
			this.#options.onFault(call);
			if (this.#options.random.chance(0.5)) arrive();
		}
		this.#outgoing.clear();
		this.#options.onEnd();
	}

	#whenRunning(work: () => void): void {
		if (this.#state === 'suspended') this.#waiting.push(work);
		else if (this.#state === 'running') work();
	}

	#send(fault: Fault, delayMs: number, outgoing: { call: string; arrive: () => void }): void {
		const { clock, random } = this.#options;
		const send = () => {
			const task = clock.schedule(delayMs, () => {
				this.#outgoing.delete(task);
				outgoing.arrive();
			});
			this.#outgoing.set(task, outgoing);
		};
		if (fault === 'stall-before' || fault === 'stall-after') {
			const stallMs = random.between(STALL_MS.min, STALL_MS.max);
			this.suspend();
			clock.schedule(stallMs, () => this.resume());
			if (fault === 'stall-before') {
				clock.schedule(stallMs, () => this.#whenRunning(send));
				return;
			}
		}
		send();
	}
}
