import { z } from 'zod';
import { renderChannel, renderUser } from '../../render/objects.ts';
import { readForm } from '../../schemas/read-form.ts';
import { permissionsIn } from '../../world/permissions.ts';
import { removeApplication } from '../../world/remove-application.ts';
import { apiErrors } from '../errors.ts';
import type { Route, RouteRequest } from '../route.ts';

/** The application itself, the address of the gateway, and users. */
export const applicationRoutes: Route[] = [
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
	{ method: 'GET', path: '/users/@me/guilds', run: listServers },
	{ method: 'DELETE', path: '/users/@me/guilds/:server', run: leaveServer },
	{ method: 'GET', path: '/users/@me', run: ({ discord }) => renderUser(discord.world.me) },
	{
		method: 'GET',
		path: '/users/:user',
		run: ({ discord, params }) => {
			const user = discord.world.userById(params['user'] ?? '');
			if (!user) throw apiErrors.unknownUser();
			return renderUser(user);
		},
	},
	{
		method: 'POST',
		path: '/users/@me/channels',
		run: ({ discord, json }) => {
			const { recipient_id } = readForm(z.object({ recipient_id: z.string() }), json);
			const user = discord.world.userById(recipient_id);
			if (!user || user.bot) throw apiErrors.unknownUser();
			return renderChannel(discord.world.directMessages(user), discord.world.me);
		},
	},
	...['/applications/@me', '/oauth2/applications/@me'].map(
		(path): Route => ({ method: 'GET', path, run: renderApplication }),
	),
];

/** https://docs.discord.com/developers/resources/user#get-current-user-guilds */
function listServers({ discord: { world }, query }: RouteRequest) {
	const limit = Number(query.get('limit') ?? 200);
	if (!(limit >= 1 && limit <= 200)) throw apiErrors.notFound();
	const after = BigInt(query.get('after') ?? 0);
	return [...world.servers.values()]
		.filter(({ joined, id }) => joined && BigInt(id) > after)
		.toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1))
		.slice(0, limit)
		.map((server) => ({
			id: server.id,
			name: server.name,
			icon: null,
			banner: null,
			owner: server.ownerId === world.me.id,
			permissions: String(permissionsIn(server, world.me)),
			features: server.features,
		}));
}

/** https://docs.discord.com/developers/resources/user#leave-guild */
function leaveServer({ discord, params }: RouteRequest): undefined {
	const server = discord.world.servers.get(params['server'] ?? '');
	if (!server?.joined) throw apiErrors.unknownGuild();
	removeApplication(discord, server);
}

const gatewayUrl = (address: string) => address.replace('http', 'ws');

const FLAGS = { presences: 1 << 13, members: 1 << 15, messageContent: 1 << 19 };

/** The privileged intents are flags: the `limited` ones, as for applications that are not verified. */
function renderApplication({ discord: { world, settings } }: RouteRequest) {
	const enabled = (Object.keys(FLAGS) as (keyof typeof FLAGS)[]).filter((name) => settings.privileged[name]);
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
		flags: enabled.reduce((all, name) => all | FLAGS[name], 0),
		approximate_guild_count: [...world.servers.values()].filter(({ joined }) => joined).length,
		integration_types_config: { 0: {}, 1: {} },
		interactions_endpoint_url: settings.interactionsEndpoint,
	};
}
