import {
	AttachmentBuilder,
	ChannelType,
	type ChatInputCommandInteraction,
	type Client,
	type ClientOptions,
	ComponentType,
	DiscordAPIError,
	Events,
	GatewayCloseCodes,
	GatewayOpcodes,
	GatewayIntentBits as Intent,
	type Interaction,
	type MessageContextMenuCommandInteraction,
	MessageFlags,
	type ModalSubmitInteraction,
	Partials,
	type TextChannel,
} from 'discord.js';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { pngFile } from '../pictures.ts';
import { INTENTS, login as loginTo } from './client.fixture.ts';
import { type DiscordFake, type DiscordOptions, startDiscord } from './index.ts';

let discord: DiscordFake;
let clients: Client[] = [];

async function start(options: DiscordOptions = {}) {
	await discord?.close();
	discord = await startDiscord({ pace: 0.02, ...options });
}

async function login(act?: (interaction: Interaction) => Promise<unknown>, more?: Partial<ClientOptions>) {
	const logged = await loginTo(discord, act, more);
	clients.push(logged.client);
	return logged;
}

/** Logs in and answers commands. */
const answering = (act: (command: ChatInputCommandInteraction) => Promise<unknown>) =>
	login((interaction) => act(interaction as ChatInputCommandInteraction));

const channelOf = (client: Client, name?: string) =>
	client.channels.fetch(discord.world.channel(name).id) as Promise<TextChannel>;

/** The code that Discord refuses with. */
const codeOf = (request: Promise<unknown>) =>
	request.then(
		() => 'no refusal',
		(error) => (error instanceof DiscordAPIError ? error.code : error),
	);

beforeEach(() => start());
afterEach(async () => {
	for (const client of clients) await client.destroy();
	clients = [];
	await discord.close();
});

