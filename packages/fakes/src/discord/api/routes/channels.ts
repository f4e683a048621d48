import { isThread } from '../../world/model.ts';
import { requirePermissions, requireSending } from '../../world/permissions.ts';
import { deleteChannel } from '../../world/threads.ts';
import type { Route } from '../route.ts';
import { channelOf, showChannel } from './lookup.ts';
import { changeThread } from './threads.ts';

/** https://docs.discord.com/developers/resources/channel */
export const channelRoutes: Route[] = [
	{ method: 'GET', path: '/channels/:channel', run: (request) => showChannel(request, channelOf(request)) },
	{ method: 'PATCH', path: '/channels/:channel', run: changeThread },
	{
		method: 'DELETE',
		path: '/channels/:channel',
		run: (request) => {
			const { discord } = request;
			const channel = channelOf(request);
			requirePermissions(channel, discord.world.me, isThread(channel) ? 'ManageThreads' : 'ManageChannels');
			deleteChannel(discord, channel);
			return showChannel(request, channel);
		},
	},
	{
		method: 'POST',
		path: '/channels/:channel/typing',
		run: (request) => {
			const { clock, world } = request.discord;
			const channel = channelOf(request);
			requireSending(channel, world.me, 0, 0);
			channel.typing.set(world.me.id, clock.now());
		},
	},
];
