import { ChannelType } from 'discord.js';
import { describe, expect } from 'vitest';
import { ATELIER } from '../../../../packages/fakes/src/discord/world/description.ts';
import { eventually } from '../../../../packages/fakes/src/eventually.ts';
import { pngFile } from '../../../../packages/fakes/src/pictures.ts';
import { type EaselFixture, test } from '../../../../test/harness/discord-platform.fixture.ts';
import { type Channel, fileKindOf, type PlaceScope } from '../../../domain/channel.ts';
import type { IncomingMessage, MessageChange, QuotedMessage } from '../../../domain/platform.ts';

/** Starts an instance that collects what the core receives. */
async function listen(easel: EaselFixture) {
	const heard: IncomingMessage[] = [];
	const changes: MessageChange[] = [];
	const forgotten: PlaceScope[] = [];
	const joined: PlaceScope[] = [];
	const invitations: unknown[] = [];
	const platform = await easel.start({
		hear: async (message) => void heard.push(message),
		changed: async (change) => void changes.push(change),
		forget: async (scope) => void forgotten.push(scope),
		async joined(server, invited) {
			joined.push(server);
			invitations.push(invited);
		},
	});
	return { platform, heard, changes, forgotten, joined, invitations };
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

	test('may address the bot by an edit, once', async ({ discord, easel }) => {
		const { heard } = await listen(easel);
		const ada = discord.user('ada');
		await ada.say('draw a fox');
		const [message] = await ada.look();
		if (!message) throw new Error('There is no message');
		await ada.rewrite(message, 'draw a red fox');
		for (const text of ['@Easel draw a red fox', '@Easel draw a blue fox']) await ada.rewrite(message, text);
		await eventually(() => expect(heard).toHaveLength(1));
		await ada.say('@Easel hello');
		const greeting = (await ada.look()).at(-1);
		if (greeting) await ada.rewrite(greeting, '@Easel hello again');
		await ada.say('@Easel bye');
		await eventually(() => expect(heard.at(-1)?.text).toBe('bye'));
		expect(heard.map(({ text }) => text)).toEqual(['draw a red fox', 'hello', 'bye']);
	});

	test('a server that adds the bot later is told where it can be greeted, and the first ones are not', async ({
		discord,
		easel,
	}) => {
		const { joined, invitations } = await listen(easel);
		await eventually(() => expect(joined).toHaveLength(1));
		discord.addApplication({ ...ATELIER, name: 'Bindery', locale: 'de' });
		await eventually(() => expect(joined).toHaveLength(2));
		const [first] = discord.world.server('Bindery').channels.values();
		expect(invitations).toEqual([undefined, { name: 'Bindery', channel: first?.id, locale: 'de' }]);
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

describe('what a message is about', () => {
	const channels = ['general', { name: 'forum', type: ChannelType.GuildForum }];
	test.override({
		fakeOptions: { servers: [{ channels, members: { ada: { name: 'Ada' }, bjorn: { name: 'Björn' } } }] },
	});

	const told = (messages: readonly QuotedMessage[] = []) =>
		messages.map(({ author, text, uploads, own }) => [
			author,
			text,
			...uploads.map(({ name }) => name),
			...(own ? ['own'] : []),
		]);

	test('is the message that it replies to, with its files', async ({ discord, easel }) => {
		const { platform, heard } = await listen(easel);
		const [ada, bjorn] = [discord.user('ada'), discord.user('bjorn')];
		await bjorn.say('look at this, @Ada', [await pngFile(), { name: 'notes.md', bytes: Buffer.from('# Foxes') }]);
		await ada.reply((await ada.look()).at(-1)!, '@Easel explain this to a child');
		await eventually(() => expect(heard).toHaveLength(1));
		expect(told([heard[0]!.repliedTo!])).toEqual([['Björn', 'look at this, @Ada', 'picture.png', 'notes.md']]);
		expect(await heard[0]?.before?.()).toEqual([]);

		const place = { platform: 'discord', server: discord.world.server().id, channel: discord.world.channel().id };
		await (await platform.channel(place))?.post({ text: 'A fox is an animal.' }, 'answer');
		await ada.reply((await ada.look()).at(-1)!, 'shorter');
		await eventually(() => expect(heard).toHaveLength(2));
		expect(told([heard[1]!.repliedTo!])).toEqual([['easel', 'A fox is an animal.', 'own']]);
	});

	test.for(['a message', 'a forum post'])(
		'is how its thread began with %s, and what was said last',
		async (kind, { discord, easel }) => {
			const { heard } = await listen(easel);
			const ada = discord.user('ada');
			const forum = discord.world.channel('forum');
			let thread = ada.channel;
			if (kind === 'a forum post') thread = discord.threads.create(forum, 'Foxes', 'bjorn', 'Why are foxes red?');
			else {
				await discord.user('bjorn').say('Why are foxes red?');
				await ada.startThread((await ada.look()).at(-1)!);
				thread = ada.channel;
			}
			const there = discord.user('ada', thread);
			for (let number = 1; number <= 20; number++) await there.say(`line ${number}`);
			await there.say('@Easel what do you think?');
			await eventually(() => expect(heard.at(-1)?.addressed).toBe(true));
			const lines = Array.from({ length: 14 }, (_, index) => ['Ada', `line ${index + 7}`]);
			const title = kind === 'a forum post' ? [['Title', 'Foxes']] : [];
			expect(told(await heard.at(-1)?.before?.())).toEqual([...title, ['Björn', 'Why are foxes red?'], ...lines]);
		},
	);

	test('is not told where the bot may not read the history', async ({ discord, easel }) => {
		const { heard } = await listen(easel);
		discord.world.overwrite(discord.world.channel(), 'me', 'deny', ['ReadMessageHistory']);
		await discord.user('bjorn').say('Why are foxes red?');
		await discord.user('ada').say('@Easel why?');
		await eventually(() => expect(heard).toHaveLength(1));
		expect(await heard[0]?.before?.()).toEqual([]);
	});
});

describe('the words of a message', () => {
	test('are those of a poll', async ({ discord, easel }) => {
		const { heard } = await listen(easel);
		await discord.user('ada').directMessages().ask('Which one?', ['A fox', 'An owl']);
		await eventually(() => expect(heard.map(({ text }) => text)).toEqual(['Which one?\n1. A fox\n2. An owl']));
	});

	test.for([
		[
			'embeds',
			{ embeds: [{ title: 'Weather', description: 'Rain', fields: [{ name: 'Wind', value: 'strong' }] }] },
			'Weather\nRain\nWind: strong',
		],
		[
			'components',
			{ flags: 1 << 15, components: [{ type: 17, components: [{ type: 10, content: 'Rain, @everyone' }] }] },
			'Rain, @everyone',
		],
	] as const)('are those of the %s of another app, also forwarded', async ([, body, text], { discord, easel }) => {
		const { heard } = await listen(easel);
		const ada = discord.user('ada');
		discord.posts(discord.world.channel(), body as unknown as Parameters<typeof discord.posts>[1]);
		const card = (await ada.look()).at(-1)!;
		await ada.reply(card, '@Easel what does it say?');
		await eventually(() => expect(heard.at(-1)?.repliedTo?.text).toBe(text));
		await ada.forward(card, ada.directMessages().channel);
		await eventually(() => expect(heard.at(-1)?.text).toBe(text));
	});

	test('come with every file: voice messages, texts, stickers and unknown ones', async ({ discord, easel }) => {
		const { heard } = await listen(easel);
		const files = ['voice-message.ogg', 'message.txt', 'model.blend'].map((name) => ({
			name,
			bytes: Buffer.from('x'),
		}));
		const ada = discord.user('ada').directMessages();
		await ada.say('', files);
		await ada.stick('Wave', 3);
		await eventually(() =>
			expect(heard.flatMap(({ uploads }) => uploads.map(fileKindOf))).toEqual(['voice', 'text', 'other', 'other']),
		);
	});
});
