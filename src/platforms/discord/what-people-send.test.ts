import { ChannelType } from 'discord.js';
import { describe, expect } from 'vitest';
import { answersChat, chatOf } from '../../../packages/fakes/src/chat.ts';
import { answersPictures, type FaultyService, held, smallPng } from '../../../packages/fakes/src/service.ts';
import { test } from '../../../test/harness/discord-easel.fixture.ts';

const promptOf = (request: { body: Buffer } | undefined) => String(request?.body);

describe('a mention of the bot', () => {
	test('by its own role is one', async ({ service, ada }) => {
		service.always(answersPictures(await smallPng()));
		await ada.says('@&Easel draw a blue fox');
		await ada.enters(/draw a blue fox/);
		await ada.finds({ pictures: 1 });
		expect(JSON.parse(promptOf(service.requests[0]))).toMatchObject({ prompt: 'a blue fox' });
	});

	test('after the words leaves a question a question', async ({ service, ada }) => {
		service.always(answersChat('A fox.'));
		const fox = { name: 'fox.png', bytes: await smallPng() };
		await ada.says('what do you see here? @Easel', [fox]);
		await ada.enters(/what do you see here\?$/);
		await ada.finds(/^A fox\.\n\n\*The chat model takes no pictures/);
		const { messages } = chatOf(service.requests.find(({ path }) => /chat/.test(path)));
		expect(messages.at(-1)?.content).toMatch(/^Ada: what do you see here\?/);
	});

	test('among names reaches the model as names', async ({ service, ada }) => {
		service.always(answersChat('Of course.'));
		await ada.says('@Easel does @Björn like <:partyblob:123456789012345678> in <#1>, as <@99> did <t:1795705200:R>?');
		await ada.enters(/does @Björn like/);
		await ada.finds(/^Of course\.$/);
		const { messages } = chatOf(service.requests[0]);
		expect(messages.at(-1)?.content).toMatch(
			/does @Björn like :partyblob: in #unknown, as @unknown-user did 2026-11-26 15:00 UTC\?$/,
		);
	});
});

test('a command has names in place of ids in its texts', async ({ discord, service, ada }) => {
	service.always(answersPictures(await smallPng()));
	const bjorn = `<@${discord.world.person('bjorn').id}>`;
	await ada.does('/imagine', { prompt: `${bjorn} with <:blob:123456789012345678> in <#1>` }).sees({ pictures: 1 });
	expect(JSON.parse(promptOf(service.requests[0]))).toMatchObject({ prompt: '@Björn with :blob: in #unknown' });
});

test('another bot is answered once moderators name it, when it mentions the bot', async ({ discord, service, ada }) => {
	service.always(answersPictures(await smallPng()));
	const zapier = discord.world.addMember(discord.world.server(), 'zapier', { name: 'Zapier', app: true }).user;
	const asks = (text: string) => discord.user('zapier').say(text);
	await asks('@Easel draw a fox');
	await ada.says('@Easel draw a lake');
	await expect.poll(() => service.requests.map(promptOf).join()).toContain('a lake');
	await ada.does('/limits settings', { apps: zapier.id }).sees(/answered: @Zapier/);
	await asks('draw a hill');
	await asks('@Easel draw a pond');
	await expect.poll(() => service.requests.map(promptOf).join()).toContain('a pond');
	expect(service.requests).toHaveLength(2);
});

test('somebody who is called to look at a result is not answered for it, and no number changes it', async ({
	service,
	ada,
}) => {
	service.next(answersPictures(await smallPng()));
	const result = await ada.does('/imagine', { prompt: 'a fox' }).sees({ pictures: 1 });
	service.always(answersChat('Thank you.'));
	await ada.replies(result, '@Björn look at this');
	await ada.replies(result, '+1');
	await ada.enters(/^\+1$/);
	await ada.finds(/^Thank you/);
	expect(service.requests.filter(({ path }) => /edits/.test(path))).toEqual([]);
	expect((await ada.threads()).map(({ title }) => title)).toEqual(['+1']);
});

