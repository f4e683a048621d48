import { InteractionResponseType as Answer, InteractionType, MessageFlags } from 'discord-api-types/v10';
import { z } from 'zod';
import { modal } from './components.ts';
import type { Discord } from './context.ts';
import { DiscordError, error, invalidForm } from './errors.ts';
import { readForm } from './forms.ts';
import { fileBytesIn } from './interactions.ts';
import { type MessageBody, readMessage, refuseEmpty } from './limits.ts';
import { createMessage, deleteMessage, editMessage } from './messages.ts';
import { WEBHOOK } from './rate-limits.ts';
import { renderMessage } from './render.ts';
import type { Call, Route } from './route.ts';
import type { Interaction, Message } from './things.ts';

/** Follow-ups where the application was brought along by the person only. */
const FOLLOW_UPS_OF_USER_INSTALL = 5;

const choice = (value: z.ZodType) =>
	z.object({ name: z.string().min(1).max(100), value, name_localizations: z.record(z.string(), z.string()).nullish() });
const choices = z.object({
	choices: z.array(choice(z.union([z.string().max(100), z.number()]))).max(25),
});

/** Which callbacks an interaction takes. */
const ANSWERS: Record<number, readonly Answer[]> = {
	[InteractionType.ApplicationCommand]: [4, 5, 9],
	[InteractionType.MessageComponent]: [4, 5, 6, 7, 9],
	[InteractionType.ApplicationCommandAutocomplete]: [8],
	[InteractionType.ModalSubmit]: [4, 5, 6, 7],
};

/** https://docs.discord.com/developers/interactions/receiving-and-responding */
export const interactionRoutes: Route[] = [
	{ method: 'POST', path: '/interactions/:interaction/:token/callback', token: 'in path', run: callBack },
	{
		method: 'POST',
		path: '/webhooks/:application/:token',
		token: 'in path',
		rate: WEBHOOK,
		run: (call) => {
			const interaction = withToken(call);
			const { discord, json, files } = call;
			const { original } = interaction;
			// Directly after a deferral this is an edit of the deferred answer, whose visibility stays.
			if (original && original.flags & MessageFlags.Loading) return edit(call, original);
			const body = readMessage(json, files, fileBytesIn(interaction.channel));
			refuseEmpty(body, files.length);
			const { server } = interaction.channel;
			if (server && !server.joined && ++interaction.followUps > FOLLOW_UPS_OF_USER_INSTALL)
				throw error.tooManyFollowUps();
			return show(discord, answer(call, interaction, body));
		},
	},
	{
		method: 'GET',
		path: '/webhooks/:application/:token/messages/:message',
		token: 'in path',
		run: (call) => show(call.discord, messageOf(call)),
	},
	{
		method: 'PATCH',
		path: '/webhooks/:application/:token/messages/:message',
		token: 'in path',
		rate: WEBHOOK,
		run: (call) => edit(call, messageOf(call)),
	},
	{
		method: 'DELETE',
		path: '/webhooks/:application/:token/messages/:message',
		token: 'in path',
		run: (call) => deleteMessage(call.discord, messageOf(call)),
	},
];

function callBack(call: Call): unknown {
	const { discord, params, query, json } = call;
	const { interactions, violate } = discord;
	const interaction = interactions.byId(params['interaction'] ?? '');
	if (!interaction || interaction.token !== params['token']) throw error.unknownInteraction();
	if (interaction.answered !== undefined) {
		// Who was told twice, also by another process, may find out like this.
		if (interaction.deliveries < 2) violate(`interaction ${interaction.id} was answered twice`);
		throw new DiscordError(400, 40060, 'Interaction has already been acknowledged.');
	}
	if (!interactions.inTime(interaction)) throw error.unknownInteraction();
	const { type, data } = readForm(z.object({ type: z.number(), data: z.unknown().optional() }), json);
	const possible = ANSWERS[interaction.type] ?? [];
	const onMessage = type !== Answer.UpdateMessage && type !== Answer.DeferredMessageUpdate;
	if (!possible.includes(type) || !(onMessage || interaction.source))
		throw invalidForm([
			{ path: ['type'], code: 'INTERACTION_CALLBACK_TYPE_INVALID', message: `Callback type ${type} is not for this` },
		]);
	respond(call, interaction, type, data);
	interaction.answered = type;
	interaction.settle('answered');
	if (query.get('with_response') !== 'true') return undefined;
	const { id, original } = interaction;
	return {
		interaction: {
			id,
			type: interaction.type,
			...(original && {
				response_message_id: original.id,
				response_message_loading: (original.flags & MessageFlags.Loading) !== 0,
				response_message_ephemeral: original.only !== undefined,
			}),
		},
		resource: { type, ...(original && { message: show(discord, original) }) },
	};
}

