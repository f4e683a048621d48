import { randomUUID } from 'node:crypto';
import {
	type APIApplicationCommandAutocompleteInteraction,
	type APIApplicationCommandInteraction,
	type APIAttachment,
	type APIInteraction,
	type APIInteractionDataResolved,
	type APIMessage,
	type APIModalSubmitInteraction,
	ApplicationCommandType,
	InteractionResponseType,
	InteractionType,
} from 'discord.js';
import type { Channel } from '../../../domain/channel.ts';
import { type Form, messageMenu } from '../../../domain/command.ts';
import { isPersonal, type MessageHandle, type Person } from '../../../domain/place.ts';
import type { Inbox, Invocation } from '../../../domain/platform.ts';
import type { MessageId } from '../../../i18n/catalogues.ts';
import { translatorFor, type Values } from '../../../i18n/translator.ts';
import { failureMessageOf } from '../../shared/failure-message.ts';
import { limitsOf } from '../api/limits.ts';
import { handleData, isEphemeral } from '../api/message-location.ts';
import { messageBodyOf } from '../api/reply-body.ts';
import { InteractionResponder } from '../outbound/interaction-responder.ts';
import { attachmentData, isPicture } from './attachment-reader.ts';
import { autocomplete, readCommand, resolveChannels } from './command-options.ts';
import type { DiscordContext } from './context.ts';
import { findOrigin, isBotAbsent, isUserInstall, type MessageInteraction } from './interaction-origin.ts';
import { filesOf } from './message-reader.ts';
import { modalOf, readModal } from './modal.ts';

/** The person and place of an interaction, and its responder. */
type Origin = { id: string; person: Person; channel: Channel; responder: InteractionResponder };

/** Passes interactions to the core: commands, components, message menus, modals and autocompletion. */
export class Interactions {
	readonly #context: DiscordContext;

	constructor(context: DiscordContext) {
		this.#context = context;
	}

	readonly #uploadOf = (attachment: APIAttachment) => this.#context.attachments.uploadOf(attachmentData(attachment));

	async handle(interaction: APIInteraction, inbox: Inbox): Promise<void> {
		if (interaction.type === InteractionType.Ping) return;
		if (interaction.type === InteractionType.ApplicationCommandAutocomplete)
			return this.#autocomplete(interaction, inbox);
		const { channels, responders, serves, cache, log } = this.#context;
		const isInServer = (server: string) => cache.isInServer(server);
		const isAbsent = isBotAbsent(interaction, isInServer);
		const responder = new InteractionResponder(interaction, isAbsent, this.#context);
		await responders.during(responder, async () => {
			try {
				const { place, person } = await findOrigin(interaction, isUserInstall(interaction, isInServer), this.#context);
				const channel = channels.in(place, limitsOf(interaction.attachment_size_limit), { responder });
				const origin = {
					id: interaction.id,
					person,
					channel: isAgeRestricted(interaction.channel) ? { ...channel, ageRestricted: true as const } : channel,
					responder,
				};
				if (serves(place)) await this.#dispatch(interaction, origin, inbox);
				else await respondPrivately(origin, isPersonal(place) ? 'servers.notServedDirect' : 'servers.notServed');
			} catch (error) {
				log.error({ err: error }, 'An interaction could not be read');
				const t = translatorFor(interaction.locale);
				await responder.send(messageBodyOf({ text: t(failureMessageOf(error)) }), true);
			}
		});
	}

	#dispatch(interaction: MessageInteraction, origin: Origin, inbox: Inbox): Promise<void> {
		switch (interaction.type) {
			case InteractionType.ApplicationCommand:
				return this.#command(interaction, origin, inbox);
			case InteractionType.MessageComponent:
				return this.#press(interaction.data.custom_id, interaction.message, origin, inbox);
			case InteractionType.ModalSubmit:
				return this.#submit(interaction, origin, inbox);
			default:
				return Promise.resolve();
		}
	}

	#command({ data }: APIApplicationCommandInteraction, origin: Origin, inbox: Inbox): Promise<void> {
		if (data.type === ApplicationCommandType.ChatInput)
			return this.#invoke(readCommand(data, this.#uploadOf), data.resolved?.channels, origin, inbox);
		const button = messageMenu(this.#context.commands).find(
			({ name }) => translatorFor('en')(name) === data.name,
		)?.button;
		const message = data.type === ApplicationCommandType.Message ? data.resolved.messages[data.target_id] : undefined;
		if (button === undefined || !message) return respondPrivately(origin, 'errors.outdated.menu');
		return this.#press(button, message, origin, inbox);
	}

