import { test as base } from 'vitest';
import { Actor } from '../../packages/fakes/src/actor.ts';
import type { DiscordFake, DiscordOptions } from '../../packages/fakes/src/discord/index.ts';
import type { Channel } from '../../packages/fakes/src/discord/world/model.ts';
import { type FaultyService, startFaultyService } from '../../packages/fakes/src/service.ts';
import { openDiscordHarness } from './discord.ts';
import type { PlatformHarness } from './platform.ts';

type Fixtures = {
	/** Options of the fake, for `test.override`. */
	fakeOptions: DiscordOptions;
	service: FaultyService;
	harness: PlatformHarness & { discord: DiscordFake };
	discord: DiscordFake;
	ada: Actor;
	bjorn: Actor;
	/** Returns a user in another channel or thread. */
	inChannel: (person: string, channel: string | Channel) => Actor;
	/** Returns a user in the bot's direct messages. */
	inDirectMessages: (person: string) => Actor;
};

/** A test of the whole of Easel on a fake Discord, with a service that the test scripts. */
export const test = base.extend<Fixtures>({
	fakeOptions: {},
	// biome-ignore lint/correctness/noEmptyPattern: vitest requires a pattern here.
	service: async ({}, use) => {
		const service = await startFaultyService();
		await use(service);
		await service.close();
	},
	harness: async ({ service, fakeOptions }, use) => {
		const harness = await openDiscordHarness(service.url, fakeOptions);
		await use(harness);
		await harness.close();
	},
	discord: ({ harness }, use) => use(harness.discord),
	ada: ({ harness }, use) => use(new Actor(harness.user('ada'))),
	bjorn: ({ harness }, use) => use(new Actor(harness.user('bjorn'))),
	inChannel: ({ discord }, use) => use((person, channel) => new Actor(discord.user(person, channel))),
	inDirectMessages: ({ discord }, use) => use((person) => new Actor(discord.user(person).directMessages())),
});
