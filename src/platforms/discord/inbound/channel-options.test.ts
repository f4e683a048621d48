import { ChannelType } from 'discord.js';
import { describe, expect } from 'vitest';
import { test } from '../../../../test/harness/discord-easel.fixture.ts';

describe('the channels for notices and for the moderation log', () => {
	test.override({
		fakeOptions: {
			servers: [
				{
					members: { ada: { permissions: ['ManageGuild'] } },
					channels: [
						'general',
						{ name: 'news', type: ChannelType.GuildAnnouncement },
						{ name: 'lounge', type: ChannelType.GuildVoice },
						{ name: 'works', type: ChannelType.GuildCategory },
						{ name: 'forum', type: ChannelType.GuildForum },
					],
				},
			],
		},
	});

	test('are offered only if the bot can post in channels of their type', ({ discord, harness: _ }) => {
		const thread = discord.threads.create(discord.world.channel('general'), 'Notes', 'ada');
		const offered = ['general', 'news', 'lounge', 'works', 'forum', thread.id].filter((name) => {
			const { id } = discord.world.channel(name);
			return discord.user('ada').refuses('limits settings', { notices: id, log: id }) === undefined;
		});
		expect(offered).toEqual(['general', 'news', 'lounge', thread.id]);
	});

	test.for(['works', 'forum'])('cannot be a category or a forum: %s', async (name, { discord, ada }) => {
		const { id } = discord.world.channel(name);
		await ada.does('/limits settings', { log: id }).sees({
			text: new RegExp(`^I can't post in #${name}\\. Choose a text, announcement or voice channel, or a thread\\.$`),
			private: true,
		});
		await ada.does('/limits show').sees({ text: /Moderation log: off/, private: true });
	});
});
