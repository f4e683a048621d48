import { describe, expect } from 'vitest';
import { eventually } from '../../../../packages/fakes/src/eventually.ts';
import { pngFile } from '../../../../packages/fakes/src/pictures.ts';
import { type EaselFixture, test } from '../../../../test/harness/discord-platform.fixture.ts';
import type { Channel } from '../../../domain/channel.ts';
import type { PlaceScope } from '../../../domain/place.ts';
import type { IncomingMessage, MessageChange } from '../../../domain/platform.ts';

/** Starts an instance that collects what the core receives. */
async function listen(easel: EaselFixture) {
	const heard: IncomingMessage[] = [];
	const changes: MessageChange[] = [];
	const forgotten: PlaceScope[] = [];
	const joined: PlaceScope[] = [];
	const platform = await easel.start({
		hear: async (message) => void heard.push(message),
		changed: async (change) => void changes.push(change),
		forget: async (scope) => void forgotten.push(scope),
		joined: async (server) => void joined.push(server),
	});
	return { platform, heard, changes, forgotten, joined };
}

describe('messages', () => {
	test('in channels are heard when they address the bot, without its mention', async ({ discord, easel }) => {
		const { heard } = await listen(easel);
		await discord.user('bjorn').say('hello all');
		await discord.user('ada').say('@Easel hello @Björn', [await pngFile()]);
		await eventually(() => expect(heard).toHaveLength(1));
		expect(heard[0]).toMatchObject({ addressed: true, toOthers: true, person: { name: 'Ada', moderator: true } });
		expect(heard[0]?.text).toMatch(/^hello @Björn$/);
		expect(heard[0]?.uploads.map(({ name }) => name)).toEqual(['picture.png']);
	});

	test('in threads are all heard, with their edits and deletions, until the thread is deleted', async ({
		discord,
		easel,
	}) => {
		const { platform, heard, changes, forgotten } = await listen(easel);
		const thread = discord.threads.create(discord.world.channel(), 'Foxes', 'ada');
		const bjorn = discord.user('bjorn', thread);
		await bjorn.say('are they red?');
		await eventually(() => expect(heard).toHaveLength(1));
		const place = {
			platform: 'discord',
			server: discord.world.server().id,
			channel: discord.world.channel().id,
			thread: thread.id,
		};
		expect(heard[0]).toMatchObject({ text: 'are they red?', addressed: false, toOthers: false, channel: { place } });
		expect(heard[0]?.person.moderator).toBe(false);

		const channel = (await platform.channel(place)) as Channel;
		await channel.typing?.();
		expect(bjorn.typing()).toBe(true);
		await channel.post({ text: 'They are.' }, 'answer');
		const [own, ours] = await bjorn.look();
		if (own) await bjorn.rewrite(own, 'are they blue?');
		if (own) await bjorn.erase(own);
		if (ours) await discord.user('ada', thread).erase(ours);
		await eventually(() =>
			expect(changes).toEqual([
				{ id: own?.id, place, text: 'are they blue?' },
				{ id: own?.id, place },
				{ id: 'answer', place },
			]),
		);

		discord.threads.change(thread, { archived: true });
		await channel.post({ text: 'Awake' }, 'wakes');
		discord.threads.change(thread, { archived: true, locked: true });
		expect(await platform.channel(place)).toBeUndefined();
		discord.threads.delete(thread);
		await eventually(() => expect(forgotten).toEqual([place]));
	});

	test('servers that remove the bot are forgotten, and those that invite it or have it are joined', async ({
		discord,
		easel,
	}) => {
		const { forgotten, joined } = await listen(easel);
		const { id } = discord.world.server();
		const server = { platform: 'discord', server: id };
		await eventually(() => expect(joined).toEqual([server]));
		discord.gateway.dispatch('GUILD_DELETE', { id, unavailable: true }, { server: id });
		discord.removeApplication();
		await eventually(() => expect(forgotten).toEqual([server]));
	});

	test('that mention the bot are heard without the Message Content intent', async ({ discord, logged, easel }) => {
		discord.settings.privileged.messageContent = false;
		const { platform, heard } = await listen(easel);
		expect(platform.state()).toBe('ready');
		expect(logged.join()).toMatch(
			/turn on Message Content Intent .* or set DISCORD_MESSAGE_CONTENT=off\..*only what mentions the bot/,
		);
		expect(discord.gateway.counts.identified).toBe(2);
		const thread = discord.threads.create(discord.world.channel(), 'Foxes', 'ada');
		await discord.user('ada', thread).say('psst');
		await discord.user('ada', thread).say('@Easel hello');
		await eventually(() => expect(heard.map(({ text }) => text)).toEqual(['hello']));
	});
});
