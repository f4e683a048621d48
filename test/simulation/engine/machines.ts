import {
	createLocalProcess,
	type LocalProcess,
	type ProcessStat,
} from '../../../src/usage/processes/process-identity.ts';
import type { Random } from './random.ts';

/**
 * Where processes run:
 *
 * - `one-machine`: in one process table
 * - `containers`: each as process 1 of a container on the same machine
 * - `machines`: each as process 1 of a machine of its own
 */
export type Hosting = 'one-machine' | 'containers' | 'machines';

/** A process as its machine knows it. */
export type MachineProcess = { self: LocalProcess; end(): void };

/** The lowest number of a process on `one-machine`. Few numbers are in use, so that they are given again soon. */
const FIRST_PID = 100;

/** The machines of a run, with their process tables. */
export class Machines {
	readonly #hosting: Hosting;
	readonly #random: Random;
	/** By boot and namespace. */
	readonly #tables = new Map<string, Map<number, ProcessStat>>();
	#started = 0;

	constructor(hosting: Hosting, random: Random) {
		this.#hosting = hosting;
		this.#random = random;
	}

	start(index: number): MachineProcess {
		this.#started += 1;
		const place = this.#placeOf(index);
		const name = `${place.boot} ${place.namespace}`;
		// A container that starts again under the same name has a new process table.
		const table =
			(this.#hosting === 'containers' ? undefined : this.#tables.get(name)) ?? new Map<number, ProcessStat>();
		this.#tables.set(name, table);
		let pid = this.#hosting === 'one-machine' ? FIRST_PID : 1;
		if (this.#hosting !== 'one-machine') table.clear();
		while (table.has(pid)) pid += 1;
		const startTicks = String(this.#started);
		table.set(pid, { state: 'S', startTicks });
		return {
			self: createLocalProcess({ ...place, pid, startTicks }, (other) => table.get(other) ?? 'gone'),
			end: () => {
				// Its parent collects it, or leaves a zombie.
				if (this.#random.chance(0.5)) table.delete(pid);
				else table.set(pid, { state: 'Z', startTicks });
			},
		};
	}

	#placeOf(index: number): { boot: string; namespace: string } {
		if (this.#hosting === 'machines') return { boot: `boot-${index}`, namespace: 'pid:[1]' };
		if (this.#hosting === 'one-machine') return { boot: 'boot', namespace: 'pid:[1]' };
		// The system gives the number of a namespace again when it is free.
		const number = this.#random.chance(0.5) ? index : this.#started + 100;
		return { boot: 'boot', namespace: `pid:[${number}]` };
	}
}
