import { ChannelType, type Client, type Guild, PermissionFlagsBits, ShardClientUtil } from 'discord.js';
import type { ChannelLimits } from '../../../domain/channel.ts';
import type { Place } from '../../../domain/place.ts';
import { fileBytesIn, limitsOf } from '../api/limits.ts';
import { mayModerate } from '../api/people.ts';

type CachedChannel = { id: string; type: ChannelType; parent_id: string | null; nsfw: boolean };

/** Looks up what the gateway's client has cached. Everything is undefined while there is no client, and for what it has not cached. */
export class ClientCache {
	#client: Client | undefined;

	use(client: Client): void {
		this.#client = client;
	}

	get self(): string | undefined {
		return this.#client?.user?.id;
	}

	/** The id of the role that belongs to the bot in a server. People mention it as they mention the bot. */
	ownRole(server: string): string | undefined {
		const { user } = this.#client ?? {};
		return (user && this.guild(server)?.roles.botRoleFor(user)?.id) || undefined;
	}

	nameOf(kind: 'channel' | 'role', id: string, server: string | undefined): string | undefined {
		if (kind === 'role') return server === undefined ? undefined : this.guild(server)?.roles.cache.get(id)?.name;
		const channel = this.#client?.channels.cache.get(id);
		return (channel && 'name' in channel && channel.name) || undefined;
	}

	channel(id: string): CachedChannel | undefined {
		const channel = this.#client?.channels.cache.get(id);
		if (!channel) return undefined;
		const parent_id = 'parentId' in channel ? channel.parentId : null;
		return { id, type: channel.type, parent_id, nsfw: 'nsfw' in channel && channel.nsfw };
	}

	/** Tells whether every member of its server can see a channel. A private thread is seen only by those who are in it. */
	isVisibleToEveryone(id: string): boolean | undefined {
		const channel = this.#client?.channels.cache.get(id);
		if (!channel || !('guild' in channel)) return undefined;
		if (channel.type === ChannelType.PrivateThread) return false;
		return channel.permissionsFor(channel.guild.roles.everyone)?.has(PermissionFlagsBits.ViewChannel);
	}

	/** The limits of what the bot posts by itself in a channel or thread, which the boosts of a server decide on. */
	limitsAt(id: string, server?: string): ChannelLimits {
		const found = this.#client?.channels.cache.get(id);
		const guild = found && 'guild' in found ? found.guild : this.guild(server ?? '');
		return limitsOf(guild && fileBytesIn(guild));
	}

	/**
	 * Tells whether the bot is a member of a server, as `guild`. Undefined while the client is not ready, and for a server of
	 * a shard that another process runs. An unavailable server is still cached.
	 */
	isMember(server: string): boolean | undefined {
		if (!this.#client?.isReady() || !/^\d+$/.test(server)) return undefined;
		const shard = this.shardOf({ server });
		return shard !== undefined && this.#client.ws.shards.has(shard) ? this.guild(server) !== undefined : undefined;
	}

	/** The shard that receives the events of a place. https://docs.discord.com/developers/events/gateway#sharding */
	shardOf({ server, direct }: Pick<Place, 'server' | 'direct'>): number | undefined {
		if (!this.#client) return undefined;
		const { options, ws } = this.#client;
		return direct ? 0 : ShardClientUtil.shardIdForGuildId(server, options.shardCount ?? ws.shards.size);
	}

	/** A channel of a server where the bot may post: the one for system messages, or the first. */
	channelForNotices(server: string): string | undefined {
		const guild = this.guild(server);
		const me = guild?.members.me;
		if (!guild || !me) return undefined;
		const texts = guild.channels.cache.filter((channel) => channel.type === ChannelType.GuildText);
		const sorted = [...texts.values()].sort((a, b) => a.rawPosition - b.rawPosition);
		const candidates = guild.systemChannel ? [guild.systemChannel, ...sorted] : sorted;
		const needed = PermissionFlagsBits.ViewChannel | PermissionFlagsBits.SendMessages;
		return candidates.find((channel) => channel.permissionsFor(me).has(needed))?.id;
	}

	mayManageServer(server: string): boolean | undefined {
		return this.guild(server)?.members.me?.permissions.has(PermissionFlagsBits.ManageGuild);
	}

	/** Tells whether a member with these roles moderates. Interactions carry the member's permissions; messages do not. */
	isModerator(server: string, user: string, roles: readonly string[]): boolean {
		const guild = this.guild(server);
		if (!guild) return false;
		// The id of the role @everyone is the server's id.
		const permissions = [server, ...roles].flatMap((id) => guild.roles.cache.get(id)?.permissions ?? []);
		return guild.ownerId === user || permissions.some(mayModerate);
	}

	guild(id: string): Guild | undefined {
		return this.#client?.guilds.cache.get(id);
	}
}
