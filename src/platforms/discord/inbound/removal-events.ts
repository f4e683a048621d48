import type {
	GatewayChannelDeleteDispatchData,
	GatewayGuildCreateDispatchData,
	GatewayGuildDeleteDispatchData,
	GatewayThreadDeleteDispatchData,
} from 'discord.js';
import type { Inbox } from '../../../domain/platform.ts';

export async function threadDeleted({ id, guild_id, parent_id }: GatewayThreadDeleteDispatchData, inbox: Inbox) {
	await inbox.forget({ platform: 'discord', server: guild_id, channel: parent_id, thread: id });
}

export async function channelDeleted(channel: GatewayChannelDeleteDispatchData, inbox: Inbox): Promise<void> {
	if ('guild_id' in channel && channel.guild_id)
		await inbox.forget({ platform: 'discord', server: channel.guild_id, channel: channel.id });
}

/** Discord sends the event for a server that invites the bot, and for every server at the start of a session. */
export async function guildCreated({ id }: Pick<GatewayGuildCreateDispatchData, 'id'>, inbox: Inbox): Promise<void> {
	await inbox.joined({ platform: 'discord', server: id });
}

/** Discord sends the event also for an outage, with `unavailable`; without it, the bot was removed from the server. */
export async function guildDeleted({ id, unavailable }: GatewayGuildDeleteDispatchData, inbox: Inbox): Promise<void> {
	if (!unavailable) await inbox.forget({ platform: 'discord', server: id });
}