	async #invoke(
		request: Omit<Invocation, 'id' | 'person' | 'channel'>,
		channels: APIInteractionDataResolved['channels'],
		origin: Origin,
		inbox: Inbox,
	): Promise<void> {
		const { unfit, options } = resolveChannels(this.#context.commands, request, channels);
		if (options) return inbox.invoke({ ...requestOf(origin), ...request, options });
		return respondPrivately(origin, unfit.sentence, { where: `<#${unfit.channel}>` });
	}

	async #press(button: string, message: APIMessage, origin: Origin, inbox: Inbox): Promise<void> {
		const { attachments, openForms } = this.#context;
		const pictures = filesOf(message).filter(isPicture);
		await inbox.press({
			...requestOf(origin),
			button,
			message: await this.#handleOf(message, origin),
			...(isEphemeral(message) && { private: true }),
			attached: pictures.map(attachments.uploadOf),
			open: async (form: Form) => {
				const id = `form:${randomUUID()}`;
				await openForms.save(origin.person.id, id, { form: form.id, command: form.command, attached: pictures });
				await origin.responder.showModal(modalOf(form, id, translatorFor(origin.person.locale)));
			},
		});
	}

	/** Returns the handle of a message that a user sees. An ephemeral message is accessible only with the interaction's token. */
	async #handleOf(message: APIMessage, { channel, responder }: Origin): Promise<MessageHandle> {
		const { place } = channel;
		const location = { channel: place.thread ?? place.channel, message: message.id };
		return {
			place,
			key: (await this.#context.records.keyOf(message.id)) ?? message.id,
			data: handleData(isEphemeral(message) ? { ...location, private: true, via: responder.token } : location),
		};
	}

	async #submit({ data }: APIModalSubmitInteraction, origin: Origin, inbox: Inbox): Promise<void> {
		const { attachments, openForms } = this.#context;
		const opened = await openForms.find(origin.person.id, data.custom_id);
		if (!opened) return respondPrivately(origin, 'errors.expired.form');
		const request = {
			command: opened.command,
			options: readModal(data, this.#uploadOf),
			form: opened.form,
			attached: opened.attached.map(attachments.uploadOf),
		};
		await this.#invoke(request, data.resolved?.channels, origin, inbox);
	}

	async #autocomplete(interaction: APIApplicationCommandAutocompleteInteraction, inbox: Inbox): Promise<void> {
		const choices = await autocomplete(interaction, this.#context.commands, inbox);
		if (!choices) return;
		const { application_id: application, token } = interaction;
		await this.#context.messages.respond(
			interaction.id,
			{ application, token },
			{
				type: InteractionResponseType.ApplicationCommandAutocompleteResult,
				data: { choices },
			},
		);
	}
}

const requestOf = ({ id, person, channel }: Origin) => ({ id, person, channel });

async function respondPrivately({ channel, id, person }: Origin, sentence: MessageId, values?: Values): Promise<void> {
	const text = translatorFor(person.locale)(sentence, values);
	await channel.post({ text, visibility: 'private' }, id, { withoutStore: true });
}

/** Threads do not carry the property; `DiscordChannels` looks up their channel where the bot is a member. */
const isAgeRestricted = (channel: APIInteraction['channel']) =>
	channel !== undefined && 'nsfw' in channel && channel.nsfw === true;
