import {
	type APIApplication,
	type APIChannel,
	type APIGatewayBotInfo,
	type APIGuildMember,
	type APIOverwrite,
	ApplicationFlags,
	ChannelType,
	DiscordAPIError,
	OverwriteType,
	PermissionFlagsBits,
	type REST,
	type RESTAPIPartialCurrentUserGuild,
	Routes,
} from 'discord.js';
import type { Config } from '../config/config.ts';
import type { CommandDescription } from '../domain/command.ts';
import { codeOf, connectionStep } from '../domain/text.ts';
import type { Log } from '../log.ts';
import { createRest } from '../platforms/discord/index.ts';
import { registeredDiffers } from '../platforms/discord/registration/register.ts';
import { type Checks, type Finding, type Found, fault, ok, skipped, warning } from './check.ts';
import { namesOf } from './host.ts';

/**
 * Asks Discord by REST alone: a connection to the gateway would take one of the day's session starts.
 *
 * @param offered returns the commands that are registered at a start
 */
export function discordChecks(discord: DiscordConfig, offered: () => Promise<CommandDescription[]>, log: Log): Checks {
	const rest = createRest({ ...discord, log });
	let asked: Promise<APIApplication | Finding> | undefined;
	const ask = () => (asked ??= askApplication(rest, discord.apiUrl));
	/** A check that needs the application, and is skipped without it. */
	const withApplication =
		(look: (application: APIApplication, signal: AbortSignal) => Promise<Found> | Found) =>
		async (signal: AbortSignal): Promise<Found> => {
			const application = await ask();
			if ('level' in application) return skipped('Not checked, because Discord did not answer the first question.');
			return look(application, signal);
		};
	return {
		async token() {
			const application = await ask();
			if ('level' in application) return application;
			const { name, approximate_guild_count: servers = 0 } = application;
			return ok(`Discord takes the token: ${name}, in ${servers} ${servers === 1 ? 'server' : 'servers'}.`);
		},
		intent: withApplication((application) => checkIntent(discord, application)),
		interactions: withApplication(checkInteractions),
		commands: withApplication(async () => checkCommands(discord, rest, await offered())),
		sessions: withApplication((_, signal) => checkSessions(discord, rest, signal)),
		permissions: withApplication(({ id, bot }, signal) => checkServers(rest, bot?.id ?? id, signal)),
		invite: withApplication(({ id }) => ok(`Invite link with the least permissions: ${inviteLink(id)}`)),
	};
}

async function askApplication(rest: REST, apiUrl: string): Promise<APIApplication | Finding> {
	try {
		return (await rest.get(Routes.currentApplication())) as APIApplication;
	} catch (error) {
		if (error instanceof DiscordAPIError && error.status === 401)
			return fault(
				'Discord does not accept the token.',
				'Reset the token in the developer portal under Bot, and set DISCORD_TOKEN to the new one.',
				'DISCORD_TOKEN',
			);
		const { status } = error as { status?: unknown };
		const variable = apiUrl === 'https://discord.com/api' ? undefined : 'DISCORD_API_URL';
		if (typeof status === 'number')
			return fault(
				`Discord answers ${status}.`,
				'Try again in some minutes; https://discordstatus.com tells of outages.',
				variable,
			);
		const code = codeOf(error);
		return fault(`Discord cannot be reached (${code}).`, connectionStep(code), variable);
	}
}

export type DiscordConfig = NonNullable<Config['discord']>;

const PORTAL = 'in the developer portal (https://discord.com/developers/applications)';

/** https://docs.discord.com/developers/resources/application#application-object-application-flags */
const MESSAGE_CONTENT = ApplicationFlags.GatewayMessageContent | ApplicationFlags.GatewayMessageContentLimited;

function checkIntent({ messageContent }: DiscordConfig, { flags }: APIApplication): Finding {
	if (!messageContent)
		return ok('DISCORD_MESSAGE_CONTENT is off: chat threads answer only messages that mention the bot.');
	if (flags & MESSAGE_CONTENT) return ok('The Message Content intent is on.');
	return warning(
		'The Message Content intent is off, so chat threads answer only messages that mention the bot.',
		`Turn on Message Content Intent under Bot ${PORTAL}, or set DISCORD_MESSAGE_CONTENT=off.`,
		'DISCORD_MESSAGE_CONTENT',
	);
}

/** With such an address, Discord sends interactions there and none to the gateway. */
function checkInteractions({ interactions_endpoint_url: address }: APIApplication): Finding {
	if (!address) return ok('Commands arrive by the gateway.');
	return fault(
		'Discord sends commands to an interactions endpoint, so none reaches Easel.',
		`Clear Interactions Endpoint URL under General Information ${PORTAL}.`,
	);
}

