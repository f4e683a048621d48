import { commands } from '../../commands/index.ts';
import { Bot } from '../../src/bot/bot.ts';
import { Easel } from '../../src/easel.ts';
import type { Log } from '../../src/log.ts';
import type { Store } from '../../src/store/store.ts';
import { SimulatedProcess } from './engine/process.ts';
import { createFakePlatform, emptyPlatform, type FakePlatform } from './fakes/platform.ts';
import { createFaultyStore } from './fakes/store.ts';
import { PLATFORMS, RETENTION_MS } from './fixtures.ts';
import type { Mutation } from './mutations.ts';
import type { World } from './world.ts';

/** A running bot with its process. */
export type Instance = {
	process: SimulatedProcess;
	bot: Bot;
	/** The platforms that it runs, by name. */
	platforms: ReadonlyMap<string, FakePlatform>;
};

/** The processes of a run. One that has ended is replaced some seconds later. */
export class ProcessPool {
	readonly #world: World;
	readonly #log: Log;
	readonly #mutation: Mutation;
	readonly #store: Store;
	readonly #instances: (Instance | undefined)[] = [];
	#started = 0;

	constructor(world: World, log: Log, mutation: Mutation) {
		this.#world = world;
		this.#log = log;
		this.#mutation = mutation;
		this.#store = mutation.store?.(world.store, () => world.clock.wall) ?? world.store;
	}

	/** The number of indices that have been used. */
	get size(): number {
		return this.#instances.length;
	}

	at(index: number): Instance | undefined {
		return this.#instances[index];
	}

	/** Returns the instances that have not ended. */
	running(): Instance[] {
		return this.#instances.filter((instance) => instance !== undefined);
	}

	killAll(reason: string): void {
		for (const instance of this.#instances) instance?.process.kill(reason);
	}

	/**
	 * Starts a process, unless one is running at this index. It receives events at once, as after a real start.
	 */
	start(index: number): void {
		if (this.#instances[index]) return;
		this.#started += 1;
		const { scenario, chance, clock, runtime, faults, random, trace, keeping, pauses } = this.#world;
		const name = `process-${index}.${this.#started}`;
		const process = new SimulatedProcess({
			name,
			clockSkewMs: chance.between(-1500, 1500),
			clock,
			runtime,
			faults,
			trace,
			random: random.fork(name),
			onFault: (call) => {
				keeping.addFault(call);
				pauses.addFault(call);
			},
			onEnd: () => this.#replace(index, process),
		});
		const names = scenario.platforms[index] ?? PLATFORMS;
		process.enter(() => {
			const platforms = new Map(names.map((each) => [each, this.#createPlatform(each, process)]));
			const bot = this.#createBot(process, platforms);
			this.#instances[index] = { process, bot, platforms };
			trace.add(name, `starts with ${names.join()}`);
			this.#startBot(bot).catch(() => process.kill('because its start failed'));
		});
	}

	#createPlatform(name: string, process: SimulatedProcess): FakePlatform {
		const { platform, trace, observeSending } = this.#world;
		return createFakePlatform(name, process, platform, trace, observeSending);
	}

	#createBot(process: SimulatedProcess, platforms: Instance['platforms']): Bot {
		const { scenario, service, observe, tables } = this.#world;
		const prices = scenario.prices?.[this.#started % scenario.prices.length];
		if (prices) tables.set(process, prices);
		const { platform, processStore, runsAllPlatforms } = this.#mutation;
		const store = createFaultyStore(process, this.#store, observe);
		const absent = runsAllPlatforms ? PLATFORMS.filter((name) => !platforms.has(name)) : [];
		const easel = new Easel({
			service: service.client,
			store: processStore?.(store) ?? store,
			platforms: [...platforms.values(), ...absent.map(emptyPlatform)].map((each) => platform?.(each) ?? each),
			log: this.#log,
			commands,
			plan: { ...scenario.plan, prices },
			pauseRule: scenario.pauseRule,
			now: () => Date.now(),
			retentionMs: RETENTION_MS,
		});
		return new Bot(easel);
	}

	async #startBot(bot: Bot): Promise<void> {
		await bot.start();
		if (this.#mutation.sweeps !== false) await bot.startSweeps();
	}

	#replace(index: number, process: SimulatedProcess): void {
		if (this.#instances[index]?.process !== process) return;
		const { clock, chance } = this.#world;
		this.#instances[index] = undefined;
		clock.schedule(chance.between(1000, 20_000), () => this.start(index));
	}
}
