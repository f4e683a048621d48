import { MessageFlags, PermissionFlagsBits } from 'discord-api-types/v10';
import { readMessage, refuseEmpty } from '../../schemas/messages.ts';
import { fileBytesIn } from '../../world/interactions.ts';
import { createMessage, deleteMessage, editMessage } from '../../world/messages.ts';
import { hasMessages } from '../../world/model.ts';
import { permissionsAt, requirePermissions, requireSending } from '../../world/permissions.ts';
import { apiErrors, invalidForm } from '../errors.ts';
import { MESSAGES, OLD_EDITS } from '../rate-limits.ts';
import type { Route, RouteRequest } from '../route.ts';
import { channelOf, messageOf, showMessage } from './lookup.ts';

/** https://docs.discord.com/developers/resources/message */
export const channelMessageRoutes: Route[] = [
	{ method: 'GET', path: '/channels/:channel/messages', run: listMessages },
	{
		method: 'GET',
		path: '/channels/:channel/messages/:message',
		run: (request) => showMessage(request.discord, messageOf(channelOf(request, 'ReadMessageHistory'), request)),
	},
	{ method: 'POST', path: '/channels/:channel/messages', rate: MESSAGES, run: postMessage },
	{
		method: 'PATCH',
		path: '/channels/:channel/messages/:message',
		rate: MESSAGES,
		oldMessages: OLD_EDITS,
		run: patchMessage,
	},
	{
		method: 'DELETE',
		path: '/channels/:channel/messages/:message',
		rate: MESSAGES,
		run: (request) => {
			const { discord } = request;
			const channel = channelOf(request);
			const message = messageOf(channel, request);
			if (message.author !== discord.world.me) requirePermissions(channel, discord.world.me, 'ManageMessages');
			if (channel.archived) throw apiErrors.archivedThread();
			deleteMessage(discord, message);
		},
	},
];

/**
 * Without the permission to read the history, the list is empty.
 * https://docs.discord.com/developers/resources/message#get-channel-messages
 */
function listMessages(request: RouteRequest): unknown {
	const { discord, query } = request;
	const channel = channelOf(request);
	if (!(permissionsAt(channel, discord.world.me) & PermissionFlagsBits.ReadMessageHistory)) return [];
	const limit = Number(query.get('limit') ?? 50);
	if (!(limit >= 1 && limit <= 100))
		throw invalidForm([{ path: ['limit'], code: 'NUMBER_TYPE_MAX', message: 'Must be between 1 and 100.' }]);
	const [before, after] = ['before', 'after'].map((name) => BigInt(query.get(name) ?? 0));
	const matching = [...channel.messages.values()].filter(
		({ id, only }) => !only && (!before || BigInt(id) < before) && (!after || BigInt(id) > after),
	);
	const page = after ? matching.slice(0, limit) : matching.slice(-limit);
	return page.toReversed().map((message) => showMessage(discord, message));
}

/** https://docs.discord.com/developers/resources/message#create-message */
function postMessage(request: RouteRequest): unknown {
	const { discord, json, files } = request;
	const { me } = discord.world;
	const channel = channelOf(request);
	if (!hasMessages(channel)) throw apiErrors.nonTextChannel();
	const body = readMessage(json, files, fileBytesIn(channel));
	if ((body.flags ?? 0) & MessageFlags.Ephemeral)
		discord.violate('only responses to interactions can be ephemeral: everybody sees this message');
	requireSending(channel, me, files.length, body.embeds?.length ?? 0);
	if (channel.recipients.some((user) => user.blocksDirectMessages)) throw apiErrors.closedDirectMessages();
	refuseEmpty(body, files.length);
	const reply = body.message_reference;
	const reference = reply ? channel.messages.get(reply.message_id) : undefined;
	if (reply && (!reference || reference.only) && reply.fail_if_not_exists !== false)
		throw invalidForm([{ path: ['message_reference'], code: 'REPLIES_UNKNOWN_MESSAGE', message: 'Unknown message' }]);
	if (reply) requirePermissions(channel, me, 'ReadMessageHistory');
	const flags = (body.flags ?? 0) & ~MessageFlags.Ephemeral;
	return showMessage(discord, createMessage(discord, { ...body, flags }, files, { channel, author: me, reference }));
}

/** https://docs.discord.com/developers/resources/message#edit-message */
function patchMessage(request: RouteRequest): unknown {
	const { discord, json, files } = request;
	const channel = channelOf(request);
	const message = messageOf(channel, request);
	if (message.author !== discord.world.me) throw apiErrors.notYourMessage();
	if (channel.archived) throw apiErrors.archivedThread();
	if (files.length > 0) requirePermissions(channel, discord.world.me, 'AttachFiles');
	const attachmentIds = message.files.map(({ id }) => id);
	const body = readMessage(json, files, fileBytesIn(channel), { flags: message.flags, attachmentIds });
	return showMessage(discord, editMessage(discord, message, body, files));
}