describe('a command', () => {
	test('is deferred, and its picture comes into the same message with its bytes and words', async () => {
		const picture = await pngFile();
		const answer = await pngFile('#112233', 'answer.png');
		const { errors } = await answering(async (command) => {
			await command.deferReply();
			const { url, contentType } = command.options.getAttachment('image', true);
			expect(Buffer.from(await (await fetch(url)).arrayBuffer())).toEqual(Buffer.from(picture.bytes));
			await command.editReply({
				content: `${contentType} ${command.options.getInteger('n')} <@${command.user.id}>`,
				files: [new AttachmentBuilder(Buffer.from(answer.bytes), { name: answer.name, description: 'a fox' })],
				components: [{ type: 1, components: [{ type: 2, style: 2, label: 'Again', customId: 'again:1:x' }] }],
			});
		});
		const ada = discord.user('ada');
		await ada.command('edit', { image: picture, n: 3 });
		expect((await ada.look())[0]).toMatchObject({ text: '', private: false });
		await vi.waitFor(async () => expect((await ada.look())[0]?.pictures).toHaveLength(1));
		expect(await ada.look()).toEqual([
			{
				id: expect.any(String),
				text: 'image/png 3 @Ada',
				pictures: [{ bytes: new Uint8Array(answer.bytes), alt: 'a fox' }],
				files: [],
				buttons: ['Again'],
				private: false,
			},
		]);
		expect(errors).toEqual([]);
		expect(discord.violations).toEqual([]);
	});

	test('tells who asks, where, in which language, with what rights and how large files may be', async () => {
		await start({
			servers: [
				{
					locale: 'de',
					fileBytes: 50 * 2 ** 20,
					roles: { Painters: ['ManageMessages'] },
					channels: ['general', { name: 'after-dark', nsfw: true, deny: { everyone: ['AttachFiles'] } }],
					members: { ada: { name: 'Ada', locale: 'fr', permissions: ['ManageGuild'], roles: ['Painters'] }, bjorn: {} },
				},
			],
		});
		const told: unknown[] = [];
		await answering(async (command) => {
			const { locale, guildLocale, memberPermissions, attachmentSizeLimit, context, authorizingIntegrationOwners } =
				command;
			told.push({
				locale,
				guildLocale,
				attachmentSizeLimit,
				context,
				owner: authorizingIntegrationOwners.guildId,
				manages: memberPermissions?.has('ManageGuild'),
				attaches: memberPermissions?.has('AttachFiles'),
				subcommand: command.options.getSubcommand(),
				role: command.options.getRole('role')?.name,
				member: command.options.getUser('member')?.globalName,
				nsfw: (command.channel as TextChannel).nsfw,
			});
			await command.reply({ content: 'ok', flags: MessageFlags.Ephemeral });
		});
		const role = [...discord.world.server().roles.values()].find(({ name }) => name === 'Painters')?.id ?? '';
		const member = discord.world.person('bjorn').id;
		const common = {
			guildLocale: 'de',
			attachmentSizeLimit: 50 * 2 ** 20,
			context: 0,
			owner: discord.world.server().id,
			subcommand: 'set',
		};
		await discord.user('ada', 'after-dark').command('limits set', { role, member });
		await discord.user('bjorn').command('limits set', {});
		expect(told).toEqual([
			{ ...common, locale: 'fr', manages: true, attaches: false, role: 'Painters', member: 'bjorn', nsfw: true },
			{ ...common, locale: 'en-US', manages: false, attaches: true, role: undefined, member: undefined, nsfw: false },
		]);
		expect(discord.user('bjorn').refuses('limits set', {})).toMatch(/permission/);
		expect(discord.user('ada').refuses('edit', { prompt: 'x' })).toMatch(/image: .*required/);
		expect(discord.user('ada').refuses('edit', { image: { name: 'a.txt', bytes: new Uint8Array() } })).toMatch(/image/);
	});

	test('that nobody acknowledges within 3 s fails, and later answers find nothing', async () => {
		const late = Promise.withResolvers<unknown>();
		await answering(async (command) => {
			discord.clock.advance(3001);
			late.resolve(await codeOf(command.reply('too late')));
		});
		await discord.user('ada').command('ask', {});
		expect(await late.promise).toBe(10062);
		expect(discord.violations).toEqual([expect.stringMatching(/ask.*3 s/)]);
	});

	test('is answered once; delivered twice, the second answer is refused', async () => {
		const codes: unknown[] = [];
		await answering(async (command) => {
			codes.push(await codeOf(command.reply({ content: 'hello', flags: MessageFlags.Ephemeral })));
		});
		const ada = discord.user('ada');
		await ada.command('ask', {}, 'twice');
		await ada.command('ask', {}, 'twice');
		await vi.waitFor(() => expect(codes).toEqual(['no refusal', 40060]));
		expect(await ada.look()).toMatchObject([{ text: 'hello', private: true }]);
		expect(await discord.user('bjorn').look()).toEqual([]);
		expect(discord.violations).toEqual([]);
	});

	test('is answered by its token for 15 minutes, unless Discord loses it', async () => {
		const command = Promise.withResolvers<ChatInputCommandInteraction>();
		await answering(async (asked) => {
			await asked.deferReply({ flags: MessageFlags.Ephemeral });
			command.resolve(asked);
		});
		await discord.user('ada').command('ask', {});
		const asked = await command.promise;
		// Directly after the deferral a follow-up is the deferred answer, and stays as private as that.
		await asked.followUp('first');
		expect(await discord.user('ada').look()).toMatchObject([{ text: 'first', private: true }]);
		discord.faults.loseResponses(1);
		expect(await codeOf(asked.editReply('second'))).toBe(10015);
		discord.clock.advance(14 * 60_000);
		expect(await codeOf(asked.editReply('second'))).toBe('no refusal');
		discord.clock.advance(60_001);
		expect(await codeOf(asked.editReply('third'))).toBe(50027);
		expect(discord.violations).toEqual([]);
	});

	test('is completed while it is typed', async () => {
		await login(async (interaction) => {
			if (!interaction.isAutocomplete()) return;
			const { name, value } = interaction.options.getFocused(true);
			await interaction.respond([{ name: `${name} ${value}`, value: 'fox' }]);
		});
		expect(await discord.user('ada').suggest('edit', 'prompt', 'fo')).toEqual([{ name: 'prompt fo', value: 'fox' }]);
	});
});

