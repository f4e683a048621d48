import {
	type APIApplicationCommandBasicOption,
	type APIApplicationCommandInteractionDataBasicOption,
	type APIApplicationCommandSubcommandOption,
	type APIAttachment,
	type APIChatInputApplicationCommandInteractionData,
	ApplicationCommandOptionType,
	ApplicationCommandType,
	ApplicationIntegrationType,
	InteractionContextType,
	type LocalizationMap,
	PermissionFlagsBits,
	type RESTPostAPIApplicationCommandsJSONBody,
	type RESTPostAPIChatInputApplicationCommandsJSONBody,
} from 'discord.js';
import type { CommandDescription, Field } from '../../../domain/command.ts';
import { messageMenu } from '../../../domain/message-menu.ts';
import type { Upload } from '../../../domain/reply.ts';
import { clip } from '../../../domain/text.ts';

/** An English name or description in other languages; undefined where there is none. */
export type Localise = (english: string) => LocalizationMap | undefined;

/** https://docs.discord.com/developers/interactions/application-commands#application-command-object */
const MAX_DESCRIPTION = 100;
const MAX_CHOICES = 25;
const MAX_OPTION_TEXT = 6000;

/** Where commands can be used: those for direct messages also in other people's, and by whoever brings the bot along. */
const whereFor = (direct: boolean) =>
	direct
		? {
				contexts: [InteractionContextType.Guild, InteractionContextType.BotDM, InteractionContextType.PrivateChannel],
				integration_types: [ApplicationIntegrationType.GuildInstall, ApplicationIntegrationType.UserInstall],
			}
		: {
				contexts: [InteractionContextType.Guild],
				integration_types: [ApplicationIntegrationType.GuildInstall],
			};

/** All commands as Discord takes them: `limits set` becomes the subcommand `set` of `limits`. */
export function commandsJson(
	commands: readonly CommandDescription[],
	localise: Localise = () => undefined,
): RESTPostAPIApplicationCommandsJSONBody[] {
	const groups = Map.groupBy(commands, ({ name }) => name.split(' ')[0] ?? name);
	const typed = [...groups].map(([name, members]) => chatInput(name, members, localise));
	const menu = messageMenu(commands).map(({ name }) => ({
		type: ApplicationCommandType.Message as const,
		name,
		...whereFor(true),
		...named(name, localise),
	}));
	return [...typed, ...menu];
}

function chatInput(
	name: string,
	members: readonly CommandDescription[],
	localise: Localise,
): RESTPostAPIChatInputApplicationCommandsJSONBody {
	const [first] = members;
	const alone = members.length === 1 && first?.name === name ? first : undefined;
	const moderators = members.every((member) => member.moderators);
	const subcommands = members.map((member) => member.name.slice(name.length + 1));
	// Nobody sees a group's own description but in the server's settings: what is in it says the most there.
	const description = alone?.description ?? clip(`/${name} ${subcommands.join(', ')}`, MAX_DESCRIPTION);
	return {
		type: ApplicationCommandType.ChatInput,
		name,
		description,
		...named(name, localise),
		...described(description, localise),
		options: alone
			? alone.fields.map((field) => optionOf(field, localise))
			: members.map((member, index) => subcommand(member, subcommands[index] ?? '', localise)),
		...(moderators && { default_member_permissions: String(PermissionFlagsBits.ManageGuild) }),
		...whereFor(members.every(({ direct }) => direct)),
	};
}

const subcommand = (
	{ description, fields }: CommandDescription,
	name: string,
	localise: Localise,
): APIApplicationCommandSubcommandOption => ({
	type: ApplicationCommandOptionType.Subcommand,
	name,
	description,
	...named(name, localise),
	...described(description, localise),
	options: fields.map((field) => optionOf(field, localise)),
});

function optionOf(field: Field, localise: Localise): APIApplicationCommandBasicOption {
	const { name, description, required } = field;
	const common = { name, description, required, ...named(name, localise), ...described(description, localise) };
	switch (field.kind) {
		case 'text': {
			const text = {
				...common,
				type: ApplicationCommandOptionType.String as const,
				...(field.minLength > 0 && { min_length: field.minLength }),
				max_length: Math.min(field.maxLength, MAX_OPTION_TEXT),
			};
			return field.completed || field.suggestions.length > 0 ? { ...text, autocomplete: true } : text;
		}
		case 'choice': {
			const text = { ...common, type: ApplicationCommandOptionType.String as const };
			if (field.choices.length > MAX_CHOICES) return { ...text, autocomplete: true };
			return { ...text, choices: field.choices.map((value) => ({ name: value, value, ...named(value, localise) })) };
		}
		case 'integer':
			return {
				...common,
				type: ApplicationCommandOptionType.Integer,
				min_value: field.min,
				max_value: field.max,
			};
		case 'picture':
			return { ...common, type: ApplicationCommandOptionType.Attachment, file_types: ['image'] };
		case 'flag':
			return { ...common, type: ApplicationCommandOptionType.Boolean };
		case 'person':
			return { ...common, type: ApplicationCommandOptionType.User };
		case 'channel':
			return { ...common, type: ApplicationCommandOptionType.Channel };
		case 'role':
			return { ...common, type: ApplicationCommandOptionType.Role };
		case 'choices':
			throw new TypeError(`${name}: several choices are for forms alone`);
	}
}

function named(text: string, localise: Localise) {
	const name_localizations = localise(text);
	return name_localizations && { name_localizations };
}

function described(text: string, localise: Localise) {
	const description_localizations = localise(text);
	return description_localizations && { description_localizations };
}

type CommandData = { name: string } & {
	[Part in 'options' | 'resolved']?: APIChatInputApplicationCommandInteractionData[Part] | undefined;
};

/** What somebody typed: the command by its whole name, and its options by theirs. */
export function readOptions(
	data: CommandData,
	uploadOf: (attachment: APIAttachment) => Upload,
): { command: string; options: Record<string, unknown> } {
	const [first] = data.options ?? [];
	if (first?.type === ApplicationCommandOptionType.Subcommand)
		return {
			...readOptions({ ...data, options: first.options ?? [] }, uploadOf),
			command: `${data.name} ${first.name}`,
		};
	const options: Record<string, unknown> = {};
	for (const option of (data.options ?? []) as APIApplicationCommandInteractionDataBasicOption[]) {
		const attachment =
			option.type === ApplicationCommandOptionType.Attachment ? data.resolved?.attachments?.[option.value] : undefined;
		options[option.name] = attachment ? uploadOf(attachment) : option.value;
	}
	return { command: data.name, options };
}

/** The option that somebody is typing into, and what they typed so far. */
export function focusedOption(
	options: readonly APIApplicationCommandInteractionDataBasicOption[],
): { option: string; typed: string } | undefined {
	const focused = options.find((option) => 'focused' in option && option.focused);
	return focused && { option: focused.name, typed: String(focused.value) };
}

/** What a half-typed text of this field may become. */
export function completions(field: Field | undefined, typed: string): string[] {
	const all = field?.kind === 'text' ? field.suggestions : field?.kind === 'choice' ? field.choices : [];
	const begun = typed.trim().toLowerCase();
	return all.filter((text) => text.toLowerCase().includes(begun));
}

/** As Discord takes them: https://docs.discord.com/developers/interactions/application-commands#autocomplete */
export const choicesOf = (texts: readonly string[]) =>
	texts
		.filter((text) => text.length >= 1 && text.length <= 100)
		.slice(0, MAX_CHOICES)
		.map((text) => ({ name: text, value: text }));
