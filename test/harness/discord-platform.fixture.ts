import type { REST } from 'discord.js';
import { Keyv } from 'keyv';
import { pino } from 'pino';
import { test as base, expect } from 'vitest';
import {
	type DiscordFake,
	type DiscordOptions as FakeOptions,
	type RecordedRequest,
	startDiscord,
} from '../../packages/fakes/src/discord/index.ts';
import type { Inbox, Invocation, Platform } from '../../src/domain/platform.ts';
import type { Log } from '../../src/log.ts';
import type { DiscordOptions } from '../../src/platforms/discord/discord.ts';
import { createDiscord, createRest, registerCommands } from '../../src/platforms/discord/index.ts';
import { COMMANDS } from './commands.ts';

type Fixtures = {
	/** Options of the fake, for `test.override`. */
	fakeOptions: FakeOptions;
	commands: DiscordOptions['commands'];
	/** A fake Discord with the commands registered. */
	discord: DiscordFake;
	keyv: Keyv;
	/** The messages of warnings and errors that were logged. */
	logged: string[];
	log: Log;
	rest: REST;
	easel: EaselFixture;
	/** Returns the texts that a user sees, Ada by default. */
	texts: (person?: string) => Promise<string[]>;
	requestsTo: (path: RegExp) => RecordedRequest[];
};

/** A test of Easel's Discord platform, with a core that the test writes. */
export const test = base.extend<Fixtures>({
	fakeOptions: {},
	commands: [COMMANDS, { scope: 'test' }],
	discord: async ({ fakeOptions, commands, log }, use) => {
		const discord = await startDiscord({ pace: 0.02, ...fakeOptions });
		await registerCommands({ rest: createRest({ token: discord.token, apiUrl: discord.api, log }), commands });
		await use(discord);
		await discord.close();
		expect(discord.violations).toEqual([]);
	},
	// biome-ignore lint/correctness/noEmptyPattern: vitest requires a pattern here.
	keyv: ({}, use) => use(new Keyv()),
	// biome-ignore lint/correctness/noEmptyPattern: vitest requires a pattern here.
	logged: ({}, use) => use([]),
	log: ({ logged }, use) =>
		use(pino({ level: 'warn' }, { write: (line: string) => logged.push(JSON.parse(line).msg) })),
	rest: ({ discord, log }, use) => use(createRest({ token: discord.token, apiUrl: discord.api, log })),
	easel: async ({ discord, commands, keyv, log }, use) => {
		const easel = new EaselFixture(discord, { commands, keyv, log });
		await use(easel);
		await easel.stop();
	},
	texts: ({ discord }, use) =>
		use(async (person = 'ada') => (await discord.user(person).look()).map(({ text }) => text)),
	requestsTo: ({ discord }, use) => use((path) => discord.requests.filter((request) => path.test(request.path))),
});

/** Instances of the platform, all of them on the same fake and store. */
export class EaselFixture {
	readonly #discord: DiscordFake;
	readonly #options: Pick<DiscordOptions, 'commands' | 'keyv' | 'log'>;
	readonly #platforms: Platform[] = [];
	readonly #claimed = new Set<string>();

	constructor(discord: DiscordFake, options: Pick<DiscordOptions, 'commands' | 'keyv' | 'log'>) {
		this.#discord = discord;
		this.#options = options;
	}

	create(options: Partial<DiscordOptions> = {}): Platform {
		const { token, api, cdn } = this.#discord;
		const platform = createDiscord({
			token,
			apiUrl: api,
			attachmentOrigins: [new URL(cdn).origin],
			shards: 'auto',
			messageContent: true,
			register: false,
			claim: async (key) => !this.#claimed.has(key) && this.#claimed.add(key).has(key),
			...this.#options,
			...options,
		});
		this.#platforms.push(platform);
		return platform;
	}

	/** Starts an instance with a core of which the test gives the parts that it needs. */
	async start(inbox: Partial<Inbox>, options: Partial<DiscordOptions> = {}): Promise<Platform> {
		const platform = this.create(options);
		const ignore = async () => {};
		await platform.start({
			invoke: ignore,
			press: ignore,
			hear: ignore,
			posted: ignore,
			changed: ignore,
			forget: ignore,
			joined: ignore,
			renamed: ignore,
			suggest: async () => [],
			form: async () => ({}),
			moderates: async ({ moderator }) => moderator,
			home: async () => ({ text: '', recent: [] }),
			talks: async () => [],
			...inbox,
		});
		return platform;
	}

	/** Starts an instance that holds the first invocation, which can be answered until `release` is called. */
	async hold(deferAfterMs?: number) {
		const { promise: taken, resolve: take } = Promise.withResolvers<Invocation>();
		const { promise: end, resolve: release } = Promise.withResolvers<void>();
		const invoke = (invocation: Invocation) => {
			take(invocation);
			return end;
		};
		const platform = await this.start({ invoke }, deferAfterMs === undefined ? {} : { deferAfterMs });
		return { platform, taken, release };
	}

	/** As `hold`, for a request of Ada's that is responded to with “Drawing” under the key `k`. */
	async holdWithResponse() {
		const { platform, taken, release } = await this.hold();
		const responded = taken.then(async (invocation) => {
			await invocation.channel.post({ text: 'Drawing' }, 'k');
			return invocation;
		});
		const [{ id, channel }] = await Promise.all([
			responded,
			this.#discord.user('ada').command('imagine', { prompt: 'a fox' }),
		]);
		return { platform, id, channel, release };
	}

	async stop(): Promise<void> {
		for (const platform of this.#platforms) await platform.stop();
	}
}
