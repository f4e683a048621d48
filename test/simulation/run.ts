import { commands } from '../../commands/index.ts';
import type { Bot } from '../../src/bot/bot.ts';
import { createBot } from '../../src/bot/create-bot.ts';
import type { Limit } from '../../src/domain/limit.ts';
import type { Person } from '../../src/domain/person.ts';
import type { Platform } from '../../src/domain/platform.ts';
import type { Log } from '../../src/log.ts';
import { createStore } from '../../src/store/create-store.ts';
import { createDatabaseDriver } from '../../src/store/database/database-driver.ts';
import { MemoryDatabase } from '../../src/store/database/memory-database.ts';
import { MemoryFiles } from '../../src/store/files/memory-files.ts';
import type { Store } from '../../src/store/store.ts';
import { Ledger } from '../../src/usage/ledger.ts';
import { ServerAdmin } from '../../src/usage/server-admin.ts';
import { SettingsRepository } from '../../src/usage/settings-repository.ts';
import { createClock } from './clock.ts';
import { createComputer } from './computer.ts';
import { createFaults } from './faults.ts';
import { createModel, type Violation } from './model.ts';
import { createWall, PLATFORM, platformOf, type Shown } from './platform.ts';
import { createProcess, type Process } from './process.ts';
import { createRandom } from './random.ts';
import { endingViolations, loggedIn } from './rules.ts';
import { createFakeService } from './service.ts';
import { storeOf, type Witness } from './store.ts';
import { type Event, firstOrders, LOG, PEOPLE, SERVERS, type Server, tell, ZONES } from './story.ts';

/** What a run came to. */
export type Result = { seed: number; violations: Violation[]; trace: string[]; steps: number; requests: number };

/** A rule of the product, broken on purpose. */
export type Mutation = {
	store?: (store: Store, wall: () => number) => Store;
	platform?: (platform: Platform) => Platform;
	sweeps?: boolean;
};

/** In steps. */
const VERIFY_EVERY = 250;

/** Time that is left for everything to end by itself once no fault comes any more: longer than any call can take. */
const REST_MS = 260_000;

type Seat = { process: Process; bot: Bot; platform: ReturnType<typeof platformOf> };

