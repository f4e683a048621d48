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
import { type CommandDescription, type Form, messageMenu } from '../../../domain/command.ts';
import { isPersonal, type MessageHandle, type Person, type ServesPlace } from '../../../domain/place.ts';
import type { Inbox, Invocation } from '../../../domain/platform.ts';
import type { MessageId } from '../../../i18n/catalogues.ts';
import { translatorFor, type Values } from '../../../i18n/translator.ts';
import type { Log } from '../../../log.ts';
import { failureMessageOf } from '../../shared/failure-message.ts';
import { limitsOf } from '../api/limits.ts';
import type { MessageApi } from '../api/message-api.ts';
import { handleData, isEphemeral } from '../api/message-location.ts';
import type { DiscordMessageRecords } from '../api/message-records.ts';
import { messageBodyOf } from '../api/reply-body.ts';
import type { ActiveResponders } from '../outbound/active-responders.ts';
import type { DiscordChannels } from '../outbound/channels.ts';
import { InteractionResponder } from '../outbound/interaction-responder.ts';
import { type AttachmentReader, attachmentData, isPicture } from './attachment-reader.ts';
import { autocomplete } from './autocomplete.ts';
import { resolveChannels } from './channel-options.ts';
import { readCommand } from './command-options.ts';
import type { HomeServers } from './home-servers.ts';
import { findOrigin, isBotAbsent, isUserInstall, type MessageInteraction } from './interaction-origin.ts';
import type { Languages } from './languages.ts';
import { filesOf } from './message-reader.ts';
import { modalOf } from './modal/modal.ts';
import { readModal } from './modal/submission.ts';
import type { OpenForms } from './open-forms.ts';

type Parts = {
	messages: MessageApi;
	channels: DiscordChannels;
	responders: ActiveResponders;
	records: DiscordMessageRecords;
	attachments: AttachmentReader;
	openForms: OpenForms;
	homes: HomeServers;
	languages: Languages;
	commands: readonly CommandDescription[];
	serves: ServesPlace;
	/** Tells whether the bot is a member of a server. */
	isInServer: (server: string) => boolean;
	/** Milliseconds until a response is deferred. */
	deferAfterMs: number | undefined;
	log: Log;
};

/** The person and place of an interaction, and its responder. */
type Context = { id: string; person: Person; channel: Channel; responder: InteractionResponder };

/** Passes interactions to the core: commands, components, message menus, modals and autocompletion. */
export class Interactions {
	readonly #parts: Parts;

	constructor(parts: Parts) {
		this.#parts = parts;
	}

	readonly #uploadOf = (attachment: APIAttachment) => this.#parts.attachments.uploadOf(attachmentData(attachment));

	async handle(interaction: APIInteraction, inbox: Inbox): Promise<void> {
		if (interaction.type === InteractionType.Ping) return;
		if (interaction.type === InteractionType.ApplicationCommandAutocomplete)
			return this.#autocomplete(interaction, inbox);
		const {
			messages: api,
			channels,
			responders,
			homes,
			languages,
			serves,
			isInServer,
			deferAfterMs,
			log,
		} = this.#parts;
		const responder = new InteractionResponder(interaction, {
			api,
			log,
			isBotAbsent: isBotAbsent(interaction, isInServer),
			deferAfterMs,
		});
		await responders.during(responder, async () => {
			try {
				const { place, person } = await findOrigin(
					interaction,
					isUserInstall(interaction, isInServer),
					homes,
					languages,
					serves,
				);
				const channel = channels.in(place, limitsOf(interaction.attachment_size_limit), { responder });
				const context = {
					id: interaction.id,
					person,
					channel: isAgeRestricted(interaction.channel) ? { ...channel, ageRestricted: true as const } : channel,
					responder,
				};
				if (serves(place)) await this.#dispatch(interaction, context, inbox);
				else await respondPrivately(context, isPersonal(place) ? 'servers.notServedDirect' : 'servers.notServed');
			} catch (error) {
				log.error({ err: error }, 'An interaction could not be read');
				const t = translatorFor(interaction.locale);
				await responder.send(messageBodyOf({ text: t(failureMessageOf(error)) }), true);
			}
		});
	}

