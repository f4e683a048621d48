import {
	type APIApplicationCommandInteractionDataBasicOption,
	type APIApplicationCommandInteractionDataOption,
	type APIApplicationCommandOptionChoice,
	type APIAttachment,
	type APIInteractionDataResolved,
	ApplicationCommandOptionType,
	ChannelType,
	type InteractionType,
} from 'discord.js';
import type { CommandDescription, Field } from '../../../domain/command.ts';
import type { Inbox } from '../../../domain/platform.ts';
import { PlatformRefusedError } from '../../../i18n/sentence-error.ts';
import { MAX_CHOICE_LENGTH, MAX_CHOICES } from '../api/limits.ts';
import { isThread } from '../api/people.ts';
import { attachmentData, type UploadOf } from './message-reader.ts';

type CommandData = {
	name: string;
	options?: readonly APIApplicationCommandInteractionDataOption<
		InteractionType.ApplicationCommand | InteractionType.ApplicationCommandAutocomplete
	>[];
	resolved?: { attachments?: Record<string, APIAttachment> };
};

type Option = APIApplicationCommandInteractionDataBasicOption<
	InteractionType.ApplicationCommand | InteractionType.ApplicationCommandAutocomplete
>;

/** Reads a command that was sent: its whole name, `limits set` for a subcommand, and its options by name. */
export function readCommand(
	data: CommandData,
	uploadOf: UploadOf,
): { command: string; options: Record<string, unknown> } {
	const { command, options } = flatten(data);
	const values = options.map(({ type, name, value }) => {
		const attachment =
			type === ApplicationCommandOptionType.Attachment ? data.resolved?.attachments?.[value] : undefined;
		return [name, attachment ? uploadOf(attachmentData(attachment)) : value] as const;
	});
	return { command, options: Object.fromEntries(values) };
}

export function readFocused(data: CommandData): { command: string; option: string; typed: string } | undefined {
	const { command, options } = flatten(data);
	const focused = options.find((option) => 'focused' in option && option.focused);
	return focused && { command, option: focused.name, typed: String(focused.value) };
}

function flatten({ name, options = [] }: CommandData): { command: string; options: readonly Option[] } {
	const [first] = options;
	return first?.type === ApplicationCommandOptionType.Subcommand
		? { command: `${name} ${first.name}`, options: first.options ?? [] }
		: { command: name, options: options as readonly Option[] };
}

/** Returns the choices for the option that a user is typing into; undefined when there is no such option. */
export async function autocomplete(
	data: CommandData,
	commands: readonly CommandDescription[],
	inbox: Inbox,
): Promise<APIApplicationCommandOptionChoice<string>[] | undefined> {
	const focused = readFocused(data);
	if (!focused) return undefined;
	const command = commands.find(({ name }) => name === focused.command);
	const field = command?.fields.find(({ name }) => name === focused.option);
	const isSuggestedByCore = field?.kind === 'text' && field.completed;
	return choicesOf(isSuggestedByCore ? await inbox.suggest(focused) : completions(field, focused.typed));
}

/** Returns the declared values of a field that contain what was typed. */
export function completions(field: Field | undefined, typed: string): string[] {
	const values = field?.kind === 'text' ? field.suggestions : field?.kind === 'choice' ? field.choices : [];
	const search = typed.trim().toLowerCase();
	return values.filter((value) => value.toLowerCase().includes(search));
}

/** Leaves out texts that Discord does not accept. https://docs.discord.com/developers/interactions/application-commands#autocomplete */
export const choicesOf = (texts: readonly string[]) =>
	texts
		.filter((text) => text.length >= 1 && text.length <= MAX_CHOICE_LENGTH)
		.slice(0, MAX_CHOICES)
		.map((text) => ({ name: text, value: text }));

type Options = Readonly<Record<string, unknown>>;

/**
 * Returns the options with the channels of threads in place of threads, where the option is about requests.
 *
 * @param channels as the interaction has them, by id
 * @throws PlatformRefusedError for a channel that its option does not accept: Discord's client does not offer those, unless its list of
 * commands is outdated
 */
export function resolveChannels(
	commands: readonly CommandDescription[],
	{ command, options }: { command: string; options: Options },
	channels: APIInteractionDataResolved['channels'] = {},
): Options {
	const resolved: Record<string, unknown> = { ...options };
	for (const field of commands.find(({ name }) => name === command)?.fields ?? []) {
		const id = options[field.name];
		const channel = field.kind === 'channel' && typeof id === 'string' ? channels[id] : undefined;
		if (field.kind !== 'channel' || !channel) continue;
		const types: readonly ChannelType[] | undefined = channelTypesOf(field);
		if (types && !types.includes(channel.type)) {
			const sentence = field.postable ? 'discord.errors.unpostable' : 'discord.errors.category';
			throw new PlatformRefusedError(sentence, { where: `<#${channel.id}>` });
		}
		if (field.requestable && 'parent_id' in channel && isThread(channel.type)) resolved[field.name] = channel.parent_id;
	}
	return resolved;
}

/** Channels with messages of their own. Others, such as categories and forums, refuse them. https://docs.discord.com/developers/resources/channel#channel-object-channel-types */
const POSTABLE_TYPES = [
	ChannelType.GuildText,
	ChannelType.GuildAnnouncement,
	ChannelType.GuildVoice,
	ChannelType.GuildStageVoice,
	ChannelType.PublicThread,
	ChannelType.PrivateThread,
	ChannelType.AnnouncementThread,
] as const;

/** Channels that people can make requests in: in a forum, in its posts. */
const REQUESTABLE_TYPES = [...POSTABLE_TYPES, ChannelType.GuildForum, ChannelType.GuildMedia] as const;

/** Returns the types of channels that an option accepts; undefined when it accepts all. */
export function channelTypesOf(field: Extract<Field, { kind: 'channel' }>) {
	if (field.postable) return [...POSTABLE_TYPES];
	return field.requestable && [...REQUESTABLE_TYPES];
}
