import { SnowflakeUtil } from 'discord.js';
import { describe, expect } from 'vitest';
import type { DiscordFake } from '../../../../packages/fakes/src/discord/index.ts';
import { eventually } from '../../../../packages/fakes/src/eventually.ts';
import { test } from '../../../../test/harness/discord-platform.fixture.ts';
import type { Place } from '../../../domain/channel.ts';
import type { Inbox } from '../../../domain/platform.ts';

const HOUR_MS = 3600_000;

/** A core that has a conversation, and the texts that it hears. */
function listeningTo(...places: Place[]) {
	const heard: string[] = [];
	const inbox: Partial<Inbox> = {
		talks: async () => places.map((place) => ({ place })),
		hear: async ({ text }) => void heard.push(text),
	};
	return { heard, inbox };
}

const placeOf = ({ world }: DiscordFake, thread: string): Place => ({
	...{ platform: 'discord', server: world.server().id, channel: world.channel().id, thread },
});

describe('messages that were missed', () => {
	test('are the last twenty of a day, in order', async ({ discord, easel }) => {
		const thread = discord.threads.create(discord.world.channel(), 'Foxes', 'ada');
		const ada = discord.user('ada', thread);
		await ada.say('long ago');
		for (const message of thread.messages.values()) {
			thread.messages.delete(message.id);
			const id = String(SnowflakeUtil.generate({ timestamp: Date.now() - 25 * HOUR_MS }));
			thread.messages.set(id, Object.assign(message, { id }));
			break;
		}
		const { heard, inbox } = listeningTo();
		for (let number = 1; number <= 22; number++) await ada.say(`line ${number}`);
		discord.posts(thread, { content: 'a word of another app' });
		await easel.start({ ...inbox, talks: async () => [{ place: placeOf(discord, thread.id), last: '1' }] });
		const lines = Array.from({ length: 19 }, (_, index) => `line ${index + 4}`);
		await eventually(() => expect(heard).toEqual(lines));
	});

	test('are not asked for when a session goes on', async ({ discord, easel, requestsTo }) => {
		const thread = discord.threads.create(discord.world.channel(), 'Foxes', 'ada');
		const { heard, inbox } = listeningTo(placeOf(discord, thread.id));
		await easel.start(inbox);
		const isListed = () => requestsTo(/\/messages$/).length;
		await eventually(() => expect(isListed()).toBe(1));
		discord.gateway.close(4000);
		await discord.user('ada', thread).say('in between');
		await eventually(() => expect(heard).toEqual(['in between']));
		expect(isListed()).toBe(1);
	});

	test('are asked for by the shard of their server, and by the first one in direct messages', async ({
		discord,
		easel,
		requestsTo,
	}) => {
		const thread = discord.threads.create(discord.world.channel(), 'Foxes', 'ada');
		const place = placeOf(discord, thread.id);
		const ada = discord.user('ada').directMessages();
		await ada.say('hello?');
		const { server, platform } = place;
		const direct: Place = { platform, server, channel: ada.channel.id, direct: true };
		const listed = () =>
			[thread, ada.channel].map(({ id }) => requestsTo(new RegExp(`^/channels/${id}/messages$`)).length);
		for (const shard of [0, 1]) {
			const { promise, resolve } = Promise.withResolvers<void>();
			const talks = async () => {
				resolve();
				return [{ place }, { place: direct, last: '1' }];
			};
			await easel.start({ talks }, { shards: { shards: [shard], shardCount: 2 } });
			await promise;
		}
		await eventually(() => expect(listed()).toEqual([1, 1]));
	});

	test('without the Message Content intent are those that address the bot', async ({ discord, easel }) => {
		discord.settings.privileged.messageContent = false;
		const thread = discord.threads.create(discord.world.channel(), 'Foxes', 'ada');
		await discord.user('ada', thread).say('a secret');
		await discord.user('ada', thread).say('@Easel are you there?');
		const { heard, inbox } = listeningTo(placeOf(discord, thread.id));
		await easel.start(inbox);
		await eventually(() => expect(heard).toEqual(['are you there?']));
	});
});
