import { randomUUID } from 'node:crypto';
import {
	type APIApplicationCommandAutocompleteInteraction,
	type APIInteraction,
	type APIMessage,
	ApplicationCommandType,
	ApplicationIntegrationType,
	InteractionResponseType,
	InteractionType,
	MessageFlags,
} from 'discord.js';
import type { Keyv } from 'keyv';
import type { Channel } from '../../../domain/channel.ts';
import type { CommandDescription, Form } from '../../../domain/command.ts';
import { messageMenu } from '../../../domain/message-menu.ts';
import type { Person } from '../../../domain/person.ts';
import type { MessageHandle, Place } from '../../../domain/place.ts';
import type { Inbox } from '../../../domain/platform.ts';
import type { Message } from '../../../i18n/en.ts';
import { translatorFor } from '../../../i18n/translator.ts';
import type { Log } from '../../../log.ts';
import type { DiscordApi } from '../api/api.ts';
import { limitsOf } from '../api/limits.ts';
import type { MessageRecords } from '../api/message-records.ts';
import { memberPerson, nameOf, placeOf } from '../api/people.ts';
import type { DiscordChannels } from '../outbound/channel.ts';
import { createInteractionResponder, type InteractionResponder } from '../outbound/interaction-responder.ts';
import { choicesOf, completions, focusedOption, readOptions } from '../registration/commands.ts';
import type { HomeServers } from './home-servers.ts';
import type { Languages } from './languages.ts';
import { modalOf, readModal } from './modal.ts';
import { type AttachmentData, type AttachmentReader, picturesOf } from './uploads.ts';

/** A form that was shown: what it submits, and the pictures of the message that it was opened from. */
type OpenForm = { form: string; command: string; attached: AttachmentData[] };

/** A form left open longer can't be sent any more; the addresses of its pictures end about then. */
const FORM_MS = 24 * 3600 * 1000;

/** What somebody does, and where: with what it can be answered by. */
type Scene = { id: string; person: Person; channel: Channel; exchange: InteractionResponder };

/** What can be answered by messages. */
type Answerable = Exclude<
	APIInteraction,
	{ type: InteractionType.Ping | InteractionType.ApplicationCommandAutocomplete }
>;

type By<Type extends InteractionType> = Extract<APIInteraction, { type: Type }>;

