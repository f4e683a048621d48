import {
	type APIApplicationCommandInteractionDataBasicOption,
	type APIApplicationCommandInteractionDataOption,
	type APIInteractionDataResolved,
	ApplicationCommandOptionType,
	ChannelType,
	Constants,
	type InteractionType,
} from 'discord.js';
import type { CommandDescription, Field } from '../../../domain/command.ts';
import { PlatformRefusedError } from '../../../i18n/translator.ts';
import { MAX_CHOICE_LENGTH, MAX_CHOICES } from '../api/limits.ts';
import { isThread } from '../api/people.ts';
import { attachmentData, type MessageContext, type UploadOf, withNames } from './message-reader.ts';

type Kind = InteractionType.ApplicationCommand | InteractionType.ApplicationCommandAutocomplete;
type Option = APIApplicationCommandInteractionDataBasicOption<Kind>;

type CommandData = {
	name: string;
	options?: readonly APIApplicationCommandInteractionDataOption<Kind>[];
	resolved?: Pick<APIInteractionDataResolved, 'attachments' | 'users' | 'members'>;
};

/** Reads a command that was sent: its whole name, `limits set` for a subcommand, and its options by name, texts with names in place of ids. */
export function readCommand(data: CommandData, uploadOf: UploadOf, nameOf: MessageContext['nameOf']) {
	const { command, options } = flatten(data);
	const { attachments, users = {}, members = {} } = data.resolved ?? {};
	const mentions = Object.values(users).map((user) => ({ ...user, member: members[user.id] }));
	const values = options.map(({ type, name, value }) => {
		const attachment = type === ApplicationCommandOptionType.Attachment ? attachments?.[value] : undefined;
		const isText = type === ApplicationCommandOptionType.String;
		const text = isText ? withNames(value, mentions, { self: [], nameOf }) : value;
		return [name, attachment ? uploadOf(attachmentData(attachment)) : text] as const;
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

/** Channels with messages of their own. Others, such as categories and forums, refuse them. */
const POSTABLE_TYPES = Constants.GuildTextBasedChannelTypes;

/** Returns the types of channels that an option accepts; undefined when it accepts all. In a forum, requests are made in its posts. */
export function channelTypesOf({ postable, requestable }: Extract<Field, { kind: 'channel' }>) {
	if (postable) return [...POSTABLE_TYPES];
	return requestable && [...POSTABLE_TYPES, ChannelType.GuildForum as const, ChannelType.GuildMedia as const];
}