function respond(call: Call, interaction: Interaction, type: number, data: unknown): void {
	const { discord, files } = call;
	const most = fileBytesIn(interaction.channel);
	if (type === Answer.ChannelMessageWithSource) {
		const body = readMessage(data, files, most);
		refuseEmpty(body, files.length);
		interaction.original = answer(call, interaction, body);
	} else if (type === Answer.DeferredChannelMessageWithSource) {
		const { flags = 0 } = readForm(z.object({ flags: z.number().int().optional() }), data ?? {});
		if (flags & ~MessageFlags.Ephemeral)
			throw invalidForm([
				{ path: ['data', 'flags'], code: 'INTERACTION_CALLBACK_FLAGS', message: 'A deferral carries only EPHEMERAL' },
			]);
		interaction.original = answer(call, interaction, { flags }, true);
	} else if (type === Answer.UpdateMessage || type === Answer.DeferredMessageUpdate) {
		interaction.original = interaction.source;
		if (type === Answer.UpdateMessage && interaction.source) {
			const { flags, files: before } = interaction.source;
			const body = readMessage(data, files, most, { flags, attachmentIds: before.map(({ id }) => id) });
			editMessage(discord, interaction.source, body, files);
		}
	} else if (type === Answer.ApplicationCommandAutocompleteResult) {
		interaction.choices = readForm(choices, data).choices as NonNullable<Interaction['choices']>;
	} else if (type === Answer.Modal) {
		interaction.modal = readForm(modal, data);
	}
}

/** Writes a message in answer to an interaction. */
function answer({ discord, files }: Call, interaction: Interaction, body: MessageBody, loading = false): Message {
	const { id, type, user, channel, data } = interaction;
	const ephemeral = ((body.flags ?? 0) & MessageFlags.Ephemeral) !== 0;
	return createMessage(discord, body, files, {
		channel,
		author: discord.world.me,
		loading,
		only: ephemeral ? user : undefined,
		interaction: { id, type, user, ...(data['name'] !== undefined && { name: String(data['name']) }) },
	});
}

function edit({ discord, json, files }: Call, message: Message): unknown {
	const { flags, channel, files: before } = message;
	const body = readMessage(json, files, fileBytesIn(channel), { flags, attachmentIds: before.map(({ id }) => id) });
	return show(discord, editMessage(discord, message, body, files));
}

function withToken({ discord, params }: Call): Interaction {
	const { interactions, world } = discord;
	const interaction = interactions.byToken(params['token'] ?? '');
	if (!interaction || interaction.answered === undefined || params['application'] !== world.me.id)
		throw error.unknownWebhook();
	if (!interactions.alive(interaction)) throw error.tokenExpired();
	return interaction;
}

function messageOf(call: Call): Message {
	const interaction = withToken(call);
	const asked = call.params['message'] ?? '';
	const { messages } = interaction.channel;
	const message = asked === '@original' ? interaction.original : messages.get(asked);
	const mine = message?.interaction?.id === interaction.id || message === interaction.original;
	if (!message || !mine || !messages.has(message.id)) throw error.unknownMessage();
	return message;
}

const show = (discord: Discord, message: Message) => renderMessage(discord, message, true);
