import {
	AttachmentBuilder,
	type ChatInputCommandInteraction,
	Client,
	type ClientOptions,
	ApplicationCommandType as CommandType,
	Events,
	GatewayIntentBits as Intent,
	type Interaction,
	ApplicationCommandOptionType as OptionType,
} from 'discord.js';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { pngFile } from '../pictures.ts';
import { type DiscordFake, type DiscordOptions, startDiscord } from './index.ts';

const COMMANDS = [
	{
		name: 'edit',
		description: 'Changes a picture',
		options: [
			{ type: OptionType.Attachment, name: 'image', description: 'The picture', required: true, fileTypes: ['image'] },
			{ type: OptionType.String, name: 'prompt', description: 'What to change', autocomplete: true },
			{ type: OptionType.Integer, name: 'n', description: 'How many', minValue: 1, maxValue: 4 },
		],
	},
	{
		name: 'limits',
		description: 'Caps',
		options: [
			{
				type: OptionType.Subcommand,
				name: 'set',
				description: 'Sets one',
				options: [{ type: OptionType.Role, name: 'role', description: 'For whom' }],
			},
		],
	},
	{ name: 'Edit image', type: CommandType.Message },
] as const;

let discord: DiscordFake;
const clients: Client[] = [];

async function start(options: DiscordOptions = {}) {
	await discord?.close();
	discord = await startDiscord({ pace: 0.02, ...options });
}

/** The real client, logged in, with commands registered. */
async function login(
	act: (interaction: Interaction) => Promise<unknown> = async () => {},
	more: Partial<ClientOptions> = {},
) {
	const client = new Client({
		intents: [Intent.Guilds, Intent.GuildMessages, Intent.MessageContent, Intent.DirectMessages],
		rest: { api: discord.api, offset: 0 },
		allowedMentions: { parse: [] },
		enforceNonce: true,
		...more,
	});
	clients.push(client);
	const errors: unknown[] = [];
	client.on(Events.Error, (error) => errors.push(error));
	client.on(Events.InteractionCreate, (interaction) => act(interaction).catch((error) => errors.push(error)));
	const ready = new Promise<unknown>((resolve) => client.once(Events.ClientReady, resolve));
	await client.login(discord.token);
	await ready;
	await client.application?.commands.set(COMMANDS as never);
	return { client, errors };
}

beforeEach(() => start());
afterEach(async () => {
	for (const client of clients.splice(0)) await client.destroy();
	await discord.close();
});

describe('a command', () => {
	test('is deferred, and its picture comes into the same message with its bytes and words', async () => {
		const picture = await pngFile();
		const answer = await pngFile('#112233', 'answer.png');
		const { errors } = await login(async (interaction) => {
			const command = interaction as ChatInputCommandInteraction;
			await command.deferReply();
			const { url, contentType } = command.options.getAttachment('image', true);
			expect(Buffer.from(await (await fetch(url)).arrayBuffer())).toEqual(Buffer.from(picture.bytes));
			await command.editReply({
				content: `${contentType} ${command.options.getInteger('n')} <@${command.user.id}>`,
				files: [new AttachmentBuilder(Buffer.from(answer.bytes), { name: answer.name, description: 'a fox' })],
				components: [{ type: 1, components: [{ type: 2, style: 2, label: 'Again', customId: 'again:1:x' }] }],
			});
		});
		const ada = discord.seat('ada');
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
		await ada.erase({ ...(await ada.look())[0]! }).catch(() => {});
		expect(discord.seat('bjorn').refuses('edit', { prompt: 'x' })).toMatch(/image: .*required/);
	});
});