describe('forms and menus', () => {
	test('a menu delivers the message without the intent, opens a form, and takes its file', async () => {
		await start({ privileged: { messageContent: false, members: false, presences: false } });
		const file = await pngFile();
		const { errors } = await login(async (interaction) => {
			if (interaction.isMessageContextMenuCommand()) await openForm(interaction);
			if (interaction.isModalSubmit()) await takeForm(interaction);
		});
		const ada = discord.user('ada');
		await discord.user('bjorn').say('my drawing', [file]);
		const [drawing] = await ada.look();
		await ada.menu(drawing!, 'Edit image');
		const form = ada.form();
		expect(form).toMatchObject({ id: 'form:1', title: 'Edit image', note: 'my drawing 1' });
		expect(form?.fields.map(({ name, kind }) => [name, kind])).toEqual([
			['prompt', 'text'],
			['more', 'picture'],
			['size', 'choice'],
			['private', 'flag'],
		]);
		await ada.submit(form!, { prompt: 'ink it', more: file, size: 'large', private: true });
		expect((await ada.look()).at(-1)).toMatchObject({ text: 'ink it picture.png large true', private: true });
		expect(errors).toEqual([]);
		expect(discord.violations).toEqual([]);
	});

	async function openForm(menu: MessageContextMenuCommandInteraction) {
		const input = { type: ComponentType.TextInput, customId: 'prompt', style: 1 } as const;
		const sizes = ['small', 'large'].map((size) => ({ label: size, value: size }));
		await menu.showModal({
			customId: 'form:1',
			title: 'Edit image',
			components: [
				{ type: 10, content: `${menu.targetMessage.content} ${menu.targetMessage.attachments.size}` },
				{ type: 18, label: 'Instruction', component: input },
				{ type: 18, label: 'More', component: { type: 19, custom_id: 'more', max_values: 2, required: false } },
				{ type: 18, label: 'Size', component: { type: 21, custom_id: 'size', options: sizes } },
				{ type: 18, label: 'Only for me', component: { type: 23, custom_id: 'private' } },
			],
		} as never);
	}

	async function takeForm(form: ModalSubmitInteraction) {
		const { fields } = form;
		const names = fields.getUploadedFiles('more')?.map(({ name }) => name);
		const size = fields.getRadioGroup('size');
		const text = [fields.getTextInputValue('prompt'), names, size, fields.getCheckbox('private')];
		await form.reply({ content: text.join(' '), flags: MessageFlags.Ephemeral });
	}
});

