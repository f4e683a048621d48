import { describe, expect } from 'vitest';
import { apiErrors } from '../../../../test/fakes/discord/api/errors.ts';
import type { DiscordFake } from '../../../../test/fakes/discord/index.ts';
import { type EaselFixture, test } from '../../../../test/harness/discord-platform.fixture.ts';
import { eventually } from '../../../../test/harness/eventually.ts';
import type { Channel } from '../../../domain/channel.ts';

const LIMIT = 20;
const invalidRequests = { limit: LIMIT, reserve: 5 };

/** Starts the bot with a low limit of invalid requests. Returns the platform and its first channel. */
async function start(discord: DiscordFake, easel: EaselFixture, onInvalidRequest = (_: number) => {}) {
	const platform = await easel.start(
		{ invoke: async ({ channel, id }) => void (await channel.post({ text: 'Answered' }, id)) },
		{ invalidRequests, onInvalidRequest },
	);
	const place = { platform: 'discord', server: discord.world.server().id, channel: discord.world.channel().id };
	return { platform, place, channel: (await platform.channel(place)) as Channel };
}

/** Returns the messages of the errors of posts, one after another. */
async function errorsOf(count: number, post: (index: number) => Promise<unknown> | undefined): Promise<string[]> {
	const errors: string[] = [];
	for (let index = 0; index < count; index++)
		await post(index)?.catch(({ message }: Error) => void errors.push(message));
	return errors;
}

describe('a bot that Discord bans after 20 invalid requests', () => {
	test.override({ fakeOptions: { invalidRequestLimit: LIMIT } });

	test('stops asking where it may not post, until a permission changes', async ({
		discord,
		easel,
		texts,
		requestsTo,
	}) => {
		const { channel } = await start(discord, easel);
		const general = discord.world.channel();
		discord.world.overwrite(general, 'me', 'deny', ['SendMessages']);
		const errors = await errorsOf(30, (index) => channel.post({ text: 'Hello' }, `${index}`));
		expect(new Set(errors)).toEqual(new Set([expect.stringMatching(/^I can't post in <#\d+>\./)]));
		expect(errors).toHaveLength(30);
		await expect(channel.typing?.()).rejects.toThrow();
		expect(requestsTo(/\/(messages|typing)$/)).toHaveLength(1);

		discord.overwrite(general, 'me', 'allow', ['SendMessages']);
		await eventually(() => channel.post({ text: 'Hello' }, 'k'));
		expect(await texts()).toEqual(['Hello']);
	});

	test('posts a text where only files are refused', async ({ discord, easel, texts, requestsTo }) => {
		const { channel } = await start(discord, easel);
		discord.world.overwrite(discord.world.channel(), 'me', 'deny', ['AttachFiles']);
		const files = [{ name: 'a.txt', bytes: Buffer.from('a') }];
		expect(await errorsOf(30, (index) => channel.post({ text: 'A file', files }, `${index}`))).toHaveLength(30);
		expect(requestsTo(/\/messages$/)).toHaveLength(1);
		await channel.post({ text: 'A text' }, 'k');
		expect(await texts()).toEqual(['A text']);
	});

	test('stops asking for a channel that it cannot see', async ({ discord, easel, requestsTo }) => {
		const { platform, place } = await start(discord, easel);
		const gallery = discord.world.channel('gallery');
		discord.world.overwrite(gallery, 'me', 'deny', ['ViewChannel']);
		const open = () => platform.channel({ ...place, channel: gallery.id });
		for (let count = 0; count < 30; count++) expect(await open()).toBeUndefined();
		expect(requestsTo(new RegExp(`/${gallery.id}$`))).toHaveLength(1);
		discord.overwrite(gallery, 'me', 'allow', ['ViewChannel']);
		await eventually(async () => expect(await open()).toBeDefined());
	});

	test('keeps a reserve, in which it only answers interactions', async ({ discord, easel, logged, texts }) => {
		const counted: number[] = [];
		const { platform, place } = await start(discord, easel, (status) => void counted.push(status));
		const bjorn = discord.world.person('bjorn');
		bjorn.blocksDirectMessages = true;
		const direct = await platform.direct(place, bjorn);
		const errors = await errorsOf(30, (index) => direct?.post({ text: 'Hello' }, `${index}`));
		expect(errors).toHaveLength(30);
		expect(errors[0]).toMatch(/^Your settings block direct messages/);
		expect(errors.at(-1)).toBe('Discord has refused too many of my requests. Try again in 10 minutes.');
		expect(counted).toEqual(Array.from({ length: 15 }, () => 403));
		expect(logged).toContainEqual(expect.stringMatching(/pauses requests/));
		await discord.user('ada').command('imagine', { prompt: 'a fox' });
		expect(await texts()).toEqual(['Answered']);
	});

	test('does not count the rate limits of a resource that others share', async ({ discord, easel, texts }) => {
		const counted: number[] = [];
		const { channel } = await start(discord, easel, (status) => void counted.push(status));
		discord.faults.add({ method: 'POST', path: /messages$/ }, { answer: apiErrors.sharedRateLimit() }, LIMIT);
		await channel.post({ text: 'Hello' }, 'k');
		expect(await texts()).toEqual(['Hello']);
		expect(counted).toEqual([]);
	});
});
