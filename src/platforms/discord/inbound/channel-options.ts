import { type APIInteractionDataResolved, ChannelType } from 'discord.js';
import type { CommandDescription } from '../../../domain/command.ts';
import type { MessageId } from '../../../i18n/catalogues.ts';
import { channelTypesOf } from '../api/channel-types.ts';

type Options = Readonly<Record<string, unknown>>;

/** A channel that its option does not accept, and the sentence that says so. */
type UnfitChannel = { channel: string; sentence: MessageId };

/**
 * Returns the options with the channels of threads in place of threads, where the option is about requests. Returns the channel that
 * its option does not accept instead, if there is one: Discord's client does not offer such channels, unless its list of commands is
 * outdated.
 *
 * @param channels as the interaction has them, by id
 */
export function resolveChannels(
	commands: readonly CommandDescription[],
	{ command, options }: { command: string; options: Options },
	channels: APIInteractionDataResolved['channels'] = {},
): { options: Options; unfit?: never } | { unfit: UnfitChannel; options?: never } {
	const resolved: Record<string, unknown> = { ...options };
	for (const field of commands.find(({ name }) => name === command)?.fields ?? []) {
		const id = options[field.name];
		const channel = field.kind === 'channel' && typeof id === 'string' ? channels[id] : undefined;
		if (field.kind !== 'channel' || !channel) continue;
		const types: readonly ChannelType[] | undefined = channelTypesOf(field);
		if (types && !types.includes(channel.type))
			return {
				unfit: {
					channel: channel.id,
					sentence: field.postable ? 'discord.errors.unpostable' : 'discord.errors.category',
				},
			};
		if (field.requestable && 'parent_id' in channel && isThread(channel.type)) resolved[field.name] = channel.parent_id;
	}
	return { options: resolved };
}

const isThread = (type: ChannelType) =>
	[ChannelType.PublicThread, ChannelType.PrivateThread, ChannelType.AnnouncementThread].includes(type);
