import { randomUUID } from 'node:crypto';
import {
	type APIApplicationCommandAutocompleteInteraction,
	type APIApplicationCommandInteraction,
	type APIInteraction,
	type APIInteractionDataResolved,
	type APIMessage,
	type APIModalSubmitInteraction,
	ApplicationCommandType,
	ApplicationIntegrationType,
	InteractionContextType,
	InteractionResponseType,
	InteractionType,
	PermissionsBitField,
} from 'discord.js';
import { type Channel, isPersonal, type Person, type Place } from '../../../domain/channel.ts';
import { type Form, messageMenu } from '../../../domain/command.ts';
import type { Invocation } from '../../../domain/platform.ts';
import { PlatformRefusedError, translatorFor } from '../../../i18n/translator.ts';
import { failureMessageOf } from '../../shared/failure-message.ts';
import { limitsOf } from '../api/limits.ts';
import { handleData, isEphemeral, messageBodyOf } from '../api/message-api.ts';
import { isAgeRestricted, mayModerate, memberFacts, nameOf, placeOf } from '../api/people.ts';
import { isAcknowledged, isGone } from '../api/rest.ts';
import type { Discord, Receiving } from '../discord.ts';
import type { ClientCache } from '../gateway/gateway.ts';
import { channelIn } from '../outbound/channels.ts';
import { InteractionResponder } from '../outbound/interaction-responder.ts';
import { choicesOf, readCommand, readFocused, resolveChannels } from './command-options.ts';
import { filesOf, isPicture } from './message-reader.ts';
import { modalOf, readModal } from './modal.ts';

type Origin = { id: string; person: Person; channel: Channel; responder: InteractionResponder };

/** Passes an interaction to the core: of a command, a component, a message menu, a modal, or autocompletion. */
export async function handleInteraction(discord: Receiving, interaction: APIInteraction): Promise<void> {
	if (interaction.type === InteractionType.Ping) return;
	if (interaction.type === InteractionType.ApplicationCommandAutocomplete) return completeOption(discord, interaction);
	const { responders, serves, cache, log } = discord;
	const responder = new InteractionResponder(interaction, isBotAbsent(interaction, cache), discord);
	const { token } = interaction;
	responders.set(token, responder);
	try {
		const { place, person } = await findOrigin(discord, interaction);
		if (!serves(place))
			throw new PlatformRefusedError(isPersonal(place) ? 'servers.notServedDirect' : 'servers.notServed');
		const limits = limitsOf(interaction.attachment_size_limit);
		const channel = channelIn(discord, place, { responder, limits });
		// Threads do not carry the property; `channelIn` looks up their channel where the bot is a member.
		if (isAgeRestricted(interaction.channel)) channel.ageRestricted = true;
		const origin = { id: interaction.id, person, channel, responder };
		if (interaction.type === InteractionType.ApplicationCommand) await runCommand(discord, interaction, origin);
		else if (interaction.type === InteractionType.ModalSubmit) await submit(discord, interaction, origin);
		else await press(discord, interaction.data.custom_id, interaction.message, origin);
	} catch (error) {
		if (!(error instanceof PlatformRefusedError)) log.error({ err: error }, 'An interaction could not be read');
		const text = failureMessageOf(error, translatorFor(interaction.locale));
		await responder.send(messageBodyOf({ text }), true);
	} finally {
		await responder.end();
		responders.delete(token);
	}
}

async function runCommand(discord: Receiving, { data, guild_id }: APIApplicationCommandInteraction, origin: Origin) {
	const { uploadOf, cache } = discord;
	if (data.type === ApplicationCommandType.ChatInput) {
		const command = readCommand(data, uploadOf, (kind, id) => cache.nameOf(kind, id, guild_id));
		return invoke(discord, command, data.resolved?.channels, origin);
	}
	const button = messageMenu(discord.commands).find(({ name }) => translatorFor('en')(name) === data.name)?.button;
	const message = data.type === ApplicationCommandType.Message ? data.resolved.messages[data.target_id] : undefined;
	if (button === undefined || !message) throw new PlatformRefusedError('errors.outdated.menu');
	return press(discord, button, message, origin);
}

type Invoked = Omit<Invocation, 'id' | 'person' | 'channel'>;
type Channels = APIInteractionDataResolved['channels'];

async function invoke(discord: Receiving, request: Invoked, channels: Channels, origin: Origin): Promise<void> {
	const options = resolveChannels(discord.commands, request, channels);
	await discord.inbox.invoke({ ...requestOf(origin), ...request, options });
}

