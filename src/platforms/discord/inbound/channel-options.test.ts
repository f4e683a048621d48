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
		await ada.does('/limits show', { all: true }).sees({ text: /Moderation log: off/, private: true });
	});
});

describe('the channel of a cap', () => {
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

	test('is not offered as a category, and refused as one', async ({ discord, ada }) => {
		const { id } = discord.world.channel('works');
		const cap = { scope: 'channel', period: 'day', images: 1, channel: id };
		expect(discord.user('ada').refuses('limits set', cap)).toMatch('not one of the channels');
		await ada.does('/limits set', cap).sees({ text: /^#works is a category\. Choose a channel\.$/, private: true });
		await ada.does('/limits show').sees({ text: /No caps/, private: true });
	});

	test('is the channel of a thread', async ({ discord, ada, service }) => {
		const { id } = discord.threads.create(discord.world.channel('general'), 'Notes', 'ada');
		const cap = { scope: 'channel', period: 'day', channel: id };
		await ada.does('/limits set', { ...cap, images: 0 }).sees(/Set: #general: 0 calls a day/);
		await ada.does('/imagine', { prompt: 'a fox' }).sees(/This channel has used 0 of 0 calls today/);
		expect(service.requests).toEqual([]);
	});

	test('may be anything where a cap is removed, also one that was set for a thread before', async ({ discord }) => {
		const { id } = discord.world.channel('works');
		expect(discord.user('ada').refuses('limits clear', { scope: 'channel', period: 'day', channel: id })).toBe(
			undefined,
		);
	});
});