test('a guest of a voice channel is refused where moderators deny outsiders', async ({
	discord,
	service,
	ada,
	inChannel,
}) => {
	const server = discord.world.server();
	const voice = discord.world.addChannel({ type: ChannelType.GuildVoice, name: 'lounge', server });
	discord.world.addMember(server, 'guest', { name: 'Guest', guest: true });
	await ada.does('/limits settings', { outsiders: 'deny' }).sees(/refused/);
	const guest = inChannel('guest', voice);
	await inChannel('bjorn', voice).says('look', [{ name: 'fox.png', bytes: await smallPng() }]);
	const posted = await guest.finds({ text: /look/, pictures: 1 });
	await guest.chooses('Edit image', posted).sees(/only for members of this server/);
	await guest.says('@Easel draw a fox').sees(/only for members of this server/);
	await guest.does('/imagine', { prompt: 'a fox' }).sees(/only for members of this server/);
	expect(service.requests).toEqual([]);
});

describe('a picture', () => {
	const night = 'make it night';

	test('of a forwarded message is edited by a reply to it', async ({ discord, service, ada, bjorn }) => {
		service.always(answersPictures(await smallPng()));
		await bjorn.says('look', [{ name: 'fox.png', bytes: await smallPng() }]);
		const original = await ada.finds({ text: /look/, pictures: 1 });
		await discord.user('ada').forward(original);
		const forward = (await ada.looks()).at(-1);
		if (forward) await ada.replies(forward, `@Easel ${night}`).sees({ pictures: 1 });
		expect(service.requests.map(({ path }) => path)).toEqual(['/v1/images/edits']);
	});

	test.for(['gallery', 'container', 'embed'])(
		'in the %s of another app opens the form of the menu',
		async (where, { discord, ada }) => {
			const media = { url: 'attachment://fox.png' };
			const gallery = { type: 12, items: [{ media }] };
			const body = {
				gallery: { components: [gallery], flags: 1 << 15 },
				container: { components: [{ type: 17, components: [gallery] }], flags: 1 << 15 },
				embed: { content: 'A fox', embeds: [{ title: 'Fox', image: media }] },
			}[where] as object;
			discord.posts(discord.world.channel(), body as Parameters<typeof discord.posts>[1], [
				{ name: 'fox.png', bytes: await smallPng() },
			]);
			const message = (await ada.looks()).at(-1);
			if (!message) throw new Error('The other app has posted nothing');
			await ada.chooses('Edit image', message).opens('Edit image');
		},
	);

	test.for([
		['', false],
		['||', true],
	] as const)(
		'at a link is edited, covered as the link is: %s',
		async ([bars, covered], { discord, service, ada, bjorn }) => {
			await bjorn.says('look', [{ name: 'fox.png', bytes: await smallPng() }]);
			const link = discord.user('ada').linkTo(await ada.finds(/look/));
			await ada.says(`@Easel ${night} ${bars}${link}${bars}`);
			await ada.enters(/^make it night$/);
			await ada.finds({ text: /\*\*make it night\*\*/, pictures: 1, covered });
			expect(service.requests.map(({ path }) => path)).toEqual(['/v1/images/edits']);
		},
	);

	test('that was sent alone is changed by the answer to the question what to do', async ({
		service,
		inDirectMessages,
	}) => {
		const ada = inDirectMessages('ada');
		await ada.says('', [{ name: 'fox.png', bytes: await smallPng() }]).sees(/Say what to do with the picture/);
		await ada.says(night).sees({ text: /make it night/, pictures: 1 });
		expect(service.requests.map(({ path }) => path)).toEqual(['/v1/images/edits']);
	});

	test('that is forwarded is not changed by the words below it', async ({
		discord,
		service,
		bjorn,
		inDirectMessages,
	}) => {
		await bjorn.says('make it night', [{ name: 'fox.png', bytes: await smallPng() }]);
		const ada = discord.user('ada');
		await ada.forward((await ada.look()).at(-1)!, ada.directMessages().channel);
		await inDirectMessages('ada').finds(/Say what to do with the picture/);
		expect(service.requests).toEqual([]);
	});

	test('that comes with a command as words is edited by it', async ({ service, ada }) => {
		await ada.says('@Easel /imagine this as a cartoon', [{ name: 'fox.png', bytes: await smallPng() }]);
		await ada.enters(/as a cartoon/);
		await ada.finds({ text: /this as a cartoon/, pictures: 1 });
		expect(service.requests.map(({ path }) => path)).toEqual(['/v1/images/edits']);
	});

	test('is asked for with the options of a command as words, also behind words to others', async ({ service, ada }) => {
		await ada.says('Look at this, all of you: @Easel /imagine a fox size:wide n:2');
		await ada.enters(/Look at this/);
		await ada.finds({ text: /a fox/, pictures: 1 });
		expect(JSON.parse(String(service.requests[0]?.body))).toMatchObject({ prompt: 'a fox', n: 2 });
		await ada.says('@Easel /imagine a boat private:true');
		await ada.finds(/came as words/);
		await ada.says('@Easel draw a swan private:true').sees(/came as words/);
		expect(service.requests).toHaveLength(1);
	});

	test('that is still being made is not talked about', async ({ service, ada }) => {
		const slow = held(answersPictures(await smallPng()));
		service.next(slow.behaviour);
		const status = await ada.does('/imagine', { prompt: 'a fox' }).sees(/^Drawing/);
		await service.arrived(1);
		for (const text of [night, 'cancel that']) await ada.replies(status, text).sees(/still being made/);
		slow.release();
		await ada.finds({ text: /a fox/, pictures: 1 });
		expect(service.requests).toHaveLength(1);
	});

	test('that only a mention replies to is asked about', async ({ service, ada, bjorn }) => {
		await bjorn.says('look', [{ name: 'fox.png', bytes: await smallPng() }]);
		await ada.replies(await ada.finds(/look/), '@Easel').sees(/Say what to do with the picture/);
		expect(service.requests).toEqual([]);
	});

	test('of a forwarded sticker is seen', async ({ discord, ada, bjorn, inDirectMessages }) => {
		await discord.user('bjorn').stick('Wave');
		const sticker = (await bjorn.looks()).at(-1)!;
		await discord.user('ada').forward(sticker, discord.user('ada').directMessages().channel);
		await inDirectMessages('ada').finds(/Say what to do with the picture/);
		expect((await ada.threads()).length).toBe(0);
	});

	test('that was deleted meanwhile is not edited, and the sentence says why', async ({ service, ada, bjorn }) => {
		await bjorn.says('look', [{ name: 'fox.png', bytes: await smallPng() }]);
		const shown = await ada.finds({ text: /look/, pictures: 1 });
		const form = await ada.chooses('Edit image', shown).opens('Edit image');
		await bjorn.erases(shown);
		await ada.fillsIn(form, { prompt: night }).sees(/The picture was deleted.*Nothing was counted/s);
		expect(service.requests).toEqual([]);
	});

	test('above is not edited for a reply to another message that was deleted', async ({ service, ada, bjorn }) => {
		await bjorn.says('an owl', [{ name: 'owl.png', bytes: await smallPng() }]);
		await bjorn.says('a fox', [{ name: 'fox.png', bytes: await smallPng() }]);
		const fox = await ada.finds(/a fox/);
		await ada.replies(fox, night);
		const reply = await ada.finds(/make it night/);
		await bjorn.erases(fox);
		await ada.rewrites(reply, `@Easel ${night}`);
		await ada.finds(/The message that you replied to was deleted/);
		expect(service.requests).toEqual([]);
	});

	test('is drawn in a voice channel, which has no threads', async ({ discord, inChannel }) => {
		const voice = discord.world.addChannel({
			type: ChannelType.GuildVoice,
			name: 'lounge',
			server: discord.world.server(),
		});
		await inChannel('ada', voice).says('@Easel draw a fox').sees({ text: /a fox/, pictures: 1 });
		await inChannel('ada', voice)
			.says('@Easel why are foxes red?')
			.sees(/no threads/);
	});

	test('that its author has covered makes covered ones, also again', async ({ service, ada }) => {
		service.always(answersPictures(await smallPng()));
		const image = { name: 'SPOILER_fox.png', bytes: await smallPng() };
		const result = await ada.does('/edit', { image, prompt: night }).sees({ pictures: 1, covered: true });
		await ada.presses('Again', result).sees({ pictures: 1, covered: true });
		await ada.does('/imagine', { prompt: 'a fox' }).sees({ pictures: 1, covered: false });
	});
});

