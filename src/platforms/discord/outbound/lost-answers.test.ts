import { ChannelType } from 'discord.js';
import { describe, expect } from 'vitest';
import { DiscordError } from '../../../../packages/fakes/src/discord/api/errors.ts';
import type { Fault } from '../../../../packages/fakes/src/discord/faults.ts';
import { pngFile } from '../../../../packages/fakes/src/pictures.ts';
import { test } from '../../../../test/harness/discord-platform.fixture.ts';
import type { Channel } from '../../../domain/channel.ts';

/** Discord carries a request out, and its answer says otherwise. */
const LOST: readonly [string, Fault][] = [
	['502', { answerAfter: new DiscordError(502, 0, 'Bad Gateway') }],
	['no answer', { disconnectAfter: true }],
];

describe.for(LOST)('after %s', ([, fault]) => {
	test.for([true, false])(
		'a thread is found (private: %s), once for each request',
		async (isPrivate, { discord, easel }) => {
			const opened: Promise<Channel>[] = [];
			await easel.start({
				invoke: async ({ channel }) => {
					// Threads that are opened from a thread belong to no message.
					const opening = channel.openThread('Owls', { private: isPrivate });
					opened.push(opening);
					await opening;
				},
			});
			discord.faults.add({ method: 'POST', path: /^\/channels\/\d+\/threads$/ }, fault, 2);
			const from = discord.threads.create(discord.world.channel(), 'Talk', 'ada');
			await Promise.all(['ada', 'bjorn'].map((name) => discord.user(name, from).command('chat', {})));
			const places = (await Promise.all(opened)).map(({ place }) => place.thread ?? '');
			const threads = [...discord.world.channels.values()].filter(({ name }) => name === 'Owls');
			expect(threads.map(({ id }) => id).sort()).toEqual(places.sort());
			const members = threads.map(({ threadMembers }) =>
				[...threadMembers].filter((id) => id !== discord.applicationId),
			);
			const [ada, bjorn] = ['ada', 'bjorn'].map((name) => discord.world.person(name).id);
			if (isPrivate) expect(members.flat().sort()).toEqual([ada, bjorn].sort());
		},
	);

	test('a public follow-up is found, and a private one is sent again', async ({ discord, easel, texts }) => {
		const { taken, release } = await easel.hold();
		const sent = discord.user('ada').command('imagine', { prompt: 'a fox' });
		const { channel } = await taken;
		await channel.post({ text: 'A fox' }, 'one');
		discord.faults.add({ method: 'POST', path: /^\/webhooks\// }, fault);
		const pictures = [{ name: 'fox.png', bytes: (await pngFile()).bytes, alt: 'A fox' }];
		const post = await channel.post({ text: 'A fox', pictures }, 'two');
		expect(await texts('bjorn')).toEqual(['A fox', 'A fox']);
		await post.edit({ text: 'An owl' });
		expect(await texts('bjorn')).toEqual(['A fox', 'An owl']);
		discord.faults.add({ method: 'POST', path: /^\/webhooks\// }, fault);
		await channel.post({ text: 'For you', visibility: 'private' }, 'three');
		expect(await texts()).toContain('For you');
		release();
		await sent;
	});

	test.for([
		['a message', 2000],
		['a deferral', 0],
	] as const)(
		'the first response is known, so that what is private stays so: %s',
		async ([, deferAfterMs], { discord, easel, texts }) => {
			discord.faults.add({ method: 'POST', path: /callback$/ }, fault);
			const { taken, release } = await easel.hold(deferAfterMs);
			const sent = discord.user('ada').command('imagine', { prompt: 'a fox' });
			const { channel } = await taken;
			if (deferAfterMs === 0) await sent;
			const post = await channel.post({ text: 'For you', visibility: 'private' }, 'one');
			await post.edit({ text: 'For you alone' });
			await channel.post({ text: 'For all' }, 'two');
			release();
			await sent;
			expect(await texts()).toEqual(['For you alone', 'For all']);
			expect(await texts('bjorn')).toEqual(['For all']);
			// It could not know that the first response was accepted.
			discord.violations.length = 0;
		},
	);

	test('a message of the bot itself is posted once', async ({ discord, easel, texts }) => {
		const platform = await easel.start({});
		const place = { platform: 'discord', server: discord.world.server().id, channel: discord.world.channel().id };
		discord.faults.add({ method: 'POST', path: /\/messages$/ }, fault);
		await (await platform.channel(place))?.post({ text: 'A fox' }, 'one');
		expect(await texts()).toEqual(['A fox']);
	});
});

describe('in a forum', () => {
	const channels = [{ name: 'forum', type: ChannelType.GuildForum }];
	test.override({ fakeOptions: { servers: [{ members: { ada: {} }, channels }] } });

	test.for(LOST)('a post is found after %s', async ([, fault], { discord, easel }) => {
		const opened = Promise.withResolvers<Channel>();
		await easel.start({ invoke: ({ channel }) => channel.openThread('Owls').then(opened.resolve, opened.reject) });
		discord.faults.add({ method: 'POST', path: /\/threads$/ }, fault);
		await discord
			.user('ada', discord.threads.create(discord.world.channel('forum'), 'Talk', 'ada'))
			.command('chat', {});
		const { place } = await opened.promise;
		const posts = [...discord.world.channels.values()].filter(({ name }) => name === 'Owls');
		expect(posts.map(({ id }) => id)).toEqual([place.thread]);
	});
});

test('a thread that Discord has not opened is opened by the next attempt', async ({ discord, easel }) => {
	const opened = Promise.withResolvers<Channel>();
	await easel.start({
		invoke: ({ channel }) => channel.openThread('Owls', { private: true }).then(opened.resolve, opened.reject),
	});
	discord.faults.serverError({ method: 'POST', path: /\/threads$/ }, { times: 2 });
	await discord.user('ada').command('chat', {});
	const { place } = await opened.promise;
	expect((await discord.user('ada').threads()).map(({ id }) => id)).toEqual([place.thread]);
});
