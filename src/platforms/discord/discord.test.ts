import { ChannelType, Routes } from 'discord.js';
import { Keyv } from 'keyv';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { COMMANDS } from '../../../test/fakes/commands.ts';
import { DiscordError } from '../../../test/fakes/discord/errors.ts';
import {
	type DiscordFake,
	type DiscordOptions as FakeOptions,
	startDiscord,
} from '../../../test/fakes/discord/index.ts';
import { pngFile } from '../../../test/fakes/pictures.ts';
import { answersPictures, smallPng, startFaultyService } from '../../../test/fakes/service.ts';
import type { Channel, Post } from '../../domain/channel.ts';
import type { PlaceScope } from '../../domain/place.ts';
import type { Inbox, Platform } from '../../domain/platform.ts';
import type { IncomingMessage, Invocation } from '../../domain/requests.ts';
import { ServiceClient } from '../../service/client.ts';
import { createDiscord, createRest, type DiscordOptions, registerCommands } from './index.ts';
import { registeredDiffers } from './registration/register.ts';

let discord: DiscordFake;
let keyv: Keyv;
const platforms: Platform[] = [];
/** What an operator reads. */
const logged: string[] = [];
const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(JSON.parse(line).msg) });

beforeEach(async () => {
	logged.length = 0;
	keyv = new Keyv();
	await begin();
});
afterEach(async () => {
	for (const platform of platforms.splice(0)) await platform.stop();
	await discord.close();
	expect(discord.violations).toEqual([]);
});

async function begin(options: FakeOptions = {}) {
	await discord?.close();
	discord = await startDiscord({ pace: 0.02, ...options });
	await registerCommands({ rest: rest(), commands: COMMANDS });
}

const rest = () => createRest({ token: discord.token, apiUrl: discord.api, log });

function easel(options: Partial<DiscordOptions> = {}): Platform {
	const { token, api, cdn } = discord;
	const mine = { token, apiUrl: api, attachmentOrigins: [new URL(cdn).origin], commands: COMMANDS, keyv, log };
	const platform = createDiscord({ ...mine, shards: 'auto', messageContent: true, ...options });
	platforms.push(platform);
	return platform;
}

/** Easel with a core that does as a test says. */
async function running(inbox: Partial<Inbox>, options: Partial<DiscordOptions> = {}) {
	const platform = easel(options);
	const nothing = async () => {};
	const rest = { invoke: nothing, press: nothing, hear: nothing, changed: nothing, forget: nothing };
	await platform.start({ ...rest, suggest: async () => [], home: async () => ({ text: '', recent: [] }), ...inbox });
	return platform;
}

/** Who invokes, with a channel to answer in for as long as the returned function is not called. */
async function held(deferAfterMs?: number) {
	const { promise: taken, resolve: take } = Promise.withResolvers<Invocation>();
	const { promise: end, resolve: release } = Promise.withResolvers<void>();
	const invoke = (invocation: Invocation) => {
		take(invocation);
		return end;
	};
	const platform = await running({ invoke }, deferAfterMs === undefined ? {} : { deferAfterMs });
	return { platform, taken, release };
}

const requestsTo = (path: RegExp) => discord.requests.filter((request) => path.test(request.path));
const texts = async (person = 'ada') => (await discord.user(person).look()).map(({ text }) => text);