/** The commands of this version against those that Discord has. Nothing is registered. */
async function checkCommands(
	{ register }: DiscordConfig,
	rest: REST,
	commands: readonly CommandDescription[],
): Promise<Finding> {
	if (!(await registeredDiffers({ rest, commands }))) return ok('The registered commands are those of this version.');
	const step = register ? 'npm start registers them; npm run register does it now.' : 'npm run register';
	return warning('The registered commands are not those of this version.', step, 'DISCORD_REGISTER');
}

/** The session starts that are left today. Looking at them takes none. */
async function checkSessions({ shards }: DiscordConfig, rest: REST, signal: AbortSignal): Promise<Finding> {
	const { shards: recommended, session_start_limit: limit } = (await rest.get(Routes.gatewayBot(), {
		signal,
	})) as APIGatewayBotInfo;
	const needed = shards === 'auto' ? recommended : shards.shards.length;
	if (limit.remaining < needed)
		return warning(
			`A start needs ${needed} session starts, and ${limit.remaining} are left today.`,
			`A start waits until ${new Date(Date.now() + limit.reset_after).toISOString()}; leave a running process alone until then.`,
		);
	if (shards !== 'auto' && shards.shardCount < recommended)
		return warning(
			`Discord recommends ${recommended} shards, and DISCORD_SHARDS has ${shards.shardCount}.`,
			`Set DISCORD_SHARDS to auto, or to ranges of ${recommended} shards in all processes.`,
			'DISCORD_SHARDS',
		);
	return ok(`${limit.remaining} session starts are left today, and a start needs ${needed}.`);
}

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
async function checkServers(rest: REST, user: string, signal: AbortSignal): Promise<Finding[]> {
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
			warning(
				`${name}: ${namesOf(missing)} ${missing.length === 1 ? 'is' : 'are'} missing in the whole server.`,
				"Grant this to the bot's role in the server settings, or invite the bot again with the link.",
			),
		);
	for (const [permission, where] of missingByPermission(channels, base, { server: id, roles, user }, missing))
		findings.push(
			warning(
				`${name}: ${permission} is missing in ${namesOf(where.map((channel) => `#${channel}`))}.`,
				`Allow ${permission} for the bot's role in the permissions of the channel${where.length === 1 ? '' : 's'}.`,
			),
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

/** The least that Easel needs, by the names that Discord's client has for it. */
const NEEDED: Readonly<Record<string, bigint>> = {
	'View Channels': PermissionFlagsBits.ViewChannel,
	'Send Messages': PermissionFlagsBits.SendMessages,
	'Attach Files': PermissionFlagsBits.AttachFiles,
	'Read Message History': PermissionFlagsBits.ReadMessageHistory,
	'Create Public Threads': PermissionFlagsBits.CreatePublicThreads,
	'Create Private Threads': PermissionFlagsBits.CreatePrivateThreads,
	'Send Messages in Threads': PermissionFlagsBits.SendMessagesInThreads,
};

const ALL = Object.values(PermissionFlagsBits).reduce((all, bit) => all | bit, 0n);

/** The address by which the bot is invited with the permissions that it needs. */
function inviteLink(applicationId: string): string {
	const permissions = Object.values(NEEDED).reduce((all, bit) => all | bit, 0n);
	return `https://discord.com/oauth2/authorize?client_id=${applicationId}&scope=bot+applications.commands&permissions=${permissions}`;
}

/** Returns the names of the needed permissions that are not among these. */
const missingIn = (permissions: bigint, needed: readonly string[] = Object.keys(NEEDED)): string[] =>
	permissions & PermissionFlagsBits.Administrator ? [] : needed.filter((name) => !(permissions & (NEEDED[name] ?? 0n)));

/**
 * Returns a member's permissions in a channel. https://docs.discord.com/developers/topics/permissions#permission-overwrites
 *
 * @param base the member's permissions in the server
 * @param member the ids of the server, of the member's roles, and of the user
 */
function permissionsAt(
	channel: APIChannel,
	base: bigint,
	member: { server: string; roles: readonly string[]; user: string },
): bigint {
	if (base & PermissionFlagsBits.Administrator) return ALL;
	const overwrites = 'permission_overwrites' in channel ? (channel.permission_overwrites ?? []) : [];
	const steps: ((overwrite: APIOverwrite) => boolean)[] = [
		({ id, type }) => type === OverwriteType.Role && id === member.server,
		({ id, type }) => type === OverwriteType.Role && id !== member.server && member.roles.includes(id),
		({ id, type }) => type === OverwriteType.Member && id === member.user,
	];
	let permissions = base;
	for (const applies of steps) {
		const applicable = overwrites.filter(applies);
		for (const { deny } of applicable) permissions &= ~BigInt(deny);
		for (const { allow } of applicable) permissions |= BigInt(allow);
	}
	return permissions;
}
