import {
	type APIInteraction,
	ApplicationIntegrationType,
	InteractionContextType,
	type InteractionType,
} from 'discord.js';
import type { Person } from '../../../domain/person.ts';
import type { Place } from '../../../domain/place.ts';
import { memberPerson, nameOf, placeOf } from '../api/people.ts';
import type { HomeServers } from './home-servers.ts';
import type { Languages } from './languages.ts';

/** An interaction that is responded to with messages. */
export type MessageInteraction = Exclude<
	APIInteraction,
	{ type: InteractionType.Ping | InteractionType.ApplicationCommandAutocomplete }
>;

/**
 * Finds out who caused an interaction, and where. In a server that has installed the bot, requests count in that server. Elsewhere they
 * count towards the person, under the rules of their home server.
 */
export async function findOrigin(
	interaction: MessageInteraction,
	isUserInstall: boolean,
	homes: HomeServers,
	languages: Languages,
): Promise<{ place: Place; person: Person }> {
	const { guild_id: server, member, user = member?.user, channel, locale } = interaction;
	if (!user) throw new TypeError('Interaction without a user');
	languages.remember(user.id, locale);
	if (server !== undefined && member && !isUserInstall) {
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

/**
 * Tells whether only a user has installed the bot there: in a server that has not, or in direct messages between other people. Discord
 * does not promise the server as an owner with every press, so that a server that the gateway knows counts as one that has the bot.
 */
export const isUserInstall = (
	{ guild_id: server, context, authorizing_integration_owners: owners }: APIInteraction,
	isInServer: (server: string) => boolean,
): boolean =>
	server === undefined
		? context === InteractionContextType.PrivateChannel
		: owners[ApplicationIntegrationType.GuildInstall] !== server && !isInServer(server);

function placeIn(server: string, channel: APIInteraction['channel']): Place {
	if (!channel) throw new TypeError('Interaction without a channel');
	const parent = 'parent_id' in channel ? (channel.parent_id as string | null) : undefined;
	return placeOf(server, { id: channel.id, type: channel.type, parent });
}
