import { GatewayCloseCodes as Close, GatewayIntentBits as Intent } from 'discord-api-types/v10';
import type { Discord, Session, Settings } from '../context.ts';
import { renderServer, renderUser } from '../render/objects.ts';
import { shardOf } from '../world/snowflakes.ts';

const KNOWN_INTENTS = Object.values(Intent).reduce(
	(all: number, bit) => (typeof bit === 'number' ? all | bit : all),
	0,
);

/** The data of an identify payload. https://docs.discord.com/developers/events/gateway-events#identify */
export type IdentifyData = { token?: unknown; intents?: unknown; shard?: readonly [number, number] };

/**
 * Returns the close code for an identify payload that Discord refuses.
 * https://docs.discord.com/developers/topics/opcodes-and-status-codes#gateway-gateway-close-event-codes
 */
export function refusalOf(
	{ token, intents: requested, shard = [0, 1] }: IdentifyData,
	settings: Settings,
): { code: Close; reason: string } | undefined {
	const intents = Number(requested);
	if (token !== settings.token) return { code: Close.AuthenticationFailed, reason: 'Authentication failed.' };
	if (!(shard[0] < shard[1])) return { code: Close.InvalidShard, reason: 'Invalid shard.' };
	if (shard[1] < settings.requiredShards) return { code: Close.ShardingRequired, reason: 'Sharding required.' };
	if (!Number.isInteger(intents) || intents & ~KNOWN_INTENTS)
		return { code: Close.InvalidIntents, reason: 'Invalid intent(s).' };
	const { messageContent, members, presences } = settings.privileged;
	const isDisallowed =
		(!messageContent && intents & Intent.MessageContent) ||
		(!members && intents & Intent.GuildMembers) ||
		(!presences && intents & Intent.GuildPresences);
	return isDisallowed ? { code: Close.DisallowedIntents, reason: 'Disallowed intent(s).' } : undefined;
}

/** Dispatches the first events of a session: `READY`, and `GUILD_CREATE` for each server of its shard. */
export function dispatchReady(
	{ world, address }: Discord,
	{ id, intents, shard }: Session,
	dispatch: (event: string, data: object) => void,
): void {
	const servers = [...world.servers.values()].filter(
		(server) => server.joined && shardOf(server.id, shard[1]) === shard[0],
	);
	dispatch('READY', {
		v: 10,
		user: renderUser(world.me),
		guilds: servers.map((server) => ({ id: server.id, unavailable: true })),
		session_id: id,
		resume_gateway_url: `${address().replace('http', 'ws')}/resume`,
		shard,
		application: { id: world.me.id, flags: 0 },
	});
	if (intents & Intent.Guilds) for (const server of servers) dispatch('GUILD_CREATE', renderServer(server, world.me));
}