/** One run: everything in it follows from the seed. */
export async function simulate(seed: number, log: Log, mutation: Mutation = {}): Promise<Result> {
	const random = createRandom(String(seed));
	const story = tell(random.fork('story'));
	const clock = createClock(story.start);
	const computer = createComputer<Process>(clock);
	const faults = createFaults(random.fork('faults'));
	const chance = random.fork('chance');
	const lines: string[] = [];
	const violations: Violation[] = [];
	const trace = (who: string, what: string) => {
		const time = (clock.elapsed() / 1000).toFixed(3).padStart(8);
		const said = what.replace(BY_CHANCE, '…');
		lines.push(`${time} ${new Date(clock.wall()).toISOString()} ${who}: ${said}`);
	};
	const found = (all: readonly Violation[]) => {
		for (const one of all) {
			violations.push(one);
			trace('!', `rule ${one.rule}: ${one.what}`);
		}
	};

	const memory = createStore(createDatabaseDriver(new MemoryDatabase(), () => new MemoryFiles()));
	const store = mutation.store?.(memory, clock.wall) ?? memory;
	const prompts = new Map<string, string>();
	const wall = createWall({
		most: story.picturesPerMessage,
		closed: story.closed,
		seen: (message) => void logged(message),
	});
	const model = createModel(story.plan, {
		rolesOf: (id) => PEOPLE.find((person) => person.id === id)?.roles ?? NOTHING,
		promptOf: (id) => prompts.get(id) ?? '',
		writer() {
			const by = computer.doing()?.by;
			return by && (() => by.state() !== 'gone');
		},
	});
	const service = createFakeService({
		clock,
		computer,
		faults,
		random: random.fork('service'),
		trace,
		accepted: (id) => {
			if ((service.books.accepted.get(id) ?? 0) > 1) found([{ rule: 2, what: `${id} was taken by the service again` }]);
		},
	});

	/** Looks at an entry of the moderators' log at the moment it is there. */
	async function logged({ key, place, buttons }: Shown): Promise<void> {
		if (place.channel !== LOG) return;
		const id = loggedIn(buttons);
		const isShown = [...wall.messages.values()].some(
			(message) => message.place.channel !== LOG && message.pictures.some(({ delivery }) => delivery === id),
		);
		if (isShown || (await memory.space('pictures').files.get(`kept:${id}:0`))) return;
		found([{ rule: 9, what: `${key} tells of what is neither delivered nor kept` }]);
	}

	/** Asks the store itself, while no process is at it. */
	const ledger = new Ledger({
		space: memory.space('ledger'),
		plan: story.plan,
		processId: '',
		now: clock.wall,
		settings: new SettingsRepository(memory.space('ledger'), clock.wall),
	});
	const differences = (all: Awaited<ReturnType<typeof ledger.verify>>): Violation[] =>
		all.map(({ key, counted, computed }) => ({
			rule: 5,
			what: `${key} is ${counted}; the ledger computes ${computed}`,
		}));

	const witness: Witness = async (space, change, done) => {
		const outcome = await done();
		if (space !== 'ledger' || outcome !== 'done') return outcome;
		found(model.see(change));
		for (const { key, by } of change.add ?? []) {
			if (by >= 0) continue;
			const value = (await memory.space('ledger').keyv.get<number>(key)) ?? 0;
			if (value < 0) found([{ rule: 6, what: `${key} is ${value}` }]);
		}
		return outcome;
	};

	const seats: (Seat | undefined)[] = [];
	let started = 0;
	let over = false;

	/** A new process in this seat; it takes events once it has said that it lives, as the real start does. */
	function start(index: number): void {
		if (over || seats[index]) return;
		started += 1;
		const name = `process-${index}.${started}`;
		const machine = story.containers ? { host: `host-${index}`, pid: 1 } : { host: 'host', pid: 100 + started };
		const process = createProcess({
			name,
			...machine,
			skew: chance.between(-1500, 1500),
			clock,
			computer,
			faults,
			trace,
			random: random.fork(name),
			ended: () => leave(index, process),
		});
		const platform = platformOf(process, wall, trace);
		process.enter(() => {
			const bot = createBot({
				commands,
				service: service.service,
				store: storeOf(process, store, witness),
				platforms: [mutation.platform?.(platform) ?? platform],
				log,
				plan: story.plan,
				self: { ...machine, isAlive: (pid) => seats.some((seat) => seat?.process.pid === pid) },
				now: () => Date.now(),
			});
			seats[index] = { process, bot, platform };
			trace(name, 'starts');
			void (async () => {
				await bot.start();
				if (mutation.sweeps !== false) await bot.sweep();
			})().catch(() => process.kill('as its start failed'));
		});
	}

	function leave(index: number, process: Process): void {
		if (seats[index]?.process !== process) return;
		seats[index] = undefined;
		clock.after(chance.between(1000, 20_000), () => start(index));
	}

	/** Brings an event to processes: mostly to one, sometimes twice, or to two at once. */
	function deliver(id: string, what: string, act: (seat: Seat) => Promise<void>): void {
		const to = (ms: number) =>
			clock.after(ms, () => {
				const able = seats.filter((seat) => seat !== undefined);
				if (able.length === 0) return;
				const seat = chance.pick(able);
				trace(seat.process.name, `hears ${id}: ${what}`);
				seat.process.enter(() => void act(seat), id);
			});
		to(chance.between(0, 3000));
		if (chance.chance(0.25)) to(chance.pick([0, chance.between(0, 3000), chance.between(0, 40_000)]));
	}

	const sceneOf = ({ server, channel, who }: { server: Server; channel: string; who: string }) => ({
		place: { platform: PLATFORM, server, channel },
		person: PEOPLE.find(({ id }) => id === who) as Person,
	});

	function happen(event: Event): unknown {
		switch (event.kind) {
			case 'command': {
				const { id, command, options } = event;
				const { place, person } = sceneOf(event);
				prompts.set(id, String(options['prompt']));
				const what = `/${command} ${JSON.stringify(options)} by ${person.id} in ${place.server}/${place.channel}`;
				return deliver(id, what, ({ bot, platform }) =>
					bot.invoke({ id, command, options, person, channel: platform.open(place) }),
				);
			}
			case 'press': {
				const { place, person } = sceneOf(event);
				const buttons = [...wall.messages.values()]
					.filter((message) => message.place.server === event.server)
					.flatMap((message) => message.buttons.map((button) => ({ button: button.id, message })))
					.filter(({ button }) => button.startsWith(event.action));
				if (buttons.length === 0) return undefined;
				const { button, message } = chance.pick(buttons);
				prompts.set(event.id, prompts.get(button.split(':')[2] ?? '') ?? '');
				// What waits is collected by whom it waits for, who has asked for it.
				const asker = story.events.find((other) => other.kind === 'command' && other.id === message.key);
				const presser = event.action === 'collect' && asker?.kind === 'command' ? sceneOf(asker).person : person;
				return deliver(event.id, `${button} pressed by ${presser.id}`, ({ bot, platform }) =>
					bot.press({
						id: event.id,
						button,
						person: presser,
						channel: platform.open(place),
						attached: [],
						open: async () => {},
						message: { place: message.place, key: message.key },
					}),
				);
			}
			case 'kill':
				return seats[event.process]?.process.kill('by somebody');
			case 'pause': {
				const process = seats[event.process]?.process;
				process?.pause();
				return clock.after(event.ms, () => process?.resume());
			}
			case 'stop': {
				const seat = seats[event.process];
				if (!seat) return undefined;
				trace(seat.process.name, 'is told to stop');
				return seat.process.enter(() => void seat.bot.stop(7000).then(() => seat.process.kill('by its own end')));
			}
			case 'jump':
				clock.jump(event.ms);
				return trace('clock', `jumps by ${event.ms / 1000} s`);
			case 'to-boundary': {
				const today = Temporal.Instant.fromEpochMilliseconds(clock.wall()).toZonedDateTimeISO(event.zone).toPlainDate();
				const next = today.with({ day: 1 }).add({ months: 1 }).toZonedDateTime(event.zone).epochMilliseconds;
				clock.jump(next - event.beforeMs - clock.wall());
				return trace('clock', `jumps to the end of the month in ${event.zone}`);
			}
		}
	}

	let steps = 0;
	async function until(end: number): Promise<void> {
		while (await clock.step(end)) {
			steps += 1;
			if (steps % VERIFY_EVERY === 0) found(differences(await ledger.verify()));
		}
	}

	try {
		await setUp();
		for (let index = 0; index < story.processes; index += 1) start(index);
		wall.wordsOnly = story.wordsOnlyMs > 0;
		clock.after(story.wordsOnlyMs, () => {
			wall.wordsOnly = false;
		});
		for (const event of story.events) clock.after(event.at, () => happen(event));
		await until(story.lasts);

		trace('*', 'nothing goes wrong any more');
		faults.end();
		service.end();
		for (const seat of seats) if (chance.chance(0.5)) seat?.process.resume();
		await until(clock.elapsed() + REST_MS);
		over = true;
		for (const seat of seats) seat?.process.kill('at the end of the run');
		over = false;
		trace('*', 'recovery');
		start(story.processes);
		await until(clock.elapsed() + REST_MS);

		found(differences(await ledger.verify()));
		found(await endingViolations({ store: memory, model, books: service.books, wall }));
	} finally {
		for (const seat of seats) seat?.process.kill('for good');
		computer.restore();
	}
	return { seed, violations, trace: lines, steps, requests: model.taken.size };

	/** Time zones and first caps, before anything can go wrong. */
	async function setUp(): Promise<void> {
		const space = memory.space('ledger');
		const watched = {
			...space,
			commit: (change: Parameters<typeof space.commit>[0]) => witness('ledger', change, () => space.commit(change)),
		};
		const settings = new SettingsRepository(watched, clock.wall);
		const ledger = new Ledger({ space: watched, settings, plan: story.plan, processId: '', now: clock.wall });
		const by = { id: 'mo', name: 'Mo' };
		for (const server of SERVERS) {
			const place = { platform: PLATFORM, server, channel: 'lobby' };
			const serverAdmin = new ServerAdmin(
				{ settings, ledger, report: () => Promise.reject(new TypeError()), now: clock.wall },
				place,
				by,
			);
			await serverAdmin.change('limits settings', (before) => ({
				...before,
				timeZone: ZONES[server],
				...(story.logs && { logChannel: LOG }),
			}));
			for (const { command, options } of firstOrders(random.fork(server))) {
				if (command === 'limits overage')
					await serverAdmin.change(command, (before) => ({ ...before, overageMills: Number(options['usd']) * 1000 }));
				else await serverAdmin.setLimit(limitOf(options));
			}
		}
	}
}

/** References and the names of leases are drawn anew each time, whatever the seed. */
const BY_CHANCE = /(?<=reference )[0-9a-f]{8}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

const NOTHING: readonly string[] = [];

function limitOf(options: Record<string, unknown>): Limit {
	const target = options[String(options['scope'])];
	return {
		scope: options['scope'] as Limit['scope'],
		period: options['period'] as Limit['period'],
		images: Number(options['images']),
		...(target !== undefined && { target: String(target) }),
	};
}
