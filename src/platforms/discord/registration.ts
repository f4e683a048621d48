import { hash } from 'node:crypto';
import {
	type APIApplication,
	type APIApplicationCommand,
	type APIApplicationCommandBasicOption,
	ApplicationCommand,
	ApplicationCommandOptionType,
	ApplicationCommandType,
	ApplicationIntegrationType,
	type RESTPostAPIChatInputApplicationCommandsJSONBody as ChatInputCommand,
	InteractionContextType,
	Locale,
	type LocalizationMap,
	PermissionFlagsBits,
	type REST,
	type RESTPostAPIApplicationCommandsJSONBody,
	Routes,
} from 'discord.js';
import { type CommandDescription, type Field, messageMenu } from '../../domain/command.ts';
import { callOf } from '../../domain/program.ts';
import { clip } from '../../domain/text.ts';
import { type Translate, translatorFor } from '../../i18n/translator.ts';
import { MAX_CHOICES } from './api/limits.ts';
import type { DiscordOptions } from './discord.ts';
import { channelTypesOf } from './inbound/command-options.ts';

type Registration = {
	rest: REST;
	commands: readonly CommandDescription[];
	/** The id of a server to register the commands in; globally by default. */
	guild?: string | undefined;
};

/** Replaces all registered commands, in one idempotent request. Returns their number. */
export async function registerCommands({ rest, commands, guild }: Registration): Promise<number> {
	const registered = await rest.put(await routeOf(rest, guild), { body: commandsJson(commands) });
	return (registered as APIApplicationCommand[]).length;
}

export async function registeredDiffers({ rest, commands, guild }: Registration): Promise<boolean> {
	const query = new URLSearchParams({ with_localizations: 'true' });
	const registered = (await rest.get(await routeOf(rest, guild), { query })) as APIApplicationCommand[];
	const offered = commandsJson(commands);
	const isRegistered = (command: (typeof offered)[number]) =>
		registered.some((one) => asRead(one).equals(command as APIApplicationCommand, true));
	return registered.length !== offered.length || !offered.every(isRegistered);
}

/** Returns a command as the library reads it, which can compare it; to its types, only a manager creates one. */
const asRead = ({ contexts, integration_types, ...command }: APIApplicationCommand): ApplicationCommand => {
	const sorted = { contexts: contexts?.toSorted(), integration_types: integration_types?.toSorted() };
	return Reflect.construct(ApplicationCommand, [{}, { ...command, ...sorted }]);
};

async function routeOf(rest: REST, guild: string | undefined) {
	const { id } = (await rest.get(Routes.currentApplication())) as APIApplication;
	return guild === undefined ? Routes.applicationCommands(id) : Routes.applicationGuildCommands(id, guild);
}

/** How long other processes leave the registration to the one that has begun it. */
const CLAIM_MS = 30_000;

type Options = Registration & Pick<DiscordOptions, 'register' | 'claim' | 'log'>;

/**
 * Registers the commands with Discord when others are registered, by one of the processes that start at the same time. Never rejects:
 * commands that were registered by an earlier version work as well.
 */
export async function ensureRegistered({ rest, commands, register, claim, log }: Options): Promise<void> {
	try {
		if (!(await registeredDiffers({ rest, commands }))) return;
		if (!register)
			return log.warn(
				`The commands registered with Discord are not those of this version, and DISCORD_REGISTER is off: run ${callOf('register')}`,
			);
		const digest = hash('sha256', JSON.stringify(commandsJson(commands)));
		if (!(await claim(`registration:${digest}`, CLAIM_MS))) return;
		log.info(
			`Registered ${await registerCommands({ rest, commands })} commands with Discord, since others were registered`,
		);
	} catch (error) {
		log.warn({ err: error }, `The commands could not be registered with Discord: run ${callOf('register')}`);
	}
}

/** https://docs.discord.com/developers/interactions/application-commands#application-command-object */
const MAX_DESCRIPTION = 100;

/** The commands' JSON for registration. `limits set` becomes the subcommand `set` of `limits`. */
export function commandsJson(commands: readonly CommandDescription[]): RESTPostAPIApplicationCommandsJSONBody[] {
	const groups = Map.groupBy(commands, ({ name }) => name.split(' ')[0] ?? name);
	const chatInput = [...groups].map(([name, members]) => chatInputCommand(name, members));
	const menu = messageMenu(commands).map(({ name }) => ({
		type: ApplicationCommandType.Message as const,
		name: english(name),
		name_localizations: localize((t) => t(name)),
		...availability(true),
	}));
	return [...chatInput, ...menu];
}