describe('bodies out of limits are refused as Discord refuses them, and written down', () => {
	const button = (customId: string, label = 'A') => ({ type: 2, style: 2, label, custom_id: customId });
	const row = (...components: object[]) => ({ type: 1, components });
	const text = (content: string) => ({ type: 10, content });
	const V2 = MessageFlags.IsComponentsV2;

	test.each<[string, object, string]>([
		['2001 characters', { content: 'x'.repeat(2001) }, 'content'],
		['six rows', { components: Array.from({ length: 6 }, (_, n) => row(button(`${n}`))) }, 'components'],
		['six buttons', { components: [row(...Array.from({ length: 6 }, (_, n) => button(`${n}`)))] }, 'components'],
		['a label of 81', { components: [row(button('a', 'x'.repeat(81)))] }, 'label'],
		['an id of 101', { components: [row(button('x'.repeat(101)))] }, 'custom_id'],
		['the same id twice', { components: [row(button('a'), button('a'))] }, 'DUPLICATED'],
		['a layout without the flag', { components: [text('hello')] }, 'components'],
		['a layout and a text', { flags: V2, content: 'hello', components: [text('hello')] }, 'LEGACY_FIELDS'],
		['41 components', { flags: V2, components: Array.from({ length: 41 }, () => text('a')) }, 'MAX_TOTAL'],
		['4001 characters', { flags: V2, components: [text('x'.repeat(2000)), text('x'.repeat(2001))] }, 'TEXT_SIZE'],
		['a file that is none', { content: 'a', attachments: [{ id: '0' }] }, 'attachments'],
		[
			'a picture that is none',
			{ flags: V2, components: [{ type: 13, file: { url: 'attachment://a.png' } }] },
			'NOT_FOUND',
		],
		[
			'embeds of 6001',
			{ embeds: [{ description: 'x'.repeat(4000) }, { description: 'x'.repeat(2001) }] },
			'EMBED_SIZE',
		],
		[
			'contradicting mentions',
			{ content: 'a', allowed_mentions: { parse: ['users'], users: ['1'.repeat(18)] } },
			'EXCLUSIVE',
		],
	])('%s', async (_, body, word) => {
		const { client } = await login();
		const channel = discord.world.channel();
		expect(await codeOf(client.rest.post(`/channels/${channel.id}/messages`, { body }))).toBe(50035);
		expect(discord.violations).toEqual([expect.stringContaining(word)]);
		expect(channel.messages.size).toBe(0);
	});

	test('nothing to see, files over the server’s limit, and too many of them', async () => {
		const { client } = await login();
		const channel = await channelOf(client);
		discord.world.server().fileBytes = 1000;
		const file = (size: number) => new AttachmentBuilder(Buffer.alloc(size), { name: 'a.png' });
		expect(await codeOf(channel.send({ content: ' ' }))).toBe(50006);
		expect(await codeOf(channel.send({ files: [file(1001)] }))).toBe(40005);
		expect(await codeOf(channel.send({ files: Array.from({ length: 11 }, () => file(10)) }))).toBe(50035);
		expect(discord.violations).toHaveLength(3);
	});

	test.each<[string, object, string]>([
		['a name in capitals', { name: 'Imagine', description: 'a' }, 'lowercase'],
		['no description', { name: 'imagine' }, 'description'],
		[
			'optional before required',
			{ name: 'a', description: 'a', options: [option('b'), option('c', true)] },
			'REQUIRED',
		],
		['options twice', { name: 'a', description: 'a', options: [option('b'), option('b')] }, 'NAME_INVALID'],
		['26 choices', { name: 'a', description: 'a', options: [{ ...option('b'), choices: choices(26) }] }, 'choices'],
		[
			'a language that is none',
			{ name: 'a', description: 'a', description_localizations: { tlh: 'a' } },
			'localizations',
		],
		[
			'9000 characters',
			{ name: 'a', description: 'a', options: [large('b'), large('c'), large('d'), large('e')] },
			'TOO_LARGE',
		],
		['a menu with a description', { name: 'Edit', type: 3, description: 'a' }, 'description'],
	])('a command with %s', async (_, body, word) => {
		const { client } = await login();
		const path = `/applications/${discord.applicationId}/commands` as const;
		expect(await codeOf(client.rest.put(path, { body: [body] }))).toBe(50035);
		expect(discord.violations).toEqual([expect.stringContaining(word)]);
		expect(discord.commands().map(({ name }) => name)).toContain('edit');
	});

	test('pings of anybody who did not ask', async () => {
		const { client } = await login();
		const channel = await channelOf(client);
		const [ada, bjorn] = ['ada', 'bjorn'].map((name) => discord.world.person(name).id);
		await discord.user('ada').say('hello');
		const mentions = `@everyone <@${ada}> <@${bjorn}>`;
		await channel.send(mentions);
		await channel.send({ content: mentions, allowedMentions: { users: [ada ?? ''] } });
		expect(discord.violations).toEqual([]);
		await channel.send({ content: mentions, allowedMentions: { parse: ['users', 'everyone'] } });
		expect(discord.violations).toEqual([expect.stringContaining('Björn'), expect.stringContaining('everyone')]);
	});

	test('tokens where they do not belong, and none where one does', async () => {
		await login();
		await fetch(`${discord.api}/v10/users/@me`);
		await fetch(`${discord.cdn}/attachments/1/2/a.png`, { headers: { authorization: `Bot ${discord.token}` } });
		expect(discord.violations.join('\n')).toMatch(/User-Agent.*401: Unauthorized.*CDN/s);
	});
});

const option = (name: string, required = false) => ({ type: 3, name, description: 'a', required });
const choices = (count: number, length = 1) =>
	Array.from({ length: count }, (_, n) => ({ name: `${n}`, value: `${n}`.padEnd(length, 'x') }));
const large = (name: string) => ({ ...option(name), choices: choices(25, 90) });

