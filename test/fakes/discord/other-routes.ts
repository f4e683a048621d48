import { z } from 'zod';
import { error } from './errors.ts';
import { readForm } from './forms.ts';
import { permissionsIn } from './permissions.ts';
import { renderChannel, renderMember, renderRole, renderServer, renderUser } from './render.ts';
import type { Call, Route } from './route.ts';
import { isThread, type Server } from './things.ts';

/** The gateway's address, users, and what servers are like. */
export const otherRoutes: Route[] = [
	{ method: 'GET', path: '/gateway', run: ({ discord }) => ({ url: gatewayUrl(discord.address()) }) },
	{
		method: 'GET',
		path: '/gateway/bot',
		run: ({ discord: { settings, address } }) => ({
			url: gatewayUrl(address()),
			shards: settings.shards,
			session_start_limit: {
				total: 1000,
				remaining: Math.max(0, settings.identifies),
				reset_after: settings.identifyResetMs,
				max_concurrency: 16,
			},
		}),
	},
	{ method: 'GET', path: '/users/@me', run: ({ discord }) => renderUser(discord.world.me) },
	{
		method: 'GET',
		path: '/users/:user',
		run: ({ discord, params }) => {
			const user = discord.world.userById(params['user'] ?? '');
			if (!user) throw error.unknownUser();
			return renderUser(user);
		},
	},
	{
		method: 'POST',
		path: '/users/@me/channels',
		run: ({ discord, json }) => {
			const { recipient_id } = readForm(z.object({ recipient_id: z.string() }), json);
			const user = discord.world.userById(recipient_id);
			if (!user || user.bot) throw error.unknownUser();
			return renderChannel(discord.world.directMessages(user), discord.world.me);
		},
	},
	...['/applications/@me', '/oauth2/applications/@me'].map(
		(path): Route => ({ method: 'GET', path, run: renderApplication }),
	),
	{ method: 'GET', path: '/guilds/:guild', run: (call) => renderServer(joined(call), call.discord.world.me) },
	{
		method: 'GET',
		path: '/guilds/:guild/channels',
		run: (call) =>
			[...joined(call).channels.values()]
				.filter((channel) => !isThread(channel))
				.map((channel) => renderChannel(channel, call.discord.world.me)),
	},
	{
		method: 'GET',
		path: '/guilds/:guild/threads/active',
		run: (call) => {
			const { me } = call.discord.world;
			const threads = [...joined(call).channels.values()].filter((channel) => isThread(channel) && !channel.archived);
			return { threads: threads.map((thread) => renderChannel(thread, me)), members: [] };
		},
	},
	{ method: 'GET', path: '/guilds/:guild/roles', run: (call) => [...joined(call).roles.values()].map(renderRole) },
	{
		method: 'GET',
		path: '/guilds/:guild/members/:user',
		run: (call) => {
			const server = joined(call);
			const member = server.members.get(call.params['user'] ?? '');
			if (!member) throw error.unknownMember();
			return renderMember(server, member.user);
		},
	},
	{
		method: 'GET',
		path: '/guilds/:guild/auto-moderation/rules',
		run: (call) => {
			const server = joined(call);
			if (!(permissionsIn(server, call.discord.world.me) & MANAGE_GUILD)) throw error.missingPermissions();
			return server.autoModeration;
		},
	},
];

const MANAGE_GUILD = 1n << 5n;

const gatewayUrl = (address: string) => address.replace('http', 'ws');

const FLAGS = { presences: 1 << 13, members: 1 << 15, messageContent: 1 << 19 };

/** With the privileged toggles as flags: the `limited` ones, as smaller applications have them. */
function renderApplication({ discord: { world, settings } }: Call) {
	const on = (Object.keys(FLAGS) as (keyof typeof FLAGS)[]).filter((name) => settings.privileged[name]);
	return {
		id: world.me.id,
		name: world.me.name,
		icon: null,
		description: '',
		bot_public: true,
		bot_require_code_grant: false,
		verify_key: '0'.repeat(64),
		team: null,
		owner: { ...renderUser(world.me), bot: false },
		bot: renderUser(world.me),
		flags: on.reduce((all, name) => all | FLAGS[name], 0),
		approximate_guild_count: [...world.servers.values()].filter(({ joined }) => joined).length,
		integration_types_config: { 0: {}, 1: {} },
	};
}

/** A server that the application is in; of others it may know nothing. */
function joined({ discord, params }: Call): Server {
	const server = discord.world.servers.get(params['guild'] ?? '');
	if (!server?.joined) throw error.unknownGuild();
	return server;
}
