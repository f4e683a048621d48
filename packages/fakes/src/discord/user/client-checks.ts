import {
	PermissionFlagsBits as Bits,
	type ChannelType,
	ApplicationCommandOptionType as OptionType,
} from 'discord-api-types/v10';
import { isFile, type Options } from '../../test-user.ts';
import type { Option } from '../schemas/commands.ts';
import type { RegisteredCommand } from '../world/command-registry.ts';
import type { Channel, User } from '../world/model.ts';
import { permissionsAt } from '../world/permissions.ts';

/** Returns why Discord's client would not offer a command to a user in a channel; undefined when it would. */
export function whyUnavailable(command: RegisteredCommand, channel: Channel, user: User): string | undefined {
	const roles = channel.server?.members.get(user.id)?.roles ?? [];
	const isOpen = channel.server?.commandRoles.get(command.name)?.some((role) => roles.includes(role));
	const needed = isOpen ? null : command.default_member_permissions;
	const has = permissionsAt(channel, user);
	const lacks = needed != null && channel.server && (has & BigInt(needed)) !== BigInt(needed);
	if (lacks || (needed === '0' && !(has & Bits.Administrator))) return 'You do not have permission to use this command';
	if (command.nsfw && channel.server && !channel.nsfw) return 'This command is for age-restricted channels';
	const context = channel.server ? 0 : 1;
	if (command.contexts && !command.contexts.includes(context)) return 'This command is not available here';
	return undefined;
}

/**
 * Returns why Discord's client would not send a value of an option; undefined when it would.
 *
 * @param typeOf the type of the channel with an id
 */
export function whyInvalid(
	option: Option,
	value: Options[string] | undefined,
	typeOf: (channel: string) => ChannelType | undefined,
): string | undefined {
	const { name, required, choices, min_value, max_value, min_length, max_length, file_types } = option;
	if (value === undefined) return required ? `${name}: This option is required` : undefined;
	if (choices?.length && !choices.some((choice) => choice.value === value)) return `${name}: not one of the choices`;
	if (typeof value === 'number' && (value < (min_value ?? value) || value > (max_value ?? value)))
		return `${name}: from ${min_value} to ${max_value}`;
	if (typeof value === 'string' && (value.length < (min_length ?? 0) || value.length > (max_length ?? 6000)))
		return `${name}: ${min_length ?? 0} to ${max_length ?? 6000} characters`;
	if (isFile(value) && file_types && !file_types.some((type) => matchesType(type, value.name)))
		return `${name}: only ${file_types.join(', ')}`;
	if (option.type === OptionType.Channel && !offersChannel(option.channel_types, typeOf(String(value))))
		return `${name}: not one of the channels`;
	return undefined;
}

/**
 * Tells whether a list of channels contains those of a type.
 * https://docs.discord.com/developers/interactions/application-commands#application-command-object-application-command-option-structure
 * and https://docs.discord.com/developers/components/reference#channel-select
 */
export const offersChannel = (types: readonly ChannelType[] | undefined, type: ChannelType | undefined): boolean =>
	!types?.length || (type !== undefined && types.includes(type));

const EXTENSIONS: Readonly<Record<string, RegExp>> = {
	image: /\.(png|jpe?g|gif|webp|avif|heic)$/i,
	video: /\.(mp4|mov|webm)$/i,
	audio: /\.(mp3|ogg|wav|flac)$/i,
};

/** Discord checks the name of a file only. */
const matchesType = (type: string, name: string) =>
	type.startsWith('.') ? name.toLowerCase().endsWith(type) : EXTENSIONS[type]?.test(name) === true;