describe('channels and threads', () => {
	test('permissions are each channel’s own', async () => {
		const { client } = await login();
		const { world } = discord;
		const [general, dark] = [world.channel('general'), world.channel('after-dark')];
		const channel = await channelOf(client);
		world.overwrite(general, 'me', 'deny', ['AttachFiles']);
		world.overwrite(dark, 'me', 'deny', ['ViewChannel']);
		const files = [new AttachmentBuilder(Buffer.from('a'), { name: 'a.txt' })];
		expect(await codeOf(channel.send({ files }))).toBe(50013);
		expect(await codeOf(channel.send('hello'))).toBe('no refusal');
		const path = `/channels/${dark.id}/messages` as const;
		expect(await codeOf(client.rest.post(path, { body: { content: 'hello' } }))).toBe(50001);
		expect(await codeOf(channel.messages.delete('1'.repeat(18)))).toBe(10008);
		expect(await codeOf(client.channels.fetch('1'.repeat(18)))).toBe(10003);
		discord.threads.delete(dark);
		expect(await codeOf(client.rest.post(path, { body: { content: 'hello' } }))).toBe(10003);
		expect(discord.violations).toEqual([]);
	});

	test('threads are opened, sleep, wake with a message, and stay shut when locked', async () => {
		const { client } = await login();
		const channel = await channelOf(client);
		const opening = await channel.send('Foxes');
		const thread = await opening.startThread({ name: 'Foxes', autoArchiveDuration: 1440 });
		expect(thread.id).toBe(opening.id);
		expect(await codeOf(opening.startThread({ name: 'Again' }))).toBe(160004);
		const ada = discord.user('ada');
		expect(await ada.threads()).toEqual([{ id: thread.id, title: 'Foxes' }]);
		ada.enter(thread.id);
		const heard = new Promise((resolve) => client.once(Events.MessageCreate, ({ channelId }) => resolve(channelId)));
		await ada.say('hello');
		expect(await heard).toBe(thread.id);

		const { channel: room } = ada;
		discord.threads.change(room, { archived: true });
		await thread.send('awake');
		expect(room.archived).toBe(false);
		discord.threads.change(room, { archived: true, locked: true });
		expect(await codeOf(thread.send('still here?'))).toBe(50083);
		discord.threads.change(room, { archived: false });
		expect(await codeOf(thread.send('still here?'))).toBe(160005);

		const secret = await channel.threads.create({ name: 'Secret', type: ChannelType.PrivateThread });
		expect(await discord.user('bjorn').threads()).toHaveLength(1);
		await secret.members.add(discord.world.person('bjorn').id);
		expect(await discord.user('bjorn').threads()).toHaveLength(2);
		expect(discord.violations).toEqual([]);
	});

	test('a user-installed application answers people and can do nothing else', async () => {
		const codes: unknown[] = [];
		const { client } = await answering(async (command) => {
			await command.reply('hello');
			for (let n = 0; n < 6; n++) codes.push(await codeOf(command.followUp(`${n}`)));
			const { guildId, userId } = command.authorizingIntegrationOwners;
			codes.push(guildId, userId);
		});
		const gone = new Promise((resolve) => client.once(Events.GuildDelete, resolve));
		discord.removeApplication();
		await gone;
		const person = discord.world.person('ada');
		person.installed = true;
		await discord.user('ada').command('ask', {});
		await vi.waitFor(() => expect(codes).toHaveLength(8));
		expect(codes.slice(4)).toEqual(['no refusal', 40094, null, person.id]);
		const path = `/channels/${discord.world.channel().id}/messages` as const;
		expect(await codeOf(client.rest.post(path, { body: { content: 'hello' } }))).toBe(50001);
		expect(discord.violations).toEqual([]);
	});

	test('direct messages reach those who take them, and typing shows until the message comes', async () => {
		const { client } = await login();
		const user = await client.users.fetch(discord.world.person('ada').id);
		const direct = await user.createDM();
		await direct.sendTyping();
		const ada = discord.user('ada').directMessages();
		expect(ada.typing()).toBe(true);
		await user.send('your picture');
		expect(ada.typing()).toBe(false);
		expect(await ada.look()).toMatchObject([{ text: 'your picture' }]);
		discord.world.person('ada').blocksDirectMessages = true;
		expect(await codeOf(user.send('again'))).toBe(50007);
	});

	test('a nonce that comes twice makes one message, though the first answer was an error', async () => {
		const { client } = await login();
		const channel = await channelOf(client);
		discord.faults.serverError({ method: 'POST', path: /messages$/ }, { after: true });
		await channel.send('once');
		expect(await discord.user('ada').look()).toHaveLength(1);
	});

	test('an upload can be slow, and a token dead before its time', async () => {
		const arrived = discord.faults.slow({ method: 'PATCH' });
		const codes: unknown[] = [];
		await answering(async (command) => {
			await command.deferReply();
			codes.push(
				await codeOf(command.editReply({ files: [new AttachmentBuilder(Buffer.from('a'), { name: 'a.txt' })] })),
			);
			discord.faults.expireTokens();
			codes.push(await codeOf(command.editReply('more')));
		});
		const ada = discord.user('ada');
		await ada.command('ask', {});
		expect(await ada.look()).toMatchObject([{ files: [] }]);
		arrived();
		await vi.waitFor(() => expect(codes).toEqual(['no refusal', 50027]));
		expect(await ada.look()).toMatchObject([{ files: ['a.txt'] }]);
	});

	test('a layout’s files have addresses in it, and are no attachments of the message', async () => {
		const { client } = await login();
		const channel = await channelOf(client);
		const message = await channel.send({
			flags: MessageFlags.IsComponentsV2,
			files: [new AttachmentBuilder(Buffer.from((await pngFile()).bytes), { name: 'fox.png' })],
			components: [
				{ type: 10, content: 'A fox' },
				{ type: 12, items: [{ media: { url: 'attachment://fox.png' }, description: 'a red fox' }] },
			],
		});
		expect(message.attachments.size).toBe(0);
		expect(JSON.stringify(message.components)).toContain('/cdn/attachments/');
		expect(await discord.user('ada').look()).toMatchObject([{ text: 'A fox', pictures: [{ alt: 'a red fox' }] }]);
		expect(await codeOf(message.edit({ content: 'plain again' }))).toBe(50035);
	});
});