async function press(discord: Receiving, button: string, message: APIMessage, origin: Origin): Promise<void> {
	const { uploadOf, openForms, records } = discord;
	const { place } = origin.channel;
	const pictures = filesOf(message).filter(isPicture);
	const location = { channel: place.thread ?? place.channel, message: message.id };
	// An ephemeral message is accessible only with the interaction's token.
	const access = isEphemeral(message) && { ...origin.responder.token, private: 'yes' };
	const key = (await records.keyOf(message.id)) ?? message.id;
	await discord.inbox.press({
		...requestOf(origin),
		button,
		message: { place, key, data: handleData({ ...location, ...access }) },
		...(isEphemeral(message) && { private: true }),
		attached: pictures.map(uploadOf),
		open: async (form: Form) => {
			const id = `form:${randomUUID()}`;
			await openForms.save(origin.person.id, id, { form: form.id, command: form.command, attached: pictures });
			await origin.responder.showModal(modalOf(form, id, translatorFor(origin.person.locale)));
		},
	});
}

async function submit(discord: Receiving, { data }: APIModalSubmitInteraction, origin: Origin): Promise<void> {
	const { uploadOf, openForms } = discord;
	const opened = await openForms.find(origin.person.id, data.custom_id);
	if (!opened) throw new PlatformRefusedError('errors.expired.form');
	const { command, form } = opened;
	const request = { command, form, options: readModal(data, uploadOf), attached: opened.attached.map(uploadOf) };
	await invoke(discord, request, data.resolved?.channels, origin);
}

async function completeOption(
	{ messages, inbox }: Receiving,
	{ id, application_id: application, token, data }: APIApplicationCommandAutocompleteInteraction,
): Promise<void> {
	const focused = readFocused(data);
	if (!focused) return;
	const choices = choicesOf(await inbox.suggest(focused));
	const type = InteractionResponseType.ApplicationCommandAutocompleteResult;
	await messages.respond(id, { application, token }, { type, data: { choices } }).catch((error) => {
		// The person has typed on, or the other delivery of the event was responded to.
		if (!isGone(error) && !isAcknowledged(error)) throw error;
	});
}

const requestOf = ({ id, person, channel }: Origin) => ({ id, person, channel });

/** An interaction that is responded to with messages. */
type MessageInteraction = Exclude<
	APIInteraction,
	{ type: InteractionType.Ping | InteractionType.ApplicationCommandAutocomplete }
>;

/**
 * Finds out who caused an interaction, and where. In a server that has installed the bot, requests count in that server. Elsewhere they
 * count towards the person, under the rules of their home server. Of a place that is not served, nothing is kept.
 */
async function findOrigin(
	{ userRecords, serves, cache }: Discord,
	interaction: MessageInteraction,
): Promise<{ place: Place; person: Person }> {
	const { guild_id: server, member, user = member?.user, channel, locale } = interaction;
	if (!user || !channel) throw new TypeError('Interaction without a user or a channel');
	const common = { id: user.id, name: nameOf(user, member?.nick), locale };
	if (server !== undefined && member && !isUserInstall(interaction, cache)) {
		const place = placeOf(server, channel);
		if (serves(place)) {
			userRecords.note('locale', user.id, locale);
			userRecords.note('home', user.id, server);
		}
		const moderator = mayModerate(new PermissionsBitField(BigInt(member.permissions)));
		return { place, person: { ...common, ...memberFacts(member), moderator } };
	}
	const owner = interaction.authorizing_integration_owners[ApplicationIntegrationType.UserInstall];
	const home = await userRecords.homeOf(user.id, owner);
	if (serves({ platform: 'discord', server: home.server })) userRecords.note('locale', user.id, locale);
	return {
		place: { ...placeOf(home.server, channel), direct: true },
		person: { ...common, roles: home.roles, moderator: false, mayModerate: false },
	};
}

/** Tells whether the bot is no member there: of the server, or of direct messages between other people. */
const isBotAbsent = ({ guild_id: server, context }: APIInteraction, cache: ClientCache): boolean =>
	server === undefined ? context === InteractionContextType.PrivateChannel : !cache.guild(server);

/**
 * Tells whether only a user has installed the bot, so that the server's rules do not apply. A server may also have authorized the
 * commands without the bot. Discord does not promise the server as an owner with every press, so that one that the gateway knows
 * counts as well.
 */
const isUserInstall = (interaction: APIInteraction, cache: ClientCache): boolean => {
	const { guild_id: server, authorizing_integration_owners: owners } = interaction;
	return isBotAbsent(interaction, cache) && (!server || owners[ApplicationIntegrationType.GuildInstall] !== server);
};
