import { ChannelType } from 'discord.js';

/** Channels with messages of their own. Others, such as categories and forums, refuse them. https://docs.discord.com/developers/resources/channel#channel-object-channel-types */
export const POSTABLE_TYPES = [
	ChannelType.GuildText,
	ChannelType.GuildAnnouncement,
	ChannelType.GuildVoice,
	ChannelType.GuildStageVoice,
	ChannelType.PublicThread,
	ChannelType.PrivateThread,
	ChannelType.AnnouncementThread,
] as const;
