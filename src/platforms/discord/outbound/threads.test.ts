import { ChannelType } from 'discord.js';
import { describe, expect } from 'vitest';
import { apiErrors } from '../../../../packages/fakes/src/discord/api/errors.ts';
import type { DiscordFake } from '../../../../packages/fakes/src/discord/index.ts';
import { eventually } from '../../../../packages/fakes/src/eventually.ts';
import { type EaselFixture, test } from '../../../../test/harness/discord-platform.fixture.ts';
import type { Channel } from '../../../domain/channel.ts';

/** Opens a private thread for Ada. Returns it, or the error, which is also posted. */
async function openPrivateThread(discord: DiscordFake, easel: EaselFixture): Promise<Channel | Error> {
	const opened = Promise.withResolvers<Channel | Error>();
	await easel.start({
		invoke: async ({ channel }) => {
			await channel.openThread('A secret', { private: true }).then(opened.resolve, async (error: Error) => {
				await channel.post({ text: error.message, visibility: 'private' }, 'refused');
				opened.resolve(error);
			});
		},
	});
	await discord.user('ada').command('chat', {});
	return opened.promise;
}

describe('a thread', () => {
	test('starts from the response to a command, or beside the thread of the command', async ({ discord, easel }) => {
		const opened: Channel[] = [];
		await easel.start({
			invoke: async ({ channel }) =>
				void opened.push(await channel.openThread(`On *foxes*\nand ${'many '.repeat(30)}`)),
		});
		await discord.user('ada').command('chat', {});
		await eventually(() => expect(opened).toHaveLength(1));
		const [thread] = await discord.user('ada').threads();
		expect(thread).toMatchObject({
			title: expect.stringMatching(/^On \*foxes\* and many/),
			id: opened[0]?.place.thread,
		});
		expect(thread?.title.length).toBeLessThanOrEqual(100);
		await discord.user('ada', thread?.id).command('chat', {});
		await eventually(() => expect(opened).toHaveLength(2));
		expect(opened[1]?.place.channel).toBe(discord.world.channel().id);
	});

	describe('in a channel of another type', () => {
		test.override({
			fakeOptions: {
				servers: [
					{
						members: { ada: {} },
						channels: [
							{ name: 'news', type: ChannelType.GuildAnnouncement },
							{ name: 'forum', type: ChannelType.GuildForum },
						],
					},
				],
			},
		});

		test('is an announcement thread or a forum post', async ({ discord, easel }) => {
			const opened: (Channel | Error)[] = [];
			await easel.start({
				invoke: async ({ channel, options, id }) => {
					const opening = channel.openThread('On foxes', { private: options['private'] === true });
					opened.push(await opening.catch((error: Error) => error));
					await channel.post({ text: 'Done', visibility: 'private' }, id);
				},
			});
			const typeOf = (channel: Channel | Error | undefined) =>
				channel instanceof Error ? channel.message : discord.world.channel(channel?.place.thread).type;
			const ada = discord.user('ada', 'news');
			await ada.command('chat', {});
			await eventually(() => expect(opened.map(typeOf)).toEqual([ChannelType.AnnouncementThread]));
			await ada.in((opened[0] as Channel).place.thread ?? '').command('chat', {});
			const post = discord.threads.create(discord.world.channel('forum'), 'A post', 'ada');
			await ada.in(post).command('chat', {});
			await eventually(() => expect(opened).toHaveLength(3));
			await ada.in(post).command('imagine', { prompt: 'foxes', private: true });
			await eventually(() =>
				expect(opened.map(typeOf)).toEqual([
					...[ChannelType.AnnouncementThread, ChannelType.AnnouncementThread, ChannelType.PublicThread],
					'Channels of this kind have no private threads. Try another channel.',
				]),
			);
			expect((await ada.in(post).look()).map(({ text }) => text)).toEqual(['#On foxes', 'Done', 'Done']);
		});
	});

	describe.for([
		['open tags', [{ name: 'moderators', moderated: true }, { name: 'art' }, { name: 'talk' }]],
		['tags that only moderators may use', [{ name: 'moderators', moderated: true }]],
	] as const)('in a forum that requires a tag and has %s', ([, tags]) => {
		test.override({
			fakeOptions: {
				servers: [
					{
						members: { ada: {} },
						channels: [{ name: 'forum', type: ChannelType.GuildForum, requiresTag: true, tags }],
					},
				],
			},
		});

		test('has the tags of its post, else an open one, or is refused', async ({ discord, easel }) => {
			const forum = discord.world.channel('forum');
			const idOf = (name: string) => forum.tags.find((tag) => tag.name === name)?.id ?? '';
			const opened: (Channel | Error)[] = [];
			await easel.start({
				invoke: async ({ channel, id }) => {
					opened.push(await channel.openThread('On foxes').catch((error: Error) => error));
					await channel.post({ text: 'Done', visibility: 'private' }, id);
				},
			});
			for (const appliedTags of [[], [idOf('moderators')], [idOf('moderators'), idOf('talk')]]) {
				const post = Object.assign(discord.threads.create(forum, 'A post', 'ada'), { appliedTags });
				await discord.user('ada', post).command('chat', {});
			}
			await eventually(() => expect(opened).toHaveLength(3));
			const results = opened.map((one) =>
				one instanceof Error ? one.message : discord.world.channel(one.place.thread).appliedTags,
			);
			const refused = `Posts in <#${forum.id}> need a tag, and only moderators can use its tags. A moderator can add a tag that everyone can use.`;
			expect(results).toEqual(
				tags.length > 1 ? [[idOf('art')], [idOf('art')], [idOf('talk')]] : [refused, refused, refused],
			);
		});
	});

	describe('in a forum where the bot may not post', () => {
		test.override({
			fakeOptions: {
				servers: [
					{
						members: { ada: {} },
						channels: [{ name: 'forum', type: ChannelType.GuildForum, deny: { me: ['SendMessages'] } }],
					},
				],
			},
		});

		test('is refused with the permission that is missing', async ({ discord, easel }) => {
			const refused = Promise.withResolvers<Error>();
			await easel.start({
				invoke: async ({ channel, id }) => {
					await channel.openThread('On foxes').catch(refused.resolve);
					await channel.post({ text: 'Refused', visibility: 'private' }, id);
				},
			});
			const forum = discord.world.channel('forum');
			await discord.user('ada', discord.threads.create(forum, 'A post', 'ada')).command('chat', {});
			expect(await refused.promise).toMatchObject({
				name: 'PlatformRefusedError',
				message: `I can't create posts in <#${forum.id}>. A moderator can give me *Send Messages* there.`,
			});
		});
	});

	test.for([
		[
			'whose title AutoMod blocks',
			apiErrors.titleBlockedByAutoMod(),
			'AutoMod of this server blocks the title of the thread. Try other words.',
		],
		[
			'beyond the limit of the server',
			apiErrors.tooManyThreads(),
			'This server has as many open threads as it can have. Close some first.',
		],
		[
			'in a channel without threads',
			apiErrors.wrongChannelType(),
			'Channels of this kind have no threads. Try another channel.',
		],
	] as const)(
		'%s is refused in a sentence, and leaves no message',
		async ([_, answer, message], { discord, easel, texts }) => {
			discord.faults.add({ method: 'POST', path: /\/threads$/ }, { answer });
			const refused = Promise.withResolvers<Error>();
			await easel.start({
				invoke: ({ channel }) => channel.openThread('On foxes').then(() => {}, refused.resolve),
			});
			await discord.user('ada').command('chat', {});
			expect(await refused.promise).toMatchObject({ name: 'PlatformRefusedError', message });
			expect(await texts()).toEqual([]);
		},
	);

	test('that is not allowed leaves no message', async ({ discord, easel }) => {
		discord.world.overwrite(discord.world.channel(), 'me', 'deny', ['CreatePublicThreads']);
		await easel.start({
			invoke: async ({ channel, id }) => {
				await channel
					.openThread('On foxes')
					.catch(({ message }: Error) => channel.post({ text: message, visibility: 'private' }, id));
			},
		});
		await discord.user('ada').command('chat', {});
		await eventually(async () =>
			expect(await discord.user('ada').look()).toMatchObject([
				{ text: expect.stringMatching(/can't open threads here/), private: true },
			]),
		);
	});
});

describe('a private thread', () => {
	test('has the requester as its only member, and is announced to them only', async ({ discord, easel, texts }) => {
		const thread = await openPrivateThread(discord, easel);
		const place = { server: discord.world.server().id, channel: discord.world.channel().id };
		expect(thread).toMatchObject({ place: { ...place, thread: expect.any(String) } });
		expect(await discord.user('bjorn').threads()).toEqual([]);
		const [shown] = await discord.user('ada').threads();
		expect(shown).toMatchObject({ title: 'A secret' });
		expect(await discord.user('ada').look()).toMatchObject([{ text: '#A secret', private: true }]);
		expect(await texts('bjorn')).toEqual([]);
		expect([...(discord.world.channels.get(shown?.id ?? '')?.threadMembers ?? [])]).toEqual([
			discord.applicationId,
			discord.user('ada').account.id,
		]);
	});

	test('that is not allowed is refused in a sentence', async ({ discord, easel }) => {
		discord.world.overwrite(discord.world.channel(), 'me', 'deny', ['CreatePrivateThreads']);
		expect(await openPrivateThread(discord, easel)).toMatchObject({
			name: 'PlatformRefusedError',
			message: expect.stringMatching(/Create Private Threads/),
		});
		expect(await discord.user('ada').look()).toMatchObject([
			{ text: expect.stringMatching(/can't open private threads/), private: true },
		]);
	});
});

describe('the thread of a message', () => {
	const START = { method: 'POST', path: /^\/channels\/\d+\/messages\/\d+\/threads$/ };

	test('is found when Discord’s answer to its creation was lost', async ({ discord, easel, texts }) => {
		const opened = Promise.withResolvers<Channel>();
		await easel.start({ invoke: ({ channel }) => channel.openThread('Owls').then(opened.resolve, opened.reject) });
		discord.faults.serverError(START, { after: true });
		await discord.user('ada').command('chat', {});
		const { place } = await opened.promise;
		const threads = await discord.user('ada').threads();
		expect(threads.map(({ id }) => id)).toEqual([place.thread]);
		expect(await texts()).toEqual(['💬 Owls']);
	});
});
