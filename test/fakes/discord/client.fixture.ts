import {
	Client,
	type ClientOptions,
	ApplicationCommandType as CommandType,
	Events,
	GatewayIntentBits as Intent,
	type Interaction,
	ApplicationCommandOptionType as OptionType,
} from 'discord.js';
import type { DiscordFake } from './index.ts';

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
					{ type: OptionType.Role, name: 'role', description: 'Role' },
					{ type: OptionType.Channel, name: 'channel', description: 'Where' },
					{ type: OptionType.User, name: 'member', description: 'Who' },
				],
			},
		],
	},
	{ name: 'Edit image', type: CommandType.Message },
];

export const INTENTS = [Intent.Guilds, Intent.GuildMessages, Intent.DirectMessages];

/** Logs the real client in, with commands registered, and lets `act` answer interactions. */
export async function login(
	discord: DiscordFake,
	act: (interaction: Interaction) => Promise<unknown> = async () => {},
	more: Partial<ClientOptions> = {},
) {
	const client = new Client({
		intents: INTENTS,
		rest: { api: discord.api, offset: 0 },
		allowedMentions: { parse: [] },
		enforceNonce: true,
		...more,
	});
	/** The error of the client or of `act`. */
	const errors: unknown[] = [];
	client.on(Events.Error, (error) => errors.push(error));
	client.on(Events.InteractionCreate, (interaction) => act(interaction).catch((error) => errors.push(error)));
	const ready = new Promise<unknown>((resolve) => client.once(Events.ClientReady, resolve));
	await client.login(discord.token);
	await ready;
	await client.rest.put(`/applications/${discord.applicationId}/commands`, { body: COMMANDS });
	return { client, errors };
}