	#dispatch(interaction: MessageInteraction, context: Context, inbox: Inbox): Promise<void> {
		switch (interaction.type) {
			case InteractionType.ApplicationCommand:
				return this.#command(interaction, context, inbox);
			case InteractionType.MessageComponent:
				return this.#press(interaction.data.custom_id, interaction.message, context, inbox);
			case InteractionType.ModalSubmit:
				return this.#submit(interaction, context, inbox);
			default:
				return Promise.resolve();
		}
	}

	#command({ data }: APIApplicationCommandInteraction, context: Context, inbox: Inbox): Promise<void> {
		if (data.type === ApplicationCommandType.ChatInput)
			return this.#invoke(readCommand(data, this.#uploadOf), data.resolved?.channels, context, inbox);
		const button = messageMenu(this.#parts.commands).find(
			({ name }) => translatorFor('en')(name) === data.name,
		)?.button;
		const message = data.type === ApplicationCommandType.Message ? data.resolved.messages[data.target_id] : undefined;
		if (button === undefined || !message) return respondPrivately(context, 'errors.outdated.menu');
		return this.#press(button, message, context, inbox);
	}

	async #invoke(
		request: Omit<Invocation, 'id' | 'person' | 'channel'>,
		channels: APIInteractionDataResolved['channels'],
		context: Context,
		inbox: Inbox,
	): Promise<void> {
		const { unfit, options } = resolveChannels(this.#parts.commands, request, channels);
		if (options) return inbox.invoke({ ...requestOf(context), ...request, options });
		return respondPrivately(context, unfit.sentence, { where: `<#${unfit.channel}>` });
	}

	async #press(button: string, message: APIMessage, context: Context, inbox: Inbox): Promise<void> {
		const { attachments, openForms } = this.#parts;
		const pictures = filesOf(message).filter(isPicture);
		await inbox.press({
			...requestOf(context),
			button,
			message: await this.#handleOf(message, context),
			...(isEphemeral(message) && { private: true }),
			attached: pictures.map(attachments.uploadOf),
			open: async (form: Form) => {
				const id = await openForms.save(context.person.id, form, pictures);
				await context.responder.showModal(modalOf(form, id, translatorFor(context.person.locale)));
			},
		});
	}

	/** Returns the handle of a message that a user sees. An ephemeral message is accessible only with the interaction's token. */
	async #handleOf(message: APIMessage, { channel, responder }: Context): Promise<MessageHandle> {
		const { place } = channel;
		const location = { channel: place.thread ?? place.channel, message: message.id };
		return {
			place,
			key: (await this.#parts.records.keyOf(message.id)) ?? message.id,
			data: handleData(isEphemeral(message) ? { ...location, private: true, via: responder.token } : location),
		};
	}

	async #submit({ data }: APIModalSubmitInteraction, context: Context, inbox: Inbox): Promise<void> {
		const { attachments, openForms } = this.#parts;
		const opened = await openForms.find(context.person.id, data.custom_id);
		if (!opened) return respondPrivately(context, 'errors.expired.form');
		const request = {
			command: opened.command,
			options: readModal(data, this.#uploadOf),
			form: opened.form,
			attached: opened.attached.map(attachments.uploadOf),
		};
		await this.#invoke(request, data.resolved?.channels, context, inbox);
	}

	async #autocomplete(interaction: APIApplicationCommandAutocompleteInteraction, inbox: Inbox): Promise<void> {
		const choices = await autocomplete(interaction, this.#parts.commands, inbox);
		if (!choices) return;
		await this.#parts.messages.respond(interaction.id, interaction, {
			type: InteractionResponseType.ApplicationCommandAutocompleteResult,
			data: { choices },
		});
	}
}

const requestOf = ({ id, person, channel }: Context) => ({ id, person, channel });

async function respondPrivately({ channel, id, person }: Context, sentence: MessageId, values?: Values): Promise<void> {
	const text = translatorFor(person.locale)(sentence, values);
	await channel.post({ text, visibility: 'private' }, id, { withoutStore: true });
}

/** Threads do not carry the property; `DiscordChannels` looks up their channel where the bot is a member. */
const isAgeRestricted = (channel: APIInteraction['channel']) =>
	channel !== undefined && 'nsfw' in channel && channel.nsfw === true;
