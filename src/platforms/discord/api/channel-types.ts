import { ChannelType } from 'discord.js';
import type { Field } from '../../../domain/command.ts';

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