/** Commands, buttons, menu entries and forms, as the core takes them. */
export function createInteractions(options: {
	api: DiscordApi;
	channels: DiscordChannels;
	records: MessageRecords;
	uploads: AttachmentReader;
	commands: readonly CommandDescription[];
	keyv: Keyv;
	homes: HomeServers;
	languages: Languages;
	deferAfterMs?: number | undefined;
	log: Log;
}) {
	const { api, channels, records, uploads, commands, keyv, homes, languages, deferAfterMs, log } = options;

	function command({ data }: By<InteractionType.ApplicationCommand>, inbox: Inbox, scene: Scene): Promise<void> {
		if (data.type === ApplicationCommandType.ChatInput)
			return inbox.invoke({ ...asked(scene), ...readOptions(data, uploads.upload) });
		const button = messageMenu(commands).find(({ name }) => name === data.name)?.button;
		const message = data.type === ApplicationCommandType.Message ? data.resolved.messages[data.target_id] : undefined;
		if (button === undefined || !message) return say(scene, 'This menu entry is from another version of Easel.');
		return press(button, message, inbox, scene);
	}

	async function press(button: string, message: APIMessage, inbox: Inbox, scene: Scene): Promise<void> {
		const { exchange } = scene;
		const pictures = picturesOf(message.attachments);

		async function open(form: Form): Promise<void> {
			const id = `form:${randomUUID()}`;
			const kept: OpenForm = { form: form.id, command: form.command, attached: pictures };
			await keyv.set(id, kept, FORM_MS);
			await exchange.open(modalOf(form, id, translatorFor(scene.person.locale)));
		}

		await inbox.press({
			...asked(scene),
			button,
			message: await handleOf(message, scene),
			...(isEphemeral(message) && { private: true }),
			attached: pictures.map(uploads.upload),
			open,
		});
	}

	/** A message of ours that somebody sees, wherever it is from. What only one person sees is reached by the pressing alone. */
	async function handleOf(message: APIMessage, { channel, exchange }: Scene): Promise<MessageHandle> {
		const { place } = channel;
		const { id } = message;
		const data = { channel: place.thread ?? place.channel, message: id };
		if (!isEphemeral(message)) return { place, key: (await records.keyOf(id)) ?? id, data };
		const { application, token, until } = exchange.token;
		return {
			place,
			key: (await records.keyOf(id)) ?? id,
			data: { ...data, private: 'yes', application, token, until: String(until) },
		};
	}

	async function submit({ data }: By<InteractionType.ModalSubmit>, inbox: Inbox, scene: Scene): Promise<void> {
		const opened = await keyv.get<OpenForm>(data.custom_id);
		if (!opened) return say(scene, 'This form is no longer open; please start again.');
		await inbox.invoke({
			...asked(scene),
			command: opened.command,
			options: readModal(data, uploads.upload),
			form: opened.form,
			attached: opened.attached.map(uploads.upload),
		});
	}

	async function complete(interaction: APIApplicationCommandAutocompleteInteraction, inbox: Inbox): Promise<void> {
		const { id, application_id: application, token, data } = interaction;
		const { command: name } = readOptions(data as Parameters<typeof readOptions>[0], uploads.upload);
		const [first] = data.options;
		const focused = focusedOption((first && 'options' in first ? first.options : data.options) as never);
		const field = commands.find((one) => one.name === name)?.fields.find((one) => one.name === focused?.option);
		if (!focused) return;
		const { option, typed } = focused;
		const offered =
			field?.kind === 'text' && field.completed
				? await inbox.suggest({ command: name, option, typed })
				: completions(field, typed);
		await api.respond(
			id,
			{ application, token, until: Date.now() },
			{ type: InteractionResponseType.ApplicationCommandAutocompleteResult, data: { choices: choicesOf(offered) } },
		);
	}

	async function say({ channel, id, person }: Scene, sentence: Message): Promise<void> {
		await channel.post({ text: translatorFor(person.locale)(sentence), visibility: 'private' }, id);
	}

	function handle(interaction: APIInteraction, inbox: Inbox, scene: Scene): Promise<void> {
		switch (interaction.type) {
			case InteractionType.ApplicationCommand:
				return command(interaction, inbox, scene);
			case InteractionType.MessageComponent:
				return press(interaction.data.custom_id, interaction.message, inbox, scene);
			case InteractionType.ModalSubmit:
				return submit(interaction, inbox, scene);
			default:
				return Promise.resolve();
		}
	}

	/** What is asked where the bot is a member counts there; elsewhere, it counts to a person, under the rules of their server. */
	async function whoAndWhere(
		{ guild_id: server, member, user = member?.user, channel, locale, ...interaction }: Answerable,
		{ isVisiting }: InteractionResponder,
	): Promise<{ place: Place; person: Person }> {
		if (!user) throw new TypeError('Nobody is behind an interaction');
		languages.remember(user.id, locale);
		if (server !== undefined && member && !isVisiting) {
			homes.remember(user.id, server);
			return { place: placeIn(server, channel), person: memberPerson(member, locale) };
		}
		const owner = interaction.authorizing_integration_owners[ApplicationIntegrationType.UserInstall];
		const home = await homes.of(user.id, owner);
		return {
			place: { ...placeIn(home.server, channel), direct: true },
			person: { id: user.id, name: nameOf(user, member?.nick), moderator: false, roles: home.roles, locale },
		};
	}

	return async (interaction: APIInteraction, inbox: Inbox): Promise<void> => {
		if (interaction.type === InteractionType.Ping) return;
		if (interaction.type === InteractionType.ApplicationCommandAutocomplete) return complete(interaction, inbox);
		const exchange = createInteractionResponder({ api, interaction, deferAfterMs, log });
		const { id, attachment_size_limit: fileBytes } = interaction;
		await channels.during(exchange, async () => {
			const { place, person } = await whoAndWhere(interaction, exchange);
			const known = channels.channel(place, limitsOf(fileBytes), exchange);
			const channel = isForAdults(interaction.channel) ? { ...known, ageRestricted: true as const } : known;
			await handle(interaction, inbox, { id, person, channel, exchange });
		});
	};
}

const asked = ({ id, person, channel }: Scene) => ({ id, person, channel });

/** Seen by one person alone. */
const isEphemeral = ({ flags }: APIMessage) => ((flags ?? 0) & MessageFlags.Ephemeral) !== 0;

/** Said of channels; of a thread, where the bot is a member, its channel is known. */
const isForAdults = (channel: APIInteraction['channel']) =>
	channel !== undefined && 'nsfw' in channel && channel.nsfw === true;

function placeIn(server: string, channel: APIInteraction['channel']): Place {
	if (!channel) throw new TypeError('An interaction is nowhere');
	const parent = 'parent_id' in channel ? (channel.parent_id as string | null) : undefined;
	return placeOf(server, { id: channel.id, type: channel.type, parent });
}