describe('the commands', () => {
	test('are registered in one call that can be repeated, everywhere or in one server', async () => {
		expect(await registeredDiffers({ rest: rest(), commands: COMMANDS })).toBe(false);
		const fewer = COMMANDS.slice(1);
		expect(await registeredDiffers({ rest: rest(), commands: fewer })).toBe(true);
		expect(await registerCommands({ rest: rest(), commands: fewer })).toBe(8);
		expect(await registeredDiffers({ rest: rest(), commands: fewer })).toBe(false);
		const guild = discord.world.server().id;
		await registerCommands({ rest: rest(), commands: COMMANDS, guild });
		expect(discord.commands(guild).map(({ name }) => name)).toContain('imagine');
	});

	test('models are completed by the core, sizes by what is declared', async () => {
		const [imagine, ...others] = COMMANDS;
		if (!imagine) throw new Error('There are no commands');
		const fields = imagine.fields.map((field) =>
			field.name === 'prompt' && field.kind === 'text' ? { ...field, completed: true as const } : field,
		);
		const commands = [{ ...imagine, fields }, ...others];
		await registerCommands({ rest: rest(), commands });
		await running({ suggest: async ({ command, option, typed }) => [`${command} ${option} ${typed}`] }, { commands });
		const ada = discord.user('ada');
		expect(await ada.suggest('imagine', 'size', '1536')).toEqual([
			{ name: '1536x1024', value: '1536x1024' },
			{ name: '1024x1536', value: '1024x1536' },
		]);
		expect(await ada.suggest('imagine', 'prompt', 'be')).toEqual([
			{ name: 'imagine prompt be', value: 'imagine prompt be' },
		]);
	});

	test('come with who asks, where, and what the server takes', async () => {
		const { taken, release } = await held();
		const ada = discord.user('ada');
		const asked = ada.command('imagine', { prompt: 'a fox', n: 2 });
		const { person, channel, command, options } = await taken;
		expect({ command, options }).toEqual({ command: 'imagine', options: { prompt: 'a fox', n: 2 } });
		expect(person).toMatchObject({ id: ada.account.id, name: 'Ada', moderator: true, locale: 'en-US' });
		expect(channel.place).toEqual({ platform: 'discord', server: discord.world.server().id, channel: ada.channel.id });
		expect(channel.limits).toMatchObject({ text: 2000, pictures: 10, pictureBytes: 10 * 1024 * 1024 });
		expect(channel.when(1_700_000_000_000)).toBe('<t:1700000000:f> (<t:1700000000:R>)');
		expect(channel.refer('role', '1')).toBe('<@&1>');
		await channel.post({ text: 'Here.' }, 'k');
		release();
		await asked;
	});
});

