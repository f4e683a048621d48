import { describe, expect } from 'vitest';
import type { DiscordFake } from '../../../../packages/fakes/src/discord/index.ts';
import { previewsOf } from '../../../../packages/fakes/src/discord/render/messages.ts';
import { eventually } from '../../../../packages/fakes/src/eventually.ts';
import { pngFile } from '../../../../packages/fakes/src/pictures.ts';
import { test } from '../../../../test/harness/discord-platform.fixture.ts';
import { type Channel, type Post, PREVIEW_NAME } from '../../../domain/channel.ts';

describe('a response', () => {
	test('is public or private, and can be edited by its key', async ({ discord, easel, texts }) => {
		const { taken, release } = await easel.hold();
		const sent = discord.user('ada').command('imagine', { prompt: 'a fox' });
		const { channel } = await taken;
		const post = await channel.post({ text: 'For you', visibility: 'private' }, 'one');
		await sent;
		await channel.post({ text: 'For all' }, 'two');
		await channel.post({ text: 'For all of you' }, 'two');
		expect(await texts()).toEqual(['For you', 'For all of you']);
		expect(await texts('bjorn')).toEqual(['For all of you']);
		await post.edit({ text: 'For you alone' });
		expect(await texts()).toContain('For you alone');
		await channel.post({ text: 'Refused' }, 'two', { ifAbsent: true });
		await channel.post({ text: 'Refused' }, 'three', { ifAbsent: true });
		expect(await texts('bjorn')).toEqual(['For all of you', 'Refused']);
		release();
	});

	test('is never sent beyond the limits', async ({ discord, easel, requestsTo }) => {
		const { taken, release } = await easel.hold();
		const sent = discord.user('ada').command('imagine', { prompt: 'a fox' });
		const { channel } = await taken;
		await expect(channel.post({ text: 'x'.repeat(2001) }, 'k')).rejects.toThrow(RangeError);
		await expect(channel.post({ text: 'x' }, 'no key')).rejects.toThrow(RangeError);
		await channel.post({ text: 'x'.repeat(2000) }, 'k');
		release();
		await sent;
		expect(requestsTo(/callback/)).toHaveLength(1);
	});

	test.for([
		['public', ['slow'], ['slow']],
		['private', ['slow'], []],
	] as const)(
		'that takes long is deferred first, and is then %s',
		async ([visibility, hers, his], { discord, easel, texts }) => {
			const { taken, release } = await easel.hold(0);
			await discord.user('ada').command('imagine', { prompt: 'a fox' });
			expect(await texts('bjorn')).toEqual(['']);
			const { channel } = await taken;
			await channel.post({ text: 'slow', visibility }, 'k');
			release();
			expect(await texts()).toEqual(hers);
			expect(await texts('bjorn')).toEqual(his);
		},
	);

	test('is not sent twice when Discord returns an error but has accepted it', async ({ discord, easel, texts }) => {
		discord.faults.serverError({ path: /callback$/ }, { after: true });
		const { taken, release } = await easel.hold();
		const sent = discord.user('ada').command('imagine', { prompt: 'a fox' });
		const { channel } = await taken;
		const post = await channel.post({ text: 'Drawing' }, 'k');
		await post.edit({ text: 'A fox' });
		release();
		await sent;
		expect(await texts()).toEqual(['A fox']);
		// It could not know that the first response was accepted.
		discord.violations.length = 0;
	});

	test('shows no previews of links, however it is sent and after edits', async ({ discord, easel }) => {
		const { taken, release } = await easel.hold(0);
		await discord.user('ada').command('imagine', { prompt: 'a fox' });
		const { channel } = await taken;
		const text = 'See https://example.com and [this](https://example.org/a).';
		const deferred = await channel.post({ text }, 'k');
		await channel.post({ text, visibility: 'private' }, 'k2');
		release();
		const platform = await easel.start({});
		const place = { platform: 'discord', server: discord.world.server().id, channel: discord.world.channel().id };
		const post = await (await platform.channel(place))?.post({ text: 'Soon' }, 'k3');
		for (const one of [deferred, post]) await one?.edit({ text: `${text} Indeed.` });
		const messages = [...discord.world.channel().messages.values()];
		expect(messages.map(({ content }) => content)).toEqual([`${text} Indeed.`, text, `${text} Indeed.`]);
		expect(messages.flatMap(previewsOf)).toEqual([]);
	});

	test('that never comes leaves no deferral', async ({ discord, easel, texts }) => {
		const { release } = await easel.hold(0);
		await discord.user('ada').command('imagine', { prompt: 'a fox' });
		release();
		await eventually(async () => expect(await texts()).toEqual([]));
	});

	test('with files is deferred, then sent with alt text and files', async ({ discord, easel }) => {
		const { taken, release } = await easel.hold();
		const sent = discord.user('ada').command('imagine', { prompt: 'a fox' });
		const { channel } = await taken;
		const { bytes } = await pngFile();
		const pictures = [{ name: 'fox "1".png', bytes, alt: `${'long '.repeat(300)}` }];
		await channel.post({ text: 'A fox', pictures, files: [{ name: 'a.csv', bytes: Buffer.from('1,2') }] }, 'k');
		release();
		await sent;
		const [seen] = await discord.user('ada').look();
		expect(seen).toMatchObject({ files: ['a.csv'], pictures: [{ bytes: new Uint8Array(bytes) }] });
		expect(seen?.pictures[0]?.alt).toHaveLength(1024);
	});

	test('with a preview shows the picture in its place, which alone counts as one', async ({ discord, easel }) => {
		const { platform, taken, release } = await easel.hold();
		const sent = discord.user('ada').command('imagine', { prompt: 'a fox' });
		const { channel } = await taken;
		const [preview, picture] = await Promise.all([pngFile('#111111'), pngFile('#eeeeee')]);
		const shown = { name: `${PREVIEW_NAME}png`, bytes: preview.bytes, alt: 'A fox', spoiler: true as const };
		const post = await channel.post({ text: 'Drawing …', pictures: [shown] }, 'k');
		const count = async () => (await (await platform.find(post.handle))?.pictures?.())?.length;
		expect(await count()).toBe(0);
		await post.edit({ text: 'Drawing … 5 s' });
		expect((await discord.user('ada').look())[0]?.pictures).toMatchObject([{ bytes: new Uint8Array(preview.bytes) }]);
		await post.edit({ text: 'A fox', pictures: [{ name: 'a-fox-1.png', bytes: picture.bytes, alt: 'A fox' }] });
		expect(await count()).toBe(1);
		expect((await discord.user('ada').look())[0]?.pictures).toMatchObject([{ bytes: new Uint8Array(picture.bytes) }]);
		await post.edit({ text: 'Cancelled.', pictures: [] });
		expect((await discord.user('ada').look())[0]?.pictures).toEqual([]);
		release();
		await sent;
	});

	test.for([
		['expires after 15 minutes', (discord: DiscordFake) => discord.clock.advance(16 * 60_000)],
		['expires early', (discord: DiscordFake) => discord.faults.expireTokens()],
		['is unknown to Discord', (discord: DiscordFake) => discord.faults.loseResponses()],
	] as const)('continues as the bot when the token %s', async ([_, change], { discord, easel, texts }) => {
		const { channel, release } = await easel.holdWithResponse();
		const post = (await channel.post({ text: 'Drawing still' }, 'k')) as Post;
		change(discord);
		await post.edit({ text: 'A fox' });
		await channel.post({ text: 'And another' }, 'k2');
		expect(await texts('bjorn')).toEqual(['A fox', 'And another']);
		await expect(channel.post({ text: 'A secret', visibility: 'private' }, 'k3')).rejects.toThrow(
			'Only the person who asked',
		);
		release();
	});

	describe('in a server where only the user has installed the bot', () => {
		test.override({ fakeOptions: { servers: [{ members: { ada: {} }, application: false }] } });

		test('is refused after five follow-ups', async ({ discord, easel, texts }) => {
			discord.world.person('ada').installed = true;
			const { taken, release } = await easel.hold();
			const sent = discord.user('ada').command('imagine', { prompt: 'a fox' });
			const { channel } = await taken;
			const first = await channel.post({ text: 'the answer' }, 'k');
			for (let more = 1; more <= 5; more++) await channel.post({ text: `more ${more}` }, `k${more}`);
			await expect(channel.post({ text: 'too much' }, 'k6')).rejects.toThrow(
				/not a member here, so I can answer only a few times/,
			);
			for (let edits = 0; edits < 8; edits++) await first.edit({ text: `edit ${edits}` });
			expect(await texts()).toContain('edit 7');
			release();
			await sent;
		});
	});

	describe('in a server where the user may not use external applications publicly', () => {
		const general = { name: 'general', deny: { everyone: ['UseExternalApps'] } } as const;
		test.override({ fakeOptions: { servers: [{ channels: [general], members: { ada: {} }, application: false }] } });
		test.beforeEach(({ discord }) => {
			discord.world.person('ada').installed = true;
		});

		test('is recorded as private, as Discord has made it', async ({ discord, easel, texts, requestsTo }) => {
			const { platform, taken, release } = await easel.hold();
			const sent = discord.user('ada').command('imagine', { prompt: 'a fox' });
			const { channel } = await taken;
			const posts = [await channel.post({ text: 'Drawing' }, 'one'), await channel.post({ text: 'Inking' }, 'two')];
			await sent;
			expect(posts.map(({ link }) => link)).toEqual([undefined, undefined]);
			expect(posts.map(({ handle }) => handle.data?.['private'])).toEqual(['yes', 'yes']);
			const found = await platform.find({ place: channel.place, key: 'two' });
			expect(found?.link).toBeUndefined();
			expect(await discord.user('ada').look()).toMatchObject([{ private: true }, { private: true }]);
			// Nothing but the token gives access to a private message.
			discord.faults.expireTokens(1);
			await expect(posts[0]?.edit({ text: 'A fox' })).rejects.toThrow();
			expect(requestsTo(/^\/channels\//)).toEqual([]);
			expect(await texts()).toEqual(['Drawing', 'Inking']);
			release();
		});

		test.for([
			['public', { text: 'A fox' }],
			['private', { text: 'A fox', visibility: 'private' }],
		] as const)('replaces its deferral although it was meant to be %s', async ([_, reply], { discord, easel }) => {
			const { taken, release } = await easel.hold(0);
			await discord.user('ada').command('imagine', { prompt: 'a fox' });
			const post = await (await taken).channel.post(reply, 'k');
			expect(post.handle.data?.['private']).toBe('yes');
			expect(await discord.user('ada').look()).toMatchObject([{ text: 'A fox', private: true }]);
			expect(discord.requests.filter(({ method }) => method === 'DELETE')).toEqual([]);
			release();
		});
	});

	test('is posted again after its message was deleted', async ({ discord, easel, texts }) => {
		const ada = discord.user('ada');
		const { platform, id, channel, release } = await easel.holdWithResponse();
		const { place } = channel;
		const post = (await platform.find({ place, key: 'k' })) as Post;
		const [seen] = await ada.look();
		if (seen) await ada.erase(seen);
		await expect(post.edit({ text: 'A fox' })).rejects.toThrow();
		expect(await platform.find({ place, key: 'k' })).toBeUndefined();
		await channel.post({ text: 'A fox' }, id);
		expect(await texts()).toEqual(['A fox']);
		release();
	});

	test('is found by its key in another process, and by its handle without any record', async ({
		easel,
		keyv,
		texts,
	}) => {
		const { platform, channel, release } = await easel.holdWithResponse();
		release();
		await platform.stop();
		const other = await easel.start({});
		const found = await other.find({ place: channel.place, key: 'k' });
		await found?.edit({ text: 'A fox' });
		expect(await texts()).toEqual(['A fox']);
		await keyv.clear();
		expect(await other.find({ place: channel.place, key: 'k' })).toBeUndefined();
		const again = found && (await other.find(found.handle));
		await again?.delete();
		await again?.delete();
		expect(await texts()).toEqual([]);
	});

	test('that replaces a deferral is found although the request failed', async ({ discord, easel, texts }) => {
		const { platform, taken, release } = await easel.hold(1);
		await discord.user('ada').command('imagine', { prompt: 'a fox' });
		const { channel } = await taken;
		await discord.user('ada').look();
		discord.faults.add({ method: 'PATCH' }, { disconnect: true }, 20);
		await expect(channel.post({ text: 'Drawing' }, 'k')).rejects.toThrow();
		discord.faults.clear();
		const found = await platform.find({ place: channel.place, key: 'k' });
		await found?.edit({ text: 'A fox' });
		expect(await texts()).toEqual(['A fox']);
		release();
	});
});

describe('a message of the bot', () => {
	test('is posted once under one key, without any record', async ({ discord, easel, keyv, texts }) => {
		const platform = await easel.start({});
		const place = { platform: 'discord', server: discord.world.server().id, channel: discord.world.channel().id };
		const channel = (await platform.channel(place)) as Channel;
		await channel.post({ text: 'once' }, 'k');
		await keyv.clear();
		await channel.post({ text: 'and differently' }, 'k');
		expect(await texts()).toEqual(['and differently']);
		expect(await platform.channel({ ...place, channel: '100000000000000000' })).toBeUndefined();
	});

	test('is edited at the pace for old messages, which headers do not announce', async ({ discord, easel, texts }) => {
		const platform = await easel.start({});
		const place = { platform: 'discord', server: discord.world.server().id, channel: discord.world.channel().id };
		const post = await (await platform.channel(place))?.post({ text: 'An old message' }, 'k');
		discord.clock.advance(2 * 60 * 60_000);
		for (let edits = 1; edits <= 4; edits++) await post?.edit({ text: `edit ${edits}` });
		expect(await texts()).toEqual(['edit 4']);
		expect(discord.requests.filter(({ status }) => status === 429)).toHaveLength(1);
	});

	test('waits for the rate limit, and is not repeated after an error', async ({ discord, easel, texts }) => {
		const platform = await easel.start({});
		const place = { platform: 'discord', server: discord.world.server().id, channel: discord.world.channel().id };
		const channel = (await platform.channel(place)) as Channel;
		await Promise.all(Array.from({ length: 12 }, (_, index) => channel.post({ text: `number ${index}` }, `k${index}`)));
		discord.faults.serverError({ method: 'POST', path: /messages$/ }, { after: true });
		await channel.post({ text: 'sent twice' }, 'k');
		expect(await texts()).toHaveLength(13);
		expect(discord.requests.map(({ status }) => status)).not.toContain(429);
	});
});
