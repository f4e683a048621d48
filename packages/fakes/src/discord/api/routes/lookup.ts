import type { Discord } from '../../context.ts';
import { renderMessage } from '../../render/messages.ts';
import { renderChannel } from '../../render/objects.ts';
import { isReadable } from '../../world/messages.ts';
import { type Channel, isThread, type Message } from '../../world/model.ts';
import { type Permission, requirePermissions } from '../../world/permissions.ts';
import { apiErrors } from '../errors.ts';
import type { RouteRequest } from '../route.ts';

/** Returns the channel of a path. Throws what Discord returns when it is unknown, or when a permission is missing. */
export function channelOf({ discord, params }: RouteRequest, ...permissions: Permission[]): Channel {
	const channel = discord.world.channels.get(params['channel'] ?? '');
	if (!channel) throw apiErrors.unknownChannel();
	requirePermissions(channel, discord.world.me, ...permissions);
	return channel;
}

/** As `channelOf`, for a channel that has to be a thread. */
export function threadOf(request: RouteRequest): Channel {
	const channel = channelOf(request);
	if (!isThread(channel)) throw apiErrors.wrongChannelType();
	return channel;
}

/** Returns the message of a path. Ephemeral messages are accessible with the token of their interaction only. */
export function messageOf({ messages }: Channel, { params }: RouteRequest): Message {
	const message = messages.get(params['message'] ?? '');
	if (!message || message.only) throw apiErrors.unknownMessage();
	return message;
}

export const showChannel = ({ discord }: RouteRequest, channel: Channel) => renderChannel(channel, discord.world.me);

/** The API omits content that the application may not read, as the gateway does. */
export const showMessage = (discord: Discord, message: Message) =>
	renderMessage(discord, message, isReadable(discord, message, discord.settings.privileged.messageContent));
