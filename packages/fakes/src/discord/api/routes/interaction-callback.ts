import { InteractionType, MessageFlags, InteractionResponseType as ResponseType } from 'discord-api-types/v10';
import { z } from 'zod';
import { renderMessage } from '../../render/messages.ts';
import { modal } from '../../schemas/components.ts';
import { readMessage, refuseEmpty } from '../../schemas/messages.ts';
import { readForm } from '../../schemas/read-form.ts';
import { fileBytesFor } from '../../world/interactions.ts';
import { editMessage } from '../../world/messages.ts';
import type { Interaction } from '../../world/model.ts';
import { apiErrors, DiscordError, invalidForm } from '../errors.ts';
import type { Route, RouteRequest } from '../route.ts';
import { createResponse, existing } from './webhook-messages.ts';

const choice = (value: z.ZodType) =>
	z.object({ name: z.string().min(1).max(100), value, name_localizations: z.record(z.string(), z.string()).nullish() });
const choices = z.object({
	choices: z.array(choice(z.union([z.string().max(100), z.number()]))).max(25),
});

/**
 * The callback types that an interaction accepts.
 * https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-response-object-interaction-callback-type
 */
const CALLBACK_TYPES: Record<number, readonly ResponseType[]> = {
	[InteractionType.ApplicationCommand]: [4, 5, 9],
	[InteractionType.MessageComponent]: [4, 5, 6, 7, 9],
	[InteractionType.ApplicationCommandAutocomplete]: [8],
	[InteractionType.ModalSubmit]: [4, 5, 6, 7],
};

/** The callback types whose response has the message. */
const WITH_MESSAGE: readonly ResponseType[] = [ResponseType.ChannelMessageWithSource, ResponseType.UpdateMessage];

/** https://docs.discord.com/developers/interactions/receiving-and-responding#create-interaction-response */
export const interactionCallbackRoute: Route = {
	method: 'POST',
	path: '/interactions/:interaction/:token/callback',
	token: 'in path',
	run: handleCallback,
};

function handleCallback(request: RouteRequest): unknown {
	const { query, json } = request;
	const interaction = pendingInteraction(request);
	const { type, data } = readForm(z.object({ type: z.number(), data: z.unknown().optional() }), json);
	const types = CALLBACK_TYPES[interaction.type] ?? [];
	const needsMessage = type === ResponseType.UpdateMessage || type === ResponseType.DeferredMessageUpdate;
	if (!types.includes(type) || (needsMessage && !interaction.source))
		throw invalidForm([
			{ path: ['type'], code: 'INTERACTION_CALLBACK_TYPE_INVALID', message: `Callback type ${type} is not for this` },
		]);
	respond(request, interaction, type, data);
	interaction.answered = type;
	interaction.settle('answered');
	return query.get('with_response') === 'true' ? renderCallback(request, interaction, type) : undefined;
}

/**
 * Returns the interaction of a callback. Throws when it has a response already, or when the callback is too late.
 * https://docs.discord.com/developers/interactions/receiving-and-responding#responding-to-an-interaction
 */
function pendingInteraction({ discord, params }: RouteRequest): Interaction {
	const { interactions, violate } = discord;
	const interaction = interactions.byId(params['interaction'] ?? '');
	if (!interaction || interaction.token !== params['token']) throw apiErrors.unknownInteraction();
	if (interaction.answered !== undefined) {
		// An application that receives an interaction twice, perhaps in two processes, may learn of it only from this error.
		if (interaction.deliveries < 2) violate(`interaction ${interaction.id} was answered twice`);
		throw new DiscordError(400, 40060, 'Interaction has already been acknowledged.');
	}
	if (!interactions.isInTime(interaction)) throw apiErrors.unknownInteraction();
	return interaction;
}

/** https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-response-object-interaction-callback-data-structure */
function respond(request: RouteRequest, interaction: Interaction, type: number, data: unknown): void {
	const { discord, files } = request;
	const fileBytes = fileBytesFor(interaction);
	if (type === ResponseType.ChannelMessageWithSource) {
		const body = readMessage(data, files, fileBytes);
		refuseEmpty(body, files.length);
		interaction.original = createResponse(request, interaction, body);
	} else if (type === ResponseType.DeferredChannelMessageWithSource) {
		const { flags = 0 } = readForm(z.object({ flags: z.number().int().optional() }), data ?? {});
		if (flags & ~MessageFlags.Ephemeral)
			throw invalidForm([
				{ path: ['data', 'flags'], code: 'INTERACTION_CALLBACK_FLAGS', message: 'A deferral carries only EPHEMERAL' },
			]);
		interaction.original = createResponse(request, interaction, { flags }, true);
	} else if (type === ResponseType.UpdateMessage || type === ResponseType.DeferredMessageUpdate) {
		interaction.original = interaction.source;
		if (type === ResponseType.UpdateMessage && interaction.source) {
			const body = readMessage(data, files, fileBytes, existing(interaction.source));
			editMessage(discord, interaction.source, body, files);
		}
	} else if (type === ResponseType.ApplicationCommandAutocompleteResult) {
		interaction.choices = readForm(choices, data).choices as NonNullable<Interaction['choices']>;
	} else if (type === ResponseType.Modal) {
		interaction.modal = readForm(modal, data);
	}
}

/** https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-callback-interaction-callback-response-object */
function renderCallback({ discord }: RouteRequest, { id, type, original }: Interaction, callbackType: number) {
	return {
		interaction: {
			id,
			type,
			...(original && {
				response_message_id: original.id,
				response_message_loading: (original.flags & MessageFlags.Loading) !== 0,
				response_message_ephemeral: original.only !== undefined,
			}),
		},
		resource: {
			type: callbackType,
			...(original && WITH_MESSAGE.includes(callbackType) && { message: renderMessage(discord, original, true) }),
		},
	};
}
