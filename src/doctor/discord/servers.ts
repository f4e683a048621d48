import {
	type APIChannel,
	type APIGuildMember,
	ChannelType,
	type REST,
	type RESTAPIPartialCurrentUserGuild,
	Routes,
} from 'discord.js';
import { type Finding, ok, skipped, warning } from '../check.ts';
import { namesOf } from '../names.ts';
import { missingIn, NEEDED, permissionsAt } from './permissions.ts';

/** https://docs.discord.com/developers/resources/user#get-current-user-guilds */
const PAGE = 200;

/** The requests share Discord's rate limits with the running bot, so not every channel of a very large bot is looked at. */
const MAX_SERVERS = 100;
const MAX_AT_ONCE = 4;

/** Channels in which people use Easel, with what it does not need there. */
const CHANNEL_TYPES: ReadonlyMap<ChannelType, readonly string[]> = new Map([
	[ChannelType.GuildText, []],
	[ChannelType.GuildAnnouncement, ['Create Private Threads']],
	[ChannelType.GuildForum, ['Create Public Threads', 'Create Private Threads']],
	[ChannelType.GuildMedia, ['Create Public Threads', 'Create Private Threads']],
]);

type Server = RESTAPIPartialCurrentUserGuild;

/** Finds the permissions that are missing in each server, and in which channels. */
export async function checkServers(rest: REST, user: string, signal: AbortSignal): Promise<Finding[]> {
	const servers = await listServers(rest, signal);
	if (servers.length === 0) return [skipped('The bot is in no server yet: use the invite link.')];
	const looked = servers.slice(0, MAX_SERVERS);
	const found = new Map<Server, Finding[]>();
	const queue = looked.values();
	// Each of these takes the next server until there is none.
	const work = async () => {
		for (const server of queue) found.set(server, await checkServer(rest, server, user, signal));
	};
	await Promise.all(Array.from({ length: MAX_AT_ONCE }, work));
	const complete = looked.filter((server) => found.get(server)?.length === 0).map(({ name }) => name);
	const further = servers.length - looked.length;
	return [
		...(complete.length > 0 ? [ok(`All permissions are there in ${namesOf(complete)}.`)] : []),
		...looked.flatMap((server) => found.get(server) ?? []),
		...(further > 0 ? [skipped(`${further} further servers were not looked at.`)] : []),
	];
}

async function listServers(rest: REST, signal: AbortSignal): Promise<Server[]> {
	const servers: Server[] = [];
	for (;;) {
		const query = new URLSearchParams({ limit: String(PAGE) });
		const last = servers.at(-1);
		if (last) query.set('after', last.id);
		const page = (await rest.get(Routes.userGuilds(), { query, signal })) as Server[];
		servers.push(...page);
		if (page.length < PAGE) return servers;
	}
}

async function checkServer(rest: REST, server: Server, user: string, signal: AbortSignal): Promise<Finding[]> {
	const { id, name } = server;
	const base = BigInt(server.permissions);
	const missing = missingIn(base);
	const [channels, { roles }] = (await Promise.all([
		rest.get(Routes.guildChannels(id), { signal }),
		rest.get(Routes.guildMember(id, user), { signal }),
	])) as [APIChannel[], APIGuildMember];
	const findings: Finding[] = [];
	if (missing.length > 0)
		findings.push(
			warning(`${name}: ${namesOf(missing)} ${missing.length === 1 ? 'is' : 'are'} missing in the whole server.`, {
				step: "Grant this to the bot's role in the server settings, or invite the bot again with the link.",
			}),
		);
	for (const [permission, where] of missingByPermission(channels, base, { server: id, roles, user }, missing))
		findings.push(
			warning(`${name}: ${permission} is missing in ${namesOf(where.map((channel) => `#${channel}`))}.`, {
				step: `Allow ${permission} for the bot's role in the permissions of the channel${where.length === 1 ? '' : 's'}.`,
			}),
		);
	return findings;
}

/**
 * Returns where a permission is missing that the bot has in the server. Channels that the bot cannot see are left out: hiding them is
 * how moderators keep it away.
 *
 * @param missing permissions that are missing in the whole server
 */
function missingByPermission(
	channels: readonly APIChannel[],
	base: bigint,
	member: { server: string; roles: readonly string[]; user: string },
	missing: readonly string[],
): Map<string, string[]> {
	const found = new Map<string, string[]>();
	for (const channel of channels) {
		const unneeded = CHANNEL_TYPES.get(channel.type);
		if (!unneeded) continue;
		const permissions = permissionsAt(channel, base, member);
		if (missingIn(permissions, ['View Channels']).length > 0) continue;
		const needed = Object.keys(NEEDED).filter((name) => !unneeded.includes(name) && !missing.includes(name));
		for (const permission of missingIn(permissions, needed))
			found.set(permission, [...(found.get(permission) ?? []), channel.name ?? channel.id]);
	}
	return found;
}
