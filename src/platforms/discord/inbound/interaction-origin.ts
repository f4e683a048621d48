import {
	type APIInteraction,
	ApplicationIntegrationType,
	InteractionContextType,
	type InteractionType,
} from 'discord.js';
import type { Person, Place } from '../../../domain/place.ts';
import { memberPerson, nameOf, placeOf } from '../api/people.ts';
import type { Discord } from '../discord.ts';
import type { ClientCache } from '../gateway/client-cache.ts';

/** An interaction that is responded to with messages. */
export type MessageInteraction = Exclude<
	APIInteraction,
	{ type: InteractionType.Ping | InteractionType.ApplicationCommandAutocomplete }
>;

/**
 * Finds out who caused an interaction, and where. In a server that has installed the bot, requests count in that server. Elsewhere they
 * count towards the person, under the rules of their home server. Of a place that is not served, nothing is kept.
 */
export async function findOrigin(
	{ userRecords, serves, cache }: Discord,
	interaction: MessageInteraction,
): Promise<{ place: Place; person: Person }> {
	const { guild_id: server, member, user = member?.user, channel, locale } = interaction;
	if (!user) throw new TypeError('Interaction without a user');
	if (server !== undefined && member && !isUserInstall(interaction, cache)) {
		const place = placeIn(server, channel);
		if (serves(place)) {
			userRecords.note('locale', user.id, locale);
			userRecords.note('home', user.id, server);
		}
		return { place, person: memberPerson(member, locale) };
	}
	const owner = interaction.authorizing_integration_owners[ApplicationIntegrationType.UserInstall];
	const home = await userRecords.homeOf(user.id, owner);
	if (serves({ platform: 'discord', server: home.server })) userRecords.note('locale', user.id, locale);
	return {
		place: { ...placeIn(home.server, channel), direct: true },
		person: {
			...{ id: user.id, name: nameOf(user, member?.nick), roles: home.roles, locale },
			...{ moderator: false, mayModerate: false },
		},
	};
}

/** Tells whether the bot is no member there: of the server, or of direct messages between other people. */
export const isBotAbsent = (
	{ guild_id: server, context }: APIInteraction,
	cache: Pick<ClientCache, 'isInServer'>,
): boolean => (server === undefined ? context === InteractionContextType.PrivateChannel : !cache.isInServer(server));

/**
 * Tells whether only a user has installed the bot, so that the server's rules do not apply. A server may also have authorized the
 * commands without the bot. Discord does not promise the server as an owner with every press, so that one that the gateway knows
 * counts as well.
 */
const isUserInstall = (interaction: APIInteraction, cache: ClientCache): boolean => {
	const { guild_id: server, authorizing_integration_owners: owners } = interaction;
	const isAuthorized = server !== undefined && owners[ApplicationIntegrationType.GuildInstall] === server;
	return isBotAbsent(interaction, cache) && !isAuthorized;
};

function placeIn(server: string, channel: APIInteraction['channel']): Place {
	if (!channel) throw new TypeError('Interaction without a channel');
	const parent = 'parent_id' in channel ? (channel.parent_id as string | null) : undefined;
	return placeOf(server, { id: channel.id, type: channel.type, parent });
}