describe('the gateway', () => {
	test('content is read with the intent, or where the application is spoken to', async () => {
		const { client } = await login(undefined, { partials: [Partials.Channel] });
		const heard: string[] = [];
		client.on(Events.MessageCreate, ({ content, author }) => void (author.bot || heard.push(content)));
		const channel = await channelOf(client);
		await channel.send('ask me');
		const ada = discord.user('ada');
		await ada.say('a secret');
		await ada.say('@Easel hello');
		const [post] = await ada.look();
		await ada.reply(post!, 'an answer');
		await ada.reply(post!, 'a quiet answer', { ping: false });
		await ada.directMessages().say('direct');
		await vi.waitFor(() => expect(heard).toEqual(['', `<@${discord.applicationId}> hello`, 'an answer', '', 'direct']));
	});

	test('refuses intents that are not switched on', async () => {
		discord.settings.privileged.messageContent = false;
		const intents = [...INTENTS, Intent.MessageContent];
		await expect(login(undefined, { intents })).rejects.toThrow(/disallowed intents/i);
	});

	test('refuses another token', async () => {
		discord.settings.token = 'another';
		await expect(login()).rejects.toThrow(/token/i);
	});

	test.each([
		['closes', () => discord.gateway.close(4000)],
		['breaks', () => discord.gateway.drop()],
		['asks to reconnect', () => discord.gateway.requestReconnect()],
	])('%s: the client resumes and misses nothing', async (_, interrupt) => {
		const { client } = await login();
		const heard: string[] = [];
		client.on(Events.MessageCreate, ({ id }) => void heard.push(id));
		const resumed = new Promise((resolve) => client.once(Events.ShardResume, (_, replayed) => resolve(replayed)));
		interrupt();
		const ada = discord.user('ada');
		await ada.say('in between');
		await resumed;
		await ada.say('afterwards');
		const said = (await ada.look()).map(({ id }) => id);
		await vi.waitFor(() => expect(heard).toEqual(said));
		expect(discord.gateway.counts).toMatchObject({ identified: 1, resumed: 1 });
		expect(discord.violations).toEqual([]);
	});

	test('answers heartbeats, knows no session that is gone, and hears nothing from strangers', async () => {
		const socket = new WebSocket(`${discord.api.replace(/^http/, 'ws').replace('/api', '/resume')}?v=10&encoding=json`);
		const told: unknown[] = [];
		socket.addEventListener('message', ({ data }) => {
			const { op, d } = JSON.parse(String(data));
			told.push(op === GatewayOpcodes.InvalidSession ? [op, d] : op);
		});
		const closed = new Promise((resolve) => socket.addEventListener('close', ({ code }) => resolve(code)));
		await new Promise((resolve) => socket.addEventListener('open', resolve));
		const resume = { token: discord.token, session_id: 'gone', seq: 3 };
		socket.send(JSON.stringify({ op: GatewayOpcodes.Heartbeat, d: null }));
		socket.send(JSON.stringify({ op: GatewayOpcodes.Resume, d: resume }));
		socket.send(JSON.stringify({ op: GatewayOpcodes.PresenceUpdate, d: {} }));
		expect(await closed).toBe(GatewayCloseCodes.NotAuthenticated);
		expect(told).toEqual([GatewayOpcodes.Hello, GatewayOpcodes.HeartbeatAck, [GatewayOpcodes.InvalidSession, false]]);
	});

	test('sends each server’s events to its shard', async () => {
		await start({ shards: 2, servers: [{ members: { ada: {} } }] });
		const { client } = await login(undefined, { shards: 'auto' });
		const heard = new Promise((resolve) => client.once(Events.MessageCreate, ({ guild }) => resolve(guild?.shardId)));
		await discord.user('ada').say('hello');
		expect(await heard).toBe(Number((BigInt(discord.world.server().id) >> 22n) % 2n));
		expect(discord.gateway.counts.identified).toBe(2);
	}, 15_000);
});

