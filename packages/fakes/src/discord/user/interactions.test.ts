import {
	AttachmentBuilder,
	type ChatInputCommandInteraction,
	ComponentType,
	type MessageContextMenuCommandInteraction,
	MessageFlags,
	type ModalSubmitInteraction,
	type TextChannel,
} from 'discord.js';
import { describe, expect } from 'vitest';
import { eventually } from '../../eventually.ts';
import { pngFile } from '../../pictures.ts';
import { answerCommands, codeOf, test } from '../client.fixture.ts';

describe('a command', () => {
	test('is deferred, and an edit adds a picture and text to the same message', async ({ discord, login }) => {
		const picture = await pngFile();
		const answer = await pngFile('#112233', 'answer.png');
		const { errors } = await answerCommands(login, async (command) => {
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
		await eventually(async () => expect((await ada.look())[0]?.pictures).toHaveLength(1));
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

	describe('in a German server', () => {
		test.override({
			fakeOptions: {
				servers: [
					{
						locale: 'de',
						fileBytes: 50 * 2 ** 20,
						roles: { Painters: ['ManageMessages'] },
						channels: ['general', { name: 'after-dark', nsfw: true, deny: { everyone: ['AttachFiles'] } }],
						members: {
							ada: { name: 'Ada', locale: 'fr', permissions: ['ManageGuild'], roles: ['Painters'] },
							bjorn: {},
						},
					},
				],
			},
		});

		test('has its user, channel, locales, permissions and upload limit', async ({ discord, login }) => {
			const received: unknown[] = [];
			await answerCommands(login, async (command) => {
				const { locale, guildLocale, memberPermissions, attachmentSizeLimit, context, authorizingIntegrationOwners } =
					command;
				received.push({
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
			expect(received).toEqual([
				{ ...common, locale: 'fr', manages: true, attaches: false, role: 'Painters', member: 'bjorn', nsfw: true },
				{ ...common, locale: 'en-US', manages: false, attaches: true, role: undefined, member: undefined, nsfw: false },
			]);
			expect(discord.user('bjorn').refuses('limits set', {})).toMatch(/permission/);
			expect(discord.user('ada').refuses('edit', { prompt: 'x' })).toMatch(/image: .*required/);
			expect(discord.user('ada').refuses('edit', { image: { name: 'a.txt', bytes: new Uint8Array() } })).toMatch(
				/image/,
			);
		});
	});

	test('fails when it is not acknowledged within 3 s, and later responses are unknown', async ({ discord, login }) => {
		const late = Promise.withResolvers<unknown>();
		await answerCommands(login, async (command) => {
			discord.clock.advance(3001);
			late.resolve(await codeOf(command.reply('too late')));
		});
		await discord.user('ada').command('ask', {});
		expect(await late.promise).toBe(10062);
		expect(discord.violations).toEqual([expect.stringMatching(/ask.*3 s/)]);
	});

	test('is responded to once, also when it is delivered twice', async ({ discord, login }) => {
		const codes: unknown[] = [];
		await answerCommands(login, async (command) => {
			codes.push(await codeOf(command.reply({ content: 'hello', flags: MessageFlags.Ephemeral })));
		});
		const ada = discord.user('ada');
		await ada.command('ask', {}, 'twice');
		await ada.command('ask', {}, 'twice');
		await eventually(() => expect(codes).toEqual(['accepted', 40060]));
		expect(await ada.look()).toMatchObject([{ text: 'hello', private: true }]);
		expect(await discord.user('bjorn').look()).toEqual([]);
		expect(discord.violations).toEqual([]);
	});

	test('can be responded to for 15 minutes, unless Discord loses it', async ({ discord, login }) => {
		const deferred = Promise.withResolvers<ChatInputCommandInteraction>();
		await answerCommands(login, async (received) => {
			await received.deferReply({ flags: MessageFlags.Ephemeral });
			deferred.resolve(received);
		});
		await discord.user('ada').command('ask', {});
		const command = await deferred.promise;
		// The first follow-up after a deferral replaces it, and stays as private as it is.
		await command.followUp('first');
		expect(await discord.user('ada').look()).toMatchObject([{ text: 'first', private: true }]);
		discord.clock.advance(14 * 60_000);
		expect(await codeOf(command.editReply('second'))).toBe('accepted');
		discord.faults.loseResponses(1);
		expect(await codeOf(command.editReply('third'))).toBe(10015);
		expect(discord.violations).toEqual([]);
		discord.clock.advance(60_001);
		expect(await codeOf(command.editReply('third'))).toBe(50027);
		expect(discord.violations).toEqual([expect.stringMatching(/the token was refused before/)]);
	});

	test('is completed by autocompletion', async ({ discord, login }) => {
		await login(async (interaction) => {
			if (!interaction.isAutocomplete()) return;
			const { name, value } = interaction.options.getFocused(true);
			await interaction.respond([{ name: `${name} ${value}`, value: 'fox' }]);
		});
		expect(await discord.user('ada').suggest('edit', 'prompt', 'fo')).toEqual([{ name: 'prompt fo', value: 'fox' }]);
	});
});

describe('a message menu', () => {
	test('has the message without the intent, and opens a modal that takes a file', async ({ discord, login }) => {
		discord.settings.privileged.messageContent = false;
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
