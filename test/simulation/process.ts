import { AsyncLocalStorage } from 'node:async_hooks';
import { LEASE_MS } from '../../src/usage/lease.ts';
import type { Clock, Pending } from './clock.ts';
import type { Computer, Runner } from './computer.ts';
import type { Faults, Target } from './faults.ts';
import type { Random } from './random.ts';

/** One process of Easel: it can be stopped in its tracks and go on later, and be killed between any two of its calls. */
export type Process = Runner & {
	name: string;
	host: string;
	pid: number;
	state(): 'running' | 'paused' | 'gone';
	/** Does something in this process, now, or when it goes on. */
	enter(work: () => void, delivery?: string): void;
	/** A call to the outside: it takes its time both ways, and may meet its fate. */
	call<Result>(target: Target, what: string, effect: () => Promise<Result>, fault: () => Error): Promise<Result>;
	pause(): void;
	resume(): void;
	kill(why: string): void;
};

/** For how long a process is suspended that is to be taken for dead. */
const STALL_MS = { least: LEASE_MS, most: 3 * LEASE_MS };

/** How long after it was said to have failed a late call is done all the same. */
const LATE_MS = 2000;

export function createProcess(parts: {
	name: string;
	host: string;
	pid: number;
	skew: number;
	clock: Clock;
	computer: Computer<Process>;
	faults: Faults;
	random: Random;
	trace: (who: string, what: string) => void;
	/** Told when the process has ended by a kill. */
	ended: () => void;
}): Process {
	const { name, host, pid, skew, clock, computer, faults, random, trace } = parts;
	let state: 'running' | 'paused' | 'gone' = 'running';
	/** What waits for a paused process to go on. */
	let held: (() => void)[] = [];
	/** Calls on their way out, which a kill lets go through or not. */
	const leaving = new Map<Pending, () => void>();

	const ifHere = (work: () => void) => {
		if (state === 'paused') held.push(work);
		else if (state === 'running') work();
	};

	const process: Process = {
		name,
		host,
		pid,
		skew,
		state: () => state,
		timer(ms, work) {
			// Also one that is due already, and only waits for the process to go on, can be cancelled.
			let cancelled = false;
			const pending = clock.after(ms, () => ifHere(() => cancelled || work()));
			return {
				cancel() {
					cancelled = true;
					pending.cancel();
				},
			};
		},
		enter: (work, delivery) => ifHere(() => computer.run(process, work, delivery)),
		call: (target, what, effect, fault) => {
			const fate = state === 'gone' ? 'fine' : faults.fate(target, what);
			if (fate === 'dies-before') process.kill(`before ${what}`);
			if (state === 'gone') return new Promise(() => {});
			return new Promise((resolve, reject) => {
				const back = (answer: () => void) => void clock.after(faults.delay(target), () => ifHere(answer));
				const fail = () => back(() => reject(fault()));
				if (fate !== 'fine' && fate !== 'dies-after') trace(name, `${what} → ${fate}`);
				if (fate === 'fails') return fail();
				if (fate === 'late') fail();
				const arrive = AsyncLocalStorage.bind(
					() =>
						void effect().then(
							(result) => {
								if (fate === 'dies-after') return process.kill(`after ${what}`);
								if (fate === 'lost') return fail();
								if (fate !== 'late') back(() => resolve(result));
							},
							(error) => back(() => reject(error)),
						),
				);
				const way = faults.delay(target) + (fate === 'late' ? random.between(1, LATE_MS) : 0);
				const send = () => {
					const sent = clock.after(way, () => {
						leaving.delete(sent);
						arrive();
					});
					leaving.set(sent, arrive);
				};
				if (fate === 'stalls-before' || fate === 'stalls-after') {
					const stall = random.between(STALL_MS.least, STALL_MS.most);
					process.pause();
					clock.after(stall, () => process.resume());
					if (fate === 'stalls-before') return void clock.after(stall, () => ifHere(send));
				}
				send();
			});
		},
		pause() {
			if (state !== 'running') return;
			state = 'paused';
			trace(name, 'is paused');
		},
		resume() {
			if (state !== 'paused') return;
			state = 'running';
			trace(name, 'goes on');
			// What has come up meanwhile is done in any order, one thing after the other.
			const waiting = held;
			held = [];
			while (waiting.length > 0) {
				const [work] = waiting.splice(random.between(0, waiting.length - 1), 1);
				if (work) clock.after(0, () => ifHere(work));
			}
		},
		kill(why) {
			if (state === 'gone') return;
			state = 'gone';
			held = [];
			trace(name, `is killed ${why}`);
			for (const [sent, arrive] of leaving) {
				sent.cancel();
				if (random.chance(0.5)) arrive();
			}
			leaving.clear();
			parts.ended();
		},
	};
	return process;
}