describe('an answer', () => {
	test('is the first thing that Discord hears, for all or for one, and can be edited under its key', async () => {
		const { taken, release } = await held();
		const asked = discord.user('ada').command('imagine', { prompt: 'a fox' });
		const { channel } = await taken;
		const post = await channel.post({ text: 'For you', visibility: 'private' }, 'one');
		await asked;
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

	test('over the limits is never sent', async () => {
		const { taken, release } = await held();
		const asked = discord.user('ada').command('imagine', { prompt: 'a fox' });
		const { channel } = await taken;
		await expect(channel.post({ text: 'x'.repeat(2001) }, 'k')).rejects.toThrow(RangeError);
		await expect(channel.post({ text: 'x' }, 'no key')).rejects.toThrow(RangeError);
		await channel.post({ text: 'x'.repeat(2000) }, 'k');
		release();
		await asked;
		expect(requestsTo(/callback/)).toHaveLength(1);
	});

	test.each([
		['public', ['slow'], ['slow']],
		['private', ['slow'], []],
	] as const)('that takes its time is promised first; then it is %s', async (visibility, hers, his) => {
		const { taken, release } = await held(0);
		await discord.user('ada').command('imagine', { prompt: 'a fox' });
		expect(await texts('bjorn')).toEqual(['']);
		const { channel } = await taken;
		await channel.post({ text: 'slow', visibility }, 'k');
		release();
		expect(await texts()).toEqual(hers);
		expect(await texts('bjorn')).toEqual(his);
	});

	test('that Discord took though it said otherwise is not given twice', async () => {
		discord.faults.serverError({ path: /callback$/ }, { after: true });
		const { taken, release } = await held();
		const asked = discord.user('ada').command('imagine', { prompt: 'a fox' });
		const { channel } = await taken;
		const post = await channel.post({ text: 'Drawing' }, 'k');
		await post.edit({ text: 'A fox' });
		release();
		await asked;
		expect(await texts()).toEqual(['A fox']);
		// It could not know what became of the first.
		discord.violations.length = 0;
	});

	test('that never comes leaves no promise behind', async () => {
		const { release } = await held(0);
		await discord.user('ada').command('imagine', { prompt: 'a fox' });
		release();
		await vi.waitFor(async () => expect(await texts()).toEqual([]));
	});

	test('with files is promised, then sent; alt text and files as they are', async () => {
		const { taken, release } = await held();
		const asked = discord.user('ada').command('imagine', { prompt: 'a fox' });
		const { channel } = await taken;
		const { bytes } = await pngFile();
		const pictures = [{ name: 'fox "1".png', bytes, alt: `${'long '.repeat(300)}` }];
		await channel.post({ text: 'A fox', pictures, files: [{ name: 'a.csv', bytes: Buffer.from('1,2') }] }, 'k');
		release();
		await asked;
		const [seen] = await discord.user('ada').look();
		expect(seen).toMatchObject({ files: ['a.csv'], pictures: [{ bytes: new Uint8Array(bytes) }] });
		expect(seen?.pictures[0]?.alt).toHaveLength(1024);
	});

	test.each([
		['has ended after 15 minutes', () => discord.clock.advance(16 * 60_000)],
		['dies before its time', () => discord.faults.killTokens()],
		['is lost by Discord', () => discord.faults.loseAnswers()],
	])('goes on as the bot itself when the token %s', async (_, happens) => {
		const { taken, release } = await held();
		await Promise.all([
			discord.user('ada').command('imagine', { prompt: 'a fox' }),
			taken.then(({ channel }) => channel.post({ text: 'Drawing' }, 'k')),
		]);
		const { channel } = await taken;
		const post = (await channel.post({ text: 'Drawing still' }, 'k')) as Post;
		happens();
		await post.edit({ text: 'A fox' });
		await channel.post({ text: 'And another' }, 'k2');
		expect(await texts('bjorn')).toEqual(['A fox', 'And another']);
		await expect(channel.post({ text: 'A secret', visibility: 'private' }, 'k3')).rejects.toThrow(
			'Only the person who asked',
		);
		release();
	});

	test('beyond the few that are allowed where only somebody has brought the bot along is refused in a sentence', async () => {
		await begin({ servers: [{ members: { ada: {} }, application: false }] });
		discord.world.person('ada').installed = true;
		const { taken, release } = await held();
		const asked = discord.user('ada').command('imagine', { prompt: 'a fox' });
		const { channel } = await taken;
		const first = await channel.post({ text: 'the answer' }, 'k');
		for (let more = 1; more <= 5; more++) await channel.post({ text: `more ${more}` }, `k${more}`);
		await expect(channel.post({ text: 'too much' }, 'k6')).rejects.toThrow(
			/not a member here, so I can answer only a few times/,
		);
		for (let edits = 0; edits < 8; edits++) await first.edit({ text: `edit ${edits}` });
		expect(await texts()).toContain('edit 7');
		release();
		await asked;
	});

	test('whose message was deleted rejects, so that it can be posted anew', async () => {
		const { taken, release } = await held();
		const ada = discord.user('ada');
		await Promise.all([
			ada.command('imagine', { prompt: 'a fox' }),
			taken.then(({ channel }) => channel.post({ text: 'Drawing' }, 'k')),
		]);
		const { channel, id } = await taken;
		const { place } = channel;
		const platform = platforms[0] as Platform;
		const post = (await platform.find({ place, key: 'k' })) as Post;
		const [seen] = await ada.look();
		if (seen) await ada.erase(seen);
		await expect(post.edit({ text: 'A fox' })).rejects.toThrow();
		expect(await platform.find({ place, key: 'k' })).toBeUndefined();
		await channel.post({ text: 'A fox' }, id);
		expect(await texts()).toEqual(['A fox']);
		release();
	});

	test('is found by its key alone in another process, and by its handle where nothing is kept', async () => {
		const { platform, taken, release } = await held();
		await Promise.all([
			discord.user('ada').command('imagine', { prompt: 'a fox' }),
			taken.then(({ channel }) => channel.post({ text: 'Drawing' }, 'k')),
		]);
		release();
		const { channel } = await taken;
		await platform.stop();
		const other = await running({});
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

	test('that takes the place of a promise is found, though nothing was heard of it any more', async () => {
		const { platform, taken, release } = await held(1);
		await discord.user('ada').command('imagine', { prompt: 'a fox' });
		const { channel } = await taken;
		await discord.user('ada').look();
		discord.faults.add({ method: 'PATCH' }, { die: true }, 20);
		await expect(channel.post({ text: 'Drawing' }, 'k')).rejects.toThrow();
		discord.faults.clear();
		const found = await platform.find({ place: channel.place, key: 'k' });
		await found?.edit({ text: 'A fox' });
		expect(await texts()).toEqual(['A fox']);
		release();
	});

	test('said twice under one key is one message, though nothing was written down of the first', async () => {
		const platform = await running({});
		const place = { platform: 'discord', server: discord.world.server().id, channel: discord.world.channel().id };
		const channel = (await platform.channel(place)) as Channel;
		await channel.post({ text: 'once' }, 'k');
		await keyv.clear();
		await channel.post({ text: 'and differently' }, 'k');
		expect(await texts()).toEqual(['and differently']);
		expect(await platform.channel({ ...place, channel: '100000000000000000' })).toBeUndefined();
	});

	test('waits where Discord asks to wait, and is not repeated', async () => {
		const platform = await running({});
		const place = { platform: 'discord', server: discord.world.server().id, channel: discord.world.channel().id };
		const channel = (await platform.channel(place)) as Channel;
		await Promise.all(Array.from({ length: 12 }, (_, index) => channel.post({ text: `number ${index}` }, `k${index}`)));
		discord.faults.serverError({ method: 'POST', path: /messages$/ }, { after: true });
		await channel.post({ text: 'twice asked' }, 'k');
		expect(await texts()).toHaveLength(13);
		expect(discord.requests.map(({ status }) => status)).not.toContain(429);
	});
});

describe('a press', () => {
	test('that needs no answer is acknowledged in silence, and can take away what only one person sees', async () => {
		const platform = await running({
			invoke: ({ channel }) =>
				channel
					.post({ text: 'A secret', buttons: [{ id: 'delete:1:x', label: 'Delete' }], visibility: 'private' }, 'k')
					.then(() => {}),
			press: async ({ message }) => (await platform.find(message))?.delete(),
		});
		const ada = discord.user('ada');
		await ada.command('imagine', { prompt: 'a fox' });
		await vi.waitFor(async () => expect(await texts()).toEqual(['A secret']));
		const [seen] = await ada.look();
		// The token of the command is over by then.
		await keyv.clear();
		if (seen) await ada.press(seen, 'Delete');
		await vi.waitFor(async () => expect(await texts()).toEqual([]));
	});

	test('tells the pictures of the message, and its form brings them along once more', async () => {
		const submitted = Promise.withResolvers<Invocation>();
		await running({
			press: async (press) => {
				expect(press.button).toBe('edit:1:menu');
				const fields = COMMANDS[1]?.fields.filter(({ name }) => name !== 'image') ?? [];
				await press.open({ id: press.button, command: 'edit', title: 'Edit image', fields });
			},
			invoke: async (invocation) => {
				await invocation.channel.post({ text: 'Inking' }, 'k');
				submitted.resolve(invocation);
			},
		});
		const ada = discord.user('ada');
		const file = await pngFile();
		await discord.user('bjorn').say('my drawing', [file, { name: 'notes.txt', bytes: Buffer.from('no') }]);
		const [message] = await ada.look();
		if (message) await ada.menu(message, 'Edit image');
		const form = ada.form();
		if (form) await ada.submit(form, { prompt: 'ink it', n: '2', private: true });
		const { form: id, command, options, attached = [] } = await submitted.promise;
		expect({ id, command, options }).toMatchObject({
			id: 'edit:1:menu',
			command: 'edit',
			options: { prompt: 'ink it', n: '2', private: true },
		});
		expect(attached.map(({ name }) => name)).toEqual(['picture.png']);
		expect(Buffer.from((await attached[0]?.read(AbortSignal.timeout(5000))) ?? [])).toEqual(Buffer.from(file.bytes));
	});
});

describe('messages', () => {
	async function listening(options: Partial<DiscordOptions> = {}) {
		const heard: IncomingMessage[] = [];
		const changes: unknown[] = [];
		const forgotten: PlaceScope[] = [];
		const inbox = {
			hear: async (message: IncomingMessage) => void heard.push(message),
			changed: async (change: unknown) => void changes.push(change),
			forget: async (where: PlaceScope) => void forgotten.push(where),
		};
		const platform = await running(inbox, options);
		return { platform, heard, changes, forgotten };
	}

	test('outside of threads only those that address the bot are heard, without its name', async () => {
		const { heard } = await listening();
		await discord.user('bjorn').say('hello all');
		await discord.user('ada').say('@Easel hello @Björn', [await pngFile()]);
		await vi.waitFor(() => expect(heard).toHaveLength(1));
		expect(heard[0]).toMatchObject({ addressed: true, toOthers: true, person: { name: 'Ada', moderator: true } });
		expect(heard[0]?.text).toMatch(/^hello <@\d+>$/);
		expect(heard[0]?.uploads.map(({ name }) => name)).toEqual(['picture.png']);
	});

	test('in threads all are heard, also what becomes of them, until the thread is gone', async () => {
		const { platform, heard, changes, forgotten } = await listening();
		const thread = discord.threads.create(discord.world.channel(), 'Foxes', 'ada');
		const bjorn = discord.user('bjorn', thread);
		await bjorn.say('are they red?');
		await vi.waitFor(() => expect(heard).toHaveLength(1));
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
		await vi.waitFor(() =>
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
		await vi.waitFor(() => expect(forgotten).toEqual([place]));
	});

	test('without the right to read, those that mention the bot are heard all the same', async () => {
		discord.settings.privileged.messageContent = false;
		const { platform, heard } = await listening();
		expect(platform.state()).toBe('ready');
		expect(logged.join()).toMatch(
			/turn on Message Content Intent .* or set DISCORD_MESSAGE_CONTENT=off\..*only what mentions the bot/,
		);
		expect(discord.gateway.counts.identified).toBe(2);
		const thread = discord.threads.create(discord.world.channel(), 'Foxes', 'ada');
		await discord.user('ada', thread).say('psst');
		await discord.user('ada', thread).say('@Easel hello');
		await vi.waitFor(() => expect(heard.map(({ text }) => text)).toEqual(['hello']));
	});

	test('a thread opens on the answer to the command, and beside the one that it is asked for in', async () => {
		const opened: Channel[] = [];
		await running({
			invoke: async ({ channel }) => void opened.push(await channel.openThread('On *foxes*\nand more')),
		});
		await discord.user('ada').command('chat', {});
		await vi.waitFor(() => expect(opened).toHaveLength(1));
		const [thread] = await discord.user('ada').threads();
		expect(thread).toMatchObject({ title: 'On *foxes* and more', id: opened[0]?.place.thread });
		await discord.user('ada', thread?.id).command('chat', {});
		await vi.waitFor(() => expect(opened).toHaveLength(2));
		expect(opened[1]?.place.channel).toBe(discord.world.channel().id);
	});

	test('a thread is what its channel has: of announcements, or a post in a forum', async () => {
		await begin({
			servers: [
				{
					members: { ada: {} },
					channels: [
						{ name: 'news', type: ChannelType.GuildAnnouncement },
						{ name: 'forum', type: ChannelType.GuildForum },
					],
				},
			],
		});
		const opened: (Channel | Error)[] = [];
		await running({
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
		await vi.waitFor(() => expect(opened.map(typeOf)).toEqual([ChannelType.AnnouncementThread]));
		await ada.in((opened[0] as Channel).place.thread ?? '').command('chat', {});
		const post = discord.threads.create(discord.world.channel('forum'), 'A post', 'ada');
		await ada.in(post).command('chat', {});
		await vi.waitFor(() => expect(opened).toHaveLength(3));
		await ada.in(post).command('imagine', { prompt: 'foxes', private: true });
		await vi.waitFor(() =>
			expect(opened.map(typeOf)).toEqual([
				...[ChannelType.AnnouncementThread, ChannelType.AnnouncementThread, ChannelType.PublicThread],
				'Channels of this kind have no private threads. Try another channel.',
			]),
		);
		expect((await ada.in(post).look()).map(({ text }) => text)).toEqual(['#On foxes', 'Done', 'Done']);
	});

	test('a thread that may not be opened leaves nothing behind', async () => {
		discord.world.rule(discord.world.channel(), 'me', 'deny', ['CreatePublicThreads']);
		await running({
			invoke: async ({ channel, id }) => {
				await channel
					.openThread('On foxes')
					.catch(({ message }: Error) => channel.post({ text: message, visibility: 'private' }, id));
			},
		});
		await discord.user('ada').command('chat', {});
		await vi.waitFor(async () =>
			expect(await discord.user('ada').look()).toMatchObject([
				{ text: expect.stringMatching(/can't open threads here/), private: true },
			]),
		);
	});
});

describe('a private thread', () => {
	const place = () => ({ server: discord.world.server().id, channel: discord.world.channel().id });
	/** What comes of opening one. */
	async function opening() {
		const opened = Promise.withResolvers<Channel | Error>();
		await running({
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

	test('is for who asked alone, who alone is told of it', async () => {
		const thread = await opening();
		expect(thread).toMatchObject({ place: { ...place(), thread: expect.any(String) } });
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

	test('that the bot may not open is refused in a sentence', async () => {
		discord.world.rule(discord.world.channel(), 'me', 'deny', ['CreatePrivateThreads']);
		expect(await opening()).toMatchObject({
			name: 'PlatformRefusedError',
			message: expect.stringMatching(/Create Private Threads/),
		});
		expect(await discord.user('ada').look()).toMatchObject([
			{ text: expect.stringMatching(/can't open private threads/), private: true },
		]);
	});
});

describe('the connection', () => {
	test('is resumed when it breaks, and what happened meanwhile is heard', async () => {
		const heard: string[] = [];
		const platform = await running({ hear: async ({ text }) => void heard.push(text) });
		discord.gateway.close(4000);
		await vi.waitFor(() => expect(platform.state()).toBe('reconnecting'));
		await discord.user('ada').say('@Easel meanwhile');
		await vi.waitFor(() => expect(heard).toEqual(['meanwhile']));
		expect(platform.state()).toBe('ready');
		expect(discord.gateway.counts).toMatchObject({ identified: 1, resumed: 1 });
	});

	test.each([
		['breaks without a word', () => discord.gateway.drop(), { identified: 1, resumed: 1 }],
		['is asked for anew', () => discord.gateway.askToReconnect(), { identified: 1, resumed: 1 }],
		['can’t be resumed', () => discord.gateway.invalidate(false), { identified: 2, resumed: 0 }],
	])(
		'that %s stands again',
		async (_, happens, counts) => {
			const heard: string[] = [];
			const platform = await running({ hear: async ({ text }) => void heard.push(text) });
			happens();
			await vi.waitFor(() => expect(discord.gateway.counts).toMatchObject(counts), { timeout: 10_000 });
			await vi.waitFor(() => expect(platform.state()).toBe('ready'));
			await discord.user('ada').say('@Easel still there?');
			await vi.waitFor(() => expect(heard).toEqual(['still there?']));
		},
		15_000,
	);

	test('of which Discord refuses very much is warned of', async () => {
		discord.world.rule(discord.world.channel(), 'me', 'deny', ['ViewChannel']);
		const client = rest();
		for (let count = 0; count < 100; count++)
			await client.get(Routes.channel(discord.world.channel().id)).catch(() => {});
		expect(logged).toEqual([
			expect.stringMatching(/refused many requests; it bans an address after 10,000 in ten minutes/),
		]);
	});

	test.each([
		['the token', () => Object.assign(discord.settings, { token: 'another.one' }), 'auto', /reset the token/],
		['the number of shards', () => Object.assign(discord.settings, { shards: 1 }), '0-0/1', undefined],
	])('is refused for %s in one sentence', async (_, change, shards, sentence) => {
		const platform = easel({ shards });
		change();
		if (!sentence) return void (await platform.start({} as Inbox));
		await expect(platform.start({} as Inbox)).rejects.toThrow(sentence);
		expect(platform.state()).toBe('refused');
	});

	test.each([
		['was cut off', { die: true } as const, 2],
		// The library asks four times there.
		['answers with its own troubles', { answer: new DiscordError(502, 0, 'Bad Gateway') }, 8],
	])('is tried for as long as Discord %s, and nobody waits for it', async (_, fault, times) => {
		discord.faults.add({ path: /^\/gateway\/bot$/ }, fault, times);
		const heard: string[] = [];
		const platform = await running({ hear: async ({ text }) => void heard.push(text) }, { firstWaitMs: 20 });
		expect(platform.state()).toBe('unreachable');
		await vi.waitFor(() => expect(platform.state()).toBe('ready'));
		await discord.user('ada').say('@Easel there you are');
		await vi.waitFor(() => expect(heard).toEqual(['there you are']));
	});

	test('that was out of reach and then is refused says so', async () => {
		discord.faults.add({ path: /^\/gateway\/bot$/ }, { die: true });
		discord.settings.token = 'another.one';
		const platform = await running({}, { firstWaitMs: 20 });
		await vi.waitFor(() => expect(platform.state()).toBe('refused'));
	});

	test('that is told to stop before it stands is not tried any more', async () => {
		discord.faults.add({ path: /^\/gateway\/bot$/ }, { die: true }, 100);
		const platform = await running({}, { firstWaitMs: 60_000 });
		await platform.stop();
		expect(platform.state()).toBe('stopped');
		expect(requestsTo(/gateway\/bot/)).toHaveLength(1);
	});

	test('waits where Discord allows no more starts today, without asking for one', async () => {
		Object.assign(discord.settings, { identifies: 1, identifyResetMs: 300, shards: 2 });
		const platform = await running({});
		expect(platform.state()).toBe('waiting');
		expect(discord.gateway.counts.identified).toBe(0);
		discord.settings.identifies = 2;
		await vi.waitFor(() => expect(platform.state()).toBe('ready'));
		expect(discord.gateway.counts.identified).toBe(2);
	});

	test('that Discord ends for good says so', async () => {
		const platform = await running({});
		discord.gateway.close(4004);
		await vi.waitFor(() => expect(platform.state()).toBe('refused'));
	});

	test('that may not read messages is ready without, whatever its shards', async () => {
		await begin({ shards: 2, privileged: { messageContent: false, members: false, presences: false } });
		const platform = await running({});
		await vi.waitFor(() => expect(platform.state()).toBe('ready'));
		expect(discord.gateway.connected()).toHaveLength(2);
	});

	test('runs the shards that it is told to', async () => {
		const platform = await running({}, { shards: '0-1/2' });
		expect(platform.state()).toBe('ready');
		expect(discord.gateway.connected()).toHaveLength(2);
	});

	test('once stopped takes no further events, and what runs still posts', async () => {
		const { platform, taken, release } = await held();
		await Promise.all([
			discord.user('ada').command('imagine', { prompt: 'a fox' }),
			taken.then(({ channel }) => channel.post({ text: 'Drawing' }, 'k')),
		]);
		await platform.stop();
		expect(platform.state()).toBe('stopped');
		const { channel } = await taken;
		await channel.post({ text: 'A fox' }, 'k');
		const other = await channel.post({ text: 'Said as the bot' }, 'other');
		expect(await texts()).toEqual(['A fox', 'Said as the bot']);
		await other.delete();
		release();
	});

	test('a core that fails ends nothing', async () => {
		const platform = await running({
			invoke: () => Promise.reject(new Error('no')),
			hear: () => {
				throw new Error('no');
			},
		});
		await discord.user('ada').say('@Easel hello');
		void discord.user('ada').command('imagine', { prompt: 'a fox' });
		await vi.waitFor(() => expect(discord.user('ada').last).toBeDefined());
		expect(platform.state()).toBe('ready');
		discord.violations.length = 0;
	});
});

test('pictures arrive whole with the image service’s client at work in the same process', async () => {
	const service = await startFaultyService();
	const png = await smallPng('#e67e22', 640, 480);
	service.always(answersPictures(png));
	const client = new ServiceClient({
		baseUrl: service.url,
		apiKey: 'key',
		timeoutMs: 10_000,
		models: { image: 'alpha-image', chat: 'chat', embedding: 'embedding' },
	});
	const { taken, release } = await held();
	const asked = discord.user('ada').command('imagine', { prompt: 'a fox' });
	const { channel } = await taken;
	const post = await channel.post({ text: 'Drawing' }, 'k');
	await asked;
	const { images } = await client.generate({ prompt: 'a fox', n: 1 }, AbortSignal.timeout(10_000));
	await post.edit({
		text: 'A fox',
		pictures: images.map(({ bytes }, index) => ({ name: `${index}.png`, bytes, alt: 'a fox' })),
	});
	const [seen] = await discord.user('ada').look();
	expect(seen?.pictures).toEqual([{ bytes: new Uint8Array(png), alt: 'a fox' }]);
	release();
	await client.close();
	await service.close();
});
