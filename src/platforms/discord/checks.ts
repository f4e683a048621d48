import {
	type APIApplication,
	type APIGatewayBotInfo,
	ApplicationFlags,
	ChannelType,
	Client,
	DiscordAPIError,
	type Guild,
	PermissionFlagsBits,
	type PermissionsBitField,
	type REST,
	type RESTAPIPartialCurrentUserGuild,
	Routes,
} from 'discord.js';
import { pino } from 'pino';
import type { CommandDescription } from '../../domain/command.ts';
import {
	type Checks,
	type Finding,
	type Findings,
	fault,
	namesOf,
	ok,
	once,
	skipped,
	unreachable,
	warning,
} from '../../domain/findings.ts';
import { callOf } from '../../domain/program.ts';
import { createRest } from './api/rest.ts';
import type { DiscordOptions } from './discord.ts';
import { registeredDiffers } from './registration.ts';

type Configured = Pick<DiscordOptions, 'token' | 'apiUrl' | 'shards' | 'messageContent' | 'register'>;

/**
 * Asks Discord by REST alone: a connection to the gateway would take one of the day's session starts.
 *
 * @param offered returns the commands that are registered at a start
 */
export function discordChecks(discord: Configured, offered: () => Promise<CommandDescription[]>): Checks {
	const rest = createRest({ ...discord, log: pino({ level: 'silent' }) });
	// It asks as well, and never connects.
	const client = new Client({ intents: [] });
	client.rest = rest;
	const ask = once(() => askApplication(rest, discord.apiUrl));
	const withApplication =
		(look: (application: APIApplication, signal: AbortSignal) => Promise<Findings> | Findings) =>
		async (signal: AbortSignal): Promise<Findings> => {
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
		permissions: withApplication((application, signal) => checkServers(client, application, signal)),
		invite: withApplication(({ id }) => {
			const permissions = Object.values(NEEDED).reduce((all, bit) => all | bit, 0n);
			const query = `client_id=${id}&scope=bot+applications.commands&permissions=${permissions}`;
			return ok(`Invite link with the least permissions: https://discord.com/oauth2/authorize?${query}`);
		}),
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
		return unreachable('Discord cannot be reached', error, variable);
	}
}

const PORTAL = 'in the developer portal (https://discord.com/developers/applications)';

/** https://docs.discord.com/developers/resources/application#application-object-application-flags */
const MESSAGE_CONTENT = ApplicationFlags.GatewayMessageContent | ApplicationFlags.GatewayMessageContentLimited;

function checkIntent({ messageContent }: Configured, { flags }: APIApplication): Finding {
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
	{ register }: Configured,
	rest: REST,
	commands: readonly CommandDescription[],
): Promise<Finding> {
	if (!(await registeredDiffers({ rest, commands }))) return ok('The registered commands are those of this version.');
	const step = register ? `${callOf('start')} registers them; ${callOf('register')} does it now.` : callOf('register');
	return warning('The registered commands are not those of this version.', step, 'DISCORD_REGISTER');
}

/** The session starts that are left today. Looking at them takes none. */
async function checkSessions({ shards }: Configured, rest: REST, signal: AbortSignal): Promise<Finding> {
	const gateway = (await rest.get(Routes.gatewayBot(), { signal })) as APIGatewayBotInfo;
	const { shards: recommended, session_start_limit: limit } = gateway;
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

/** The requests share Discord's rate limits with the running bot, so not every channel of a very large bot is looked at. */
const MAX_SERVERS = 100;

async function checkServers(client: Client, { id, bot, ...application }: APIApplication, signal: AbortSignal) {
	// https://docs.discord.com/developers/resources/user#get-current-user-guilds
	const query = new URLSearchParams({ limit: String(MAX_SERVERS) });
	const servers = (await client.rest.get(Routes.userGuilds(), { query, signal })) as RESTAPIPartialCurrentUserGuild[];
	if (servers.length === 0) return skipped('The bot is in no server yet: use the invite link.');
	const complete: string[] = [];
	const findings: Finding[] = [];
	for (const { id: server, name } of servers) {
		signal.throwIfAborted();
		const missing = await checkServer(await client.guilds.fetch(server), bot?.id ?? id);
		if (missing.length === 0) complete.push(name);
		findings.push(...missing);
	}
	const further = (application.approximate_guild_count ?? 0) - servers.length;
	return [
		...(complete.length > 0 ? [ok(`All permissions are there in ${namesOf(complete)}.`)] : []),
		...findings,
		...(further > 0 ? [skipped(`${further} further servers were not looked at.`)] : []),
	];
}

async function checkServer(guild: Guild, user: string): Promise<Finding[]> {
	const { name } = guild;
	const [channels, me] = await Promise.all([guild.channels.fetch(), guild.members.fetch(user)]);
	const missing = missingIn(me.permissions);
	const gaps = [...channels.values()].flatMap((channel) => {
		const unneeded = channel && CHANNEL_TYPES.get(channel.type);
		const lacking = channel ? missingIn(channel.permissionsFor(me)) : [];
		// Hiding a channel is how moderators keep the bot away from it.
		if (!unneeded || lacking.includes('View Channels')) return [];
		const inChannel = lacking.filter((permission) => ![...unneeded, ...missing].includes(permission));
		return inChannel.map((permission) => ({ permission, where: `#${channel.name}` }));
	});
	const findings = [...Map.groupBy(gaps, ({ permission }) => permission)].map(([permission, places]) =>
		warning(
			`${name}: ${permission} is missing in ${namesOf(places.map(({ where }) => where))}.`,
			`Allow ${permission} for the bot's role in the permissions of the channel${places.length === 1 ? '' : 's'}.`,
		),
	);
	if (missing.length === 0) return findings;
	const inServer = warning(
		`${name}: ${namesOf(missing)} ${missing.length === 1 ? 'is' : 'are'} missing in the whole server.`,
		"Grant this to the bot's role in the server settings, or invite the bot again with the link.",
	);
	return [inServer, ...findings];
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

/** Channels in which people use Easel, with what it does not need there. */
const CHANNEL_TYPES: ReadonlyMap<ChannelType, readonly string[]> = new Map([
	[ChannelType.GuildText, []],
	[ChannelType.GuildAnnouncement, ['Create Private Threads']],
	[ChannelType.GuildForum, ['Create Public Threads', 'Create Private Threads']],
	[ChannelType.GuildMedia, ['Create Public Threads', 'Create Private Threads']],
]);

const missingIn = (permissions: PermissionsBitField): string[] =>
	Object.keys(NEEDED).filter((name) => !permissions.has(NEEDED[name] ?? 0n));
