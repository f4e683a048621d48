import type { Log } from '../../src/log.ts';
import { findMismatches } from '../../src/usage/verify.ts';
import { perform } from './events.ts';
import { RETENTION_MS } from './fixtures.ts';
import type { Mutation } from './mutations.ts';
import { ProcessPool } from './process-pool.ts';
import { checkFinalState } from './rules/final-checks.ts';
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

/** How long the run waits for everything to end once there are no more faults: longer than any call can take. */
const REST_MS = 260_000;

/** Runs one simulation, which follows from its seed alone. */
export function simulate(seed: number, log: Log, mutation: Mutation = {}): Promise<SimulationResult> {
	return new Simulation(seed, log, mutation).run();
}

class Simulation {
	readonly #seed: number;
	readonly #world: World;
	readonly #pool: ProcessPool;
	#steps = 0;

	constructor(seed: number, log: Log, mutation: Mutation) {
		this.#seed = seed;
		this.#world = new World(seed);
		this.#pool = new ProcessPool(this.#world, log, mutation);
	}

	async run(): Promise<SimulationResult> {
		const { runtime, trace, violations, model } = this.#world;
		try {
			await setUpServers(this.#world);
			await this.#runScenario();
			await this.#endFaults();
			await this.#recover();
			await this.#checkEnd();
		} finally {
			this.#pool.killAll('for good');
			runtime.restore();
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
	}

	/** Kills all processes, and waits until new ones have recovered what they left behind. */
	async #recover(): Promise<void> {
		this.#pool.killAll('at the end of the run');
		this.#world.trace.add('*', 'recovery begins');
		this.#pool.start(this.#world.scenario.processes);
		await this.#rest();
	}

	#rest(): Promise<void> {
		return this.#stepUntil(this.#world.clock.elapsed + REST_MS);
	}

	async #checkEnd(): Promise<void> {
		await this.#verify();
		const { store, model, service, platform } = this.#world;
		const state = await FinalState.read(store, model, service.record, platform);
		this.#world.report(checkFinalState(state));
	}

	async #stepUntil(end: number): Promise<void> {
		while (await this.#world.clock.step(end)) {
			this.#steps += 1;
			if (this.#steps % VERIFY_EVERY === 0) await this.#verify();
		}
	}

	/** Verifies the counters in the store itself, between two steps. */
	async #verify(): Promise<void> {
		const mismatches = await findMismatches({
			space: this.#world.store.space('ledger'),
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
