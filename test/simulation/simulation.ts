import type { Log } from '../../src/log.ts';
import { membersOf } from '../../src/store/store.ts';
import { OPEN_JOBS } from '../../src/usage/jobs.ts';
import { findMismatches } from '../../src/usage/windows.ts';
import { perform } from './events.ts';
import { CHANNELS, PEOPLE, RETENTION_MS, SERVERS } from './fixtures.ts';
import type { Mutation } from './mutations.ts';
import { ProcessPool } from './process-pool.ts';
import { checkFinalState, checkRunningProcesses } from './rules/final-checks.ts';
import { FinalState } from './rules/final-state.ts';
import type { Violation } from './rules/model.ts';
import { setUpServers } from './setup.ts';
import { World } from './world.ts';

export type SimulationResult = {
	seed: number;
	violations: Violation[];
	trace: string[];
	steps: number;
	/** How many requests were counted. */
	requests: number;
};

/** How many steps lie between two verifications of the counters. */
const VERIFY_EVERY = 250;

/** How long the run waits for everything to end once there are no more faults: longer than any call can take, and then the review of its pictures. */
const REST_MS = 320_000;

/** The requests that are under way when all processes are killed, and how long they are. */
const LAST_REQUESTS = 2;
const LAST_REQUESTS_MS = 4000;

/** A lease and the time between two sweeps, with clocks that disagree, and the work itself. */
const ANSWERED_MS = 25_000;

/** Runs one simulation, which follows from its seed alone. */
export function simulate(seed: number, log: Log, mutation: Mutation = {}): Promise<SimulationResult> {
	return new Simulation(seed, log, mutation).run();
}

class Simulation {
	readonly #seed: number;
	readonly #world: World;
	readonly #pool: ProcessPool;
	readonly #mutation: Mutation;
	#steps = 0;

	constructor(seed: number, log: Log, mutation: Mutation) {
		this.#seed = seed;
		this.#mutation = mutation;
		this.#world = new World(seed);
		this.#pool = new ProcessPool(this.#world, log, mutation);
	}

	async run(): Promise<SimulationResult> {
		const { runtime, trace, violations, model } = this.#world;
		const restore = this.#mutation.patch?.();
		try {
			await setUpServers(this.#world);
			await this.#runScenario();
			await this.#endFaults();
			await this.#recover();
			await this.#checkEnd();
		} finally {
			this.#pool.killAll('for good');
			runtime.restore();
			restore?.();
		}
		return { seed: this.#seed, violations, trace: trace.lines, steps: this.#steps, requests: model.calls.size };
	}

	async #runScenario(): Promise<void> {
		const { scenario, clock, platform } = this.#world;
		for (let index = 0; index < scenario.processes; index += 1) this.#pool.start(index);
		platform.isTextOnly = scenario.textOnlyMs > 0;
		clock.schedule(scenario.textOnlyMs, () => {
			platform.isTextOnly = false;
		});
		for (const event of scenario.events) clock.schedule(event.at, () => perform(event, this.#world, this.#pool));
		await this.#stepUntil(scenario.durationMs);
	}

	/** Ends all faults, resumes some of the suspended processes, and waits for everything to end. */
	async #endFaults(): Promise<void> {
		const { faults, service, chance, trace } = this.#world;
		trace.add('*', 'faults end');
		faults.end();
		service.end();
		for (let index = 0; index < this.#pool.size; index += 1)
			if (chance.chance(0.5)) this.#pool.at(index)?.process.resume();
		await this.#rest();
		this.#world.report(checkRunningProcesses(await FinalState.read(this.#world)));
	}

	/** Kills all processes while they work, and waits until new ones have recovered what they left behind. */
	async #recover(): Promise<void> {
		const { chance, clock } = this.#world;
		for (let index = 0; index < LAST_REQUESTS; index += 1) {
			const author = { who: chance.pick(PEOPLE).id, server: chance.pick(SERVERS), channel: chance.pick(CHANNELS) };
			const request = { command: 'imagine', options: { prompt: `last ${index}` }, ...author };
			perform({ at: 0, kind: 'command', id: `last-${index}`, ...request }, this.#world, this.#pool);
		}
		await this.#stepUntil(clock.elapsed + LAST_REQUESTS_MS);
		this.#pool.killAll('at the end of the run');
		this.#world.trace.add('*', 'recovery begins');
		this.#pool.start(this.#world.scenario.processes);
		await this.#stepUntil(clock.elapsed + ANSWERED_MS);
		await this.#checkNothingIsAbandoned();
		await this.#rest();
	}

	/** Checks that what the killed processes had left behind is answered. */
	async #checkNothingIsAbandoned(): Promise<void> {
		const { store, model } = this.#world;
		const open = await Array.fromAsync(membersOf(store.space('ledger'), OPEN_JOBS));
		const abandoned = open.filter((id) => model.isAbandoned(id));
		this.#world.report(abandoned.map((id) => ({ rule: 14, description: `${id} is open after ${ANSWERED_MS} ms` })));
	}

	#rest(): Promise<void> {
		return this.#stepUntil(this.#world.clock.elapsed + REST_MS);
	}

	async #checkEnd(): Promise<void> {
		await this.#verify();
		this.#world.report(checkFinalState(await FinalState.read(this.#world)));
	}

	async #stepUntil(end: number): Promise<void> {
		while (await this.#world.clock.step(end)) {
			this.#steps += 1;
			if (this.#steps % VERIFY_EVERY === 0) await this.#verify();
		}
	}

	/** Verifies the counters in the store itself, between two steps. */
	async #verify(): Promise<void> {
		const mismatches = await findMismatches(this.#world.store.space('ledger'), {
			now: () => this.#world.clock.wall,
			retentionMs: RETENTION_MS,
		});
		this.#world.report(
			mismatches.map(({ key, counted, computed }) => ({
				rule: 5,
				description: `${key} is ${counted}; the ledger computes ${computed}`,
			})),
		);
	}
}