describe('the chat model is told', () => {
	const lastOf = (service: FaultyService) =>
		chatOf(service.requests.findLast(({ path }) => /chat/.test(path)))
			.messages.map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)))
			.join('\n');

	test('what a reply is about', async ({ discord, service, ada, bjorn }) => {
		service.always(answersChat('Foxes are red.'));
		await bjorn.says('Their coat comes from pheomelanin.', [
			{ name: 'coat.md', bytes: Buffer.from('Melanin, twice.') },
		]);
		const message = await ada.finds(/pheomelanin/);
		await ada.replies(message, '@Easel explain this to a child');
		await ada.enters(/explain this to a child/);
		await ada.finds(/^Foxes are red/);
		expect(lastOf(service)).toMatch(/pheomelanin/);
		expect(lastOf(service)).toMatch(/coat\.md[\s\S]*Melanin, twice\./);
		expect(discord.violations).toEqual([]);
	});

	test('what a mention alone replies to', async ({ service, ada, bjorn }) => {
		service.always(answersChat('Because of their coat.'));
		await bjorn.says('Why are foxes red?');
		await ada.replies(await ada.finds(/foxes red/), '@Easel');
		await ada.enters(/Why are foxes red/);
		await ada.finds(/^Because of their coat/);
		expect(lastOf(service)).toMatch(/Ada: Why are foxes red\?$/);
	});

	test('what was said in the thread of others before', async ({ discord, service, ada }) => {
		service.always(answersChat('Because of their coat.'));
		await discord.user('bjorn').say('Why are foxes red?');
		await ada.startsThread(await ada.finds(/Why are foxes red/));
		const thread = discord.world.channel((await ada.threads())[0]?.id);
		await discord.user('bjorn', thread).say('I think it is the sun.');
		await discord.user('ada', thread).say('@Easel who is right?');
		await ada.finds(/^Because of their coat/);
		expect(lastOf(service)).toMatch(/Why are foxes red\?[\s\S]*it is the sun[\s\S]*who is right\?/);
	});

	test.for([
		['a card of another app', { embeds: [{ title: 'Weather', description: 'Rain in Bergen' }] }, /Rain in Bergen/],
	] as const)(
		'what %s says that is forwarded to it',
		async ([, body, words], { discord, service, inDirectMessages }) => {
			service.always(answersChat('Take an umbrella.'));
			discord.posts(discord.world.channel(), body as unknown as Parameters<typeof discord.posts>[1]);
			const card = (await discord.user('ada').look()).at(-1)!;
			const ada = inDirectMessages('ada');
			await discord.user('ada').forward(card, discord.user('ada').directMessages().channel);
			await ada.finds(/^Take an umbrella/);
			expect(lastOf(service)).toMatch(words);
		},
	);

	test('a long paste, and not that a voice message was silent', async ({ service, inDirectMessages }) => {
		service.always(answersChat('A tale.'));
		const ada = inDirectMessages('ada');
		await ada
			.says('', [{ name: 'message.txt', bytes: Buffer.from('Once upon a time there was an owl.') }])
			.sees(/^A tale/);
		expect(lastOf(service)).toMatch(/there was an owl/);
		await ada.says('', [{ name: 'voice-message.ogg', bytes: Buffer.from('OggS') }]).sees(/voice/i);
	});
});
