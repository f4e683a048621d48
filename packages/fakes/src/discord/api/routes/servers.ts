import { PermissionFlagsBits } from 'discord-api-types/v10';
import { renderChannel, renderMember, renderRole, renderServer } from '../../render/objects.ts';
import { isThread, type Server } from '../../world/model.ts';
import { permissionsAt, permissionsIn } from '../../world/permissions.ts';
import { apiErrors } from '../errors.ts';
import type { Route, RouteRequest } from '../route.ts';

/**
 * Servers, which Discord calls guilds here.
 * https://docs.discord.com/developers/resources/guild and https://docs.discord.com/developers/resources/auto-moderation
 */
export const serverRoutes: Route[] = [
	{
		method: 'GET',
		path: '/guilds/:guild',
		run: (request) => renderServer(installedIn(request), request.discord.world.me),
	},
	{
		method: 'GET',
		path: '/guilds/:guild/channels',
		run: (request) =>
			[...installedIn(request).channels.values()]
				.filter((channel) => !isThread(channel))
				.map((channel) => renderChannel(channel, request.discord.world.me)),
	},
	{
		method: 'GET',
		path: '/guilds/:guild/threads/active',
		run: (request) => {
			const { me } = request.discord.world;
			const threads = [...installedIn(request).channels.values()].filter(
				(channel) => isThread(channel) && !channel.archived && permissionsAt(channel, me) > 0n,
			);
			return { threads: threads.map((thread) => renderChannel(thread, me)), members: [] };
		},
	},
	{
		method: 'GET',
		path: '/guilds/:guild/roles',
		run: (request) => [...installedIn(request).roles.values()].map(renderRole),
	},
	{
		method: 'GET',
		path: '/guilds/:guild/members/:user',
		run: (request) => {
			const server = installedIn(request);
			const member = server.members.get(request.params['user'] ?? '');
			if (!member) throw apiErrors.unknownMember();
			return renderMember(server, member.user);
		},
	},
	{
		method: 'GET',
		path: '/guilds/:guild/auto-moderation/rules',
		run: (request) => {
			const server = installedIn(request);
			if (!(permissionsIn(server, request.discord.world.me) & PermissionFlagsBits.ManageGuild))
				throw apiErrors.missingPermissions();
			return server.autoModeration;
		},
	},
];

/** Returns a server that has installed the application. */
function installedIn({ discord, params }: RouteRequest): Server {
	const server = discord.world.servers.get(params['guild'] ?? '');
	if (!server?.joined) throw apiErrors.unknownGuild();
	return server;
}
