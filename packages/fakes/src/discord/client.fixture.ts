import {
	type ChatInputCommandInteraction,
	Client,
	type ClientOptions,
	ApplicationCommandType as CommandType,
	DiscordAPIError,
	Events,
	GatewayIntentBits as Intent,
	type Interaction,
	ApplicationCommandOptionType as OptionType,
	type TextChannel,
} from 'discord.js';
import { test as base } from 'vitest';
import { type DiscordFake, type DiscordOptions, startDiscord } from './index.ts';

const COMMANDS = [
	{
		name: 'edit',
		description: 'Changes a picture',
		options: [
			{ type: OptionType.Attachment, name: 'image', description: 'The picture', required: true, file_types: ['image'] },
			{ type: OptionType.String, name: 'prompt', description: 'Change to make', autocomplete: true },
			{ type: OptionType.Integer, name: 'n', description: 'How many', min_value: 1, max_value: 4 },
		],
	},
	{ name: 'ask', description: 'Asks' },
	{
		name: 'limits',
		description: 'Caps',
		default_member_permissions: '32',
		options: [
			{
				type: OptionType.Subcommand,
				name: 'set',
				description: 'Sets one',
				options: [
					{ type: OptionType.Role, name: 'role', description: 'The role' },
					{ type: OptionType.Channel, name: 'channel', description: 'Where' },
					{ type: OptionType.User, name: 'member', description: 'The member' },
				],
			},
		],
	},
	{ name: 'Edit image', type: CommandType.Message },
];

export const INTENTS = [Intent.Guilds, Intent.GuildMessages, Intent.DirectMessages];

type Handle = (interaction: Interaction) => Promise<unknown>;

/** Logs in with commands registered, and handles interactions. Errors of the client and of the handler are collected. */
export type Login = (
	handle?: Handle,
	options?: Partial<ClientOptions>,
) => Promise<{ client: Client; errors: unknown[] }>;

type Fixtures = {
	/** Options of the fake, for `test.override`. */
	fakeOptions: DiscordOptions;
	discord: DiscordFake;
	login: Login;
};

/** A test of the fake with an unmodified discord.js client. */
export const test = base.extend<Fixtures>({
	fakeOptions: {},
	discord: async ({ fakeOptions }, use) => {
		const discord = await startDiscord({ pace: 0.02, ...fakeOptions });
		await use(discord);
		await discord.close();
	},
	login: async ({ discord }, use) => {
		const clients: Client[] = [];
		await use((handle, options) => login(discord, clients, handle, options));
		for (const client of clients) await client.destroy();
	},
});

async function login(
	discord: DiscordFake,
	clients: Client[],
	handle: Handle = async () => {},
	options: Partial<ClientOptions> = {},
) {
	const client = new Client({
		intents: INTENTS,
		rest: { api: discord.api, offset: 0 },
		allowedMentions: { parse: [] },
		enforceNonce: true,
		...options,
	});
	const errors: unknown[] = [];
	client.on(Events.Error, (error) => errors.push(error));
	client.on(Events.InteractionCreate, (interaction) => handle(interaction).catch((error) => errors.push(error)));
	const ready = new Promise<unknown>((resolve) => client.once(Events.ClientReady, resolve));
	await client.login(discord.token);
	await ready;
	clients.push(client);
	await client.rest.put(`/applications/${discord.applicationId}/commands`, { body: COMMANDS });
	return { client, errors };
}

/** Logs in and handles chat input commands. */
export const answerCommands = (login: Login, handle: (command: ChatInputCommandInteraction) => Promise<unknown>) =>
	login((interaction) => handle(interaction as ChatInputCommandInteraction));

export const fetchChannel = (discord: DiscordFake, client: Client, name?: string) =>
	client.channels.fetch(discord.world.channel(name).id) as Promise<TextChannel>;

/** Returns the code of Discord's error, or `accepted`. */
export const codeOf = (request: Promise<unknown>) =>
	request.then(
		() => 'accepted',
		(error) => (error instanceof DiscordAPIError ? error.code : error),
	);