describe('rate limits', () => {
	test('are told in headers, so that the client waits and is never refused', async () => {
		const { client } = await login();
		const channel = await channelOf(client);
		await Promise.all(Array.from({ length: 12 }, (_, n) => channel.send(`${n}`)));
		expect((await discord.user('ada').look()).map(({ text }) => Number(text))).toEqual([...Array(12).keys()]);
		expect(discord.requests.filter(({ status }) => status === 429)).toEqual([]);
	});

	test('refuse with the time to wait, for one channel or for all', async () => {
		discord.settings.pace = 1;
		const headers = {
			authorization: `Bot ${discord.token}`,
			'user-agent': 'DiscordBot (test, 1)',
			'content-type': 'application/json',
		};
		const typing = (name: string, path: string, body = '{}') =>
			fetch(`${discord.api}/v10/channels/${discord.world.channel(name).id}/${path}`, { method: 'POST', headers, body });
		for (let n = 0; n < 5; n++) await typing('general', 'messages', '{"content":"hello"}');
		const refused = await typing('general', 'messages', '{"content":"hello"}');
		expect(refused.status).toBe(429);
		expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(4);
		expect(refused.headers.get('x-ratelimit-scope')).toBe('user');
		expect((await typing('after-dark', 'messages', '{"content":"hello"}')).status).toBe(200);
		discord.clock.advance(5000);
		expect((await typing('general', 'messages', '{"content":"hello"}')).status).toBe(200);
		const all = await Promise.all(Array.from({ length: 60 }, () => typing('general', 'typing')));
		const globally = all.filter(({ headers }) => headers.get('x-ratelimit-global') === 'true');
		expect(globally.length).toBeGreaterThan(0);
	});
});

test('files are found at signed addresses until these expire', async () => {
	const { client } = await login();
	const ada = discord.user('ada');
	await ada.say('look', [await pngFile()]);
	const [seen] = await ada.look();
	const { messages } = await channelOf(client);
	// The event has no files, without the intent, and would take those away that a quicker answer had brought.
	await expect.poll(() => messages.cache.has(seen!.id)).toBe(true);
	const message = await messages.fetch({ message: seen!.id, force: true });
	const url = message.attachments.first()?.url ?? '';
	expect((await fetch(url)).status).toBe(200);
	expect((await fetch(url.replace(/hm=./, (sign) => (sign === 'hm=0' ? 'hm=1' : 'hm=0')))).status).toBe(404);
	discord.clock.advance(25 * 3_600_000);
	expect((await fetch(url)).status).toBe(404);
});
