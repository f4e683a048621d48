import { z } from 'zod';
import { renderChannel, renderUser } from '../../render/objects.ts';
import { readForm } from '../../schemas/read-form.ts';
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
	};
}
