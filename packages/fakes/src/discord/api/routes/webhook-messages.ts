import { MessageFlags, PermissionFlagsBits } from 'discord-api-types/v10';
import { renderMessage } from '../../render/messages.ts';
import { type MessageBody, readMessage, refuseEmpty } from '../../schemas/messages.ts';
import { fileBytesFor } from '../../world/interactions.ts';
import { createMessage, deleteMessage, editMessage } from '../../world/messages.ts';
import type { Channel, Interaction, Message, User } from '../../world/model.ts';
import { permissionsAt } from '../../world/permissions.ts';
import { apiErrors } from '../errors.ts';
import { WEBHOOK } from '../rate-limits.ts';
import type { Route, RouteRequest } from '../route.ts';

/**
 * The number of follow-ups to an interaction in a server that has not installed the application.
 * https://docs.discord.com/developers/change-log (2024-06-27)
 */
const MAX_USER_INSTALL_FOLLOW_UPS = 5;

/** Messages by the token of an interaction. https://docs.discord.com/developers/interactions/receiving-and-responding#followup-messages */
export const webhookMessageRoutes: Route[] = [
	{
		method: 'POST',
		path: '/webhooks/:application/:token',
		token: 'in path',
		rate: WEBHOOK,
		run: followUp,
	},
	{
		method: 'GET',
		path: '/webhooks/:application/:token/messages/:message',
		token: 'in path',
		run: (request) => renderMessage(request.discord, messageOf(request), true),
	},
	{
		method: 'PATCH',
		path: '/webhooks/:application/:token/messages/:message',
		token: 'in path',
		rate: WEBHOOK,
		run: (request) => edit(request, messageOf(request)),
	},
	{
		method: 'DELETE',
		path: '/webhooks/:application/:token/messages/:message',
		token: 'in path',
		run: (request) => {
			const message = messageOf(request);
			refuseClosed(message);
			deleteMessage(request.discord, message);
		},
	},
];

function followUp(request: RouteRequest): unknown {
	const { discord, json, files } = request;
	const interaction = interactionOf(request);
	const { original, channel } = interaction;
	// The first follow-up after a deferral edits the deferred response, which stays as public or private as it is.
	if (original && original.flags & MessageFlags.Loading) return edit(request, original);
	const body = readMessage(json, files, fileBytesFor(interaction));
	refuseEmpty(body, files.length);
	const { server } = channel;
	if (server && !server.authorized && ++interaction.followUps > MAX_USER_INSTALL_FOLLOW_UPS)
		throw apiErrors.tooManyFollowUps();
	return renderMessage(discord, createResponse(request, interaction, body), true);
}

function edit(request: RouteRequest, message: Message): unknown {
	const { discord, json, files } = request;
	refuseClosed(message);
	const body = readMessage(json, files, fileBytesFor(interactionOf(request)), existing(message));
	if (isBlocked(message.channel, body)) throw apiErrors.blockedByAutoMod();
	return renderMessage(discord, editMessage(discord, message, body, files), true);
}

/** https://github.com/discord/discord-api-docs/issues/3197 */
function refuseClosed({ channel, only }: Message): void {
	if (channel.archived && !only) throw apiErrors.archivedThread();
}

/** Adds a message that responds to an interaction. */
export function createResponse(
	{ discord, files }: RouteRequest,
	{ id, type, user, channel, data }: Interaction,
	body: MessageBody,
	loading = false,
): Message {
	// https://github.com/discord/discord-api-docs/issues/5517
	if (channel.archived && channel.locked) throw apiErrors.archivedThread();
	const isEphemeral =
		((body.flags ?? 0) & MessageFlags.Ephemeral) !== 0 || isHidden(channel, user) || isBlocked(channel, body);
	return createMessage(discord, body, files, {
		channel,
		author: discord.world.me,
		loading,
		only: isEphemeral ? user : undefined,
		interaction: { id, type, user, ...(data['name'] !== undefined && { name: String(data['name']) }) },
	});
}

/**
 * AutoMod applies to the responses of an application that only the user has installed. An edit that it blocks is refused, and a new
 * message that it blocks is shown to the user alone. https://docs.discord.com/developers/change-log (2024-06-27)
 */
function isBlocked({ server }: Channel, { content }: MessageBody): boolean {
	if (!server || server.authorized) return false;
	const keywords = server.autoModeration.flatMap(({ trigger_metadata }) => trigger_metadata.keyword_filter ?? []);
	return keywords.some((keyword) => content?.toLowerCase().includes(keyword));
}

/**
 * The responses of an application that only the user has installed are ephemeral where the user lacks this permission.
 * https://docs.discord.com/developers/topics/permissions#permissions-bitwise-permission-flags
 */
const isHidden = (channel: Channel, user: User): boolean =>
	channel.server?.authorized === false && !(permissionsAt(channel, user) & PermissionFlagsBits.UseExternalApps);

/** The properties of a message that limit its edits. */
export const existing = ({ flags, files }: Message) => ({ flags, attachmentIds: files.map(({ id }) => id) });

function interactionOf({ discord, params }: RouteRequest): Interaction {
	const { interactions, world } = discord;
	const interaction = interactions.byToken(params['token'] ?? '');
	if (!interaction || interaction.answered === undefined || params['application'] !== world.me.id)
		throw apiErrors.unknownWebhook();
	if (!interactions.isTokenValid(interaction)) throw apiErrors.tokenExpired();
	return interaction;
}

function messageOf(request: RouteRequest): Message {
	const interaction = interactionOf(request);
	const id = request.params['message'] ?? '';
	const { messages } = interaction.channel;
	const message = id === '@original' ? interaction.original : messages.get(id);
	const isOwn = message?.interaction?.id === interaction.id || message === interaction.original;
	if (!message || !isOwn || !messages.has(message.id)) throw apiErrors.unknownMessage();
	return message;
}