function chatInputCommand(name: string, members: readonly CommandDescription[]): ChatInputCommand {
	const [first] = members;
	const single = members.length === 1 && first?.name === name ? first : undefined;
	const forModerators = members.every((member) => member.moderators);
	const subcommands = members.map((member) => member.name.slice(name.length + 1));
	// Discord shows the description of a group only in the server's settings, where a list of its subcommands is most useful.
	const description = single?.description ?? clip(`/${name} ${subcommands.join(', ')}`, MAX_DESCRIPTION);
	return {
		type: ApplicationCommandType.ChatInput,
		...described(name, description),
		options: single?.fields.map(optionOf) ?? members.map((member, index) => subcommand(member, subcommands[index]!)),
		...(forModerators && { default_member_permissions: String(PermissionFlagsBits.ManageGuild) }),
		...availability(members.every(({ moderators }) => !moderators)),
	};
}

const subcommand = ({ description, fields }: CommandDescription, name: string) => ({
	type: ApplicationCommandOptionType.Subcommand as const,
	...described(name, description),
	options: fields.map(optionOf),
});

/** Commands for direct messages are also available to users who install the bot for themselves. */
const availability = (direct: boolean) => ({
	contexts: [
		InteractionContextType.Guild,
		...(direct ? [InteractionContextType.BotDM, InteractionContextType.PrivateChannel] : []),
	],
	integration_types: [
		ApplicationIntegrationType.GuildInstall,
		...(direct ? [ApplicationIntegrationType.UserInstall] : []),
	],
});

/** https://docs.discord.com/developers/interactions/application-commands#application-command-object-application-command-option-structure */
const MAX_OPTION_TEXT = 6000;

/** The types of options that have no properties of their own. */
const PLAIN_TYPES = {
	flag: ApplicationCommandOptionType.Boolean,
	person: ApplicationCommandOptionType.User,
	role: ApplicationCommandOptionType.Role,
} as const;

function optionOf(field: Field): APIApplicationCommandBasicOption {
	const { name, description, required } = field;
	const common = { ...described(name, description), required };
	const text = { ...common, type: ApplicationCommandOptionType.String as const };
	switch (field.kind) {
		case 'text': {
			const { minLength, maxLength, completed, suggestions } = field;
			const limits = { min_length: minLength || undefined, max_length: Math.min(maxLength, MAX_OPTION_TEXT) };
			return completed || suggestions.length > 0 ? { ...text, ...limits, autocomplete: true } : { ...text, ...limits };
		}
		case 'choice': {
			if (field.choices.length > MAX_CHOICES) return { ...text, autocomplete: true };
			return { ...text, choices: field.choices.map((value) => ({ ...localizedName(value), value })) };
		}
		case 'integer':
			return { ...common, type: ApplicationCommandOptionType.Integer, min_value: field.min, max_value: field.max };
		case 'picture':
			return { ...common, type: ApplicationCommandOptionType.Attachment, file_types: ['image'] };
		case 'channel':
			return { ...common, type: ApplicationCommandOptionType.Channel, channel_types: channelTypesOf(field) };
		case 'choices':
			throw new TypeError(`${name}: a command option cannot take several choices`);
		default:
			return { ...common, type: PLAIN_TYPES[field.kind] };
	}
}

/** The language of everything that has no localization. */
const english = translatorFor('en');

/** Those of Discord's locales whose readers get another language, as in answers. https://docs.discord.com/developers/reference#locales */
const LOCALES = Object.values(Locale).filter((locale) => translatorFor(locale).language !== english.language);

/** Returns a name or a description by locale; undefined when every locale has the English one. */
function localize(textIn: (t: Translate) => string): LocalizationMap | undefined {
	const entries = LOCALES.map((locale) => [locale, textIn(translatorFor(locale))] as const);
	return entries.every(([, text]) => text === textIn(english)) ? undefined : Object.fromEntries(entries);
}

const localizedName = (name: string) => ({ name, name_localizations: localize((t) => t.nameOf(name)) });

const described = (name: string, description: string) => ({
	...localizedName(name),
	description: english.declared(description),
	description_localizations: localize((t) => t.declared(description)),
});
