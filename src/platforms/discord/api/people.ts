import {
	type APIGuildMember,
	type APIInteractionGuildMember,
	type APIUser,
	ChannelType,
	PermissionFlagsBits,
} from 'discord.js';
import type { Person } from '../../../domain/person.ts';
import type { Place } from '../../../domain/place.ts';

/** Who may use the moderators' commands: whoever may change the server itself. */
const MODERATORS = PermissionFlagsBits.ManageGuild | PermissionFlagsBits.Administrator;

/** @param permissions as Discord writes them, a number in a string */
export const mayModerate = (permissions: string | bigint) => (BigInt(permissions) & MODERATORS) !== 0n;

/** Whoever is behind an interaction, which says itself what they may do. */
export const memberPerson = (
	{ user, nick, roles, permissions }: APIInteractionGuildMember,
	locale: string,
): Person => ({
	id: user.id,
	name: nameOf(user, nick),
	moderator: mayModerate(permissions),
	roles,
	locale,
});

export const nameOf = ({ global_name, username }: APIUser, nick?: APIGuildMember['nick']) =>
	nick ?? global_name ?? username;

const THREADS: ReadonlySet<ChannelType> = new Set([
	ChannelType.PublicThread,
	ChannelType.PrivateThread,
	ChannelType.AnnouncementThread,
]);

/** What a channel or thread is to the core: threads belong to their channel. */
export function placeOf(
	server: string,
	{ id, type, parent }: { id: string; type: ChannelType; parent?: string | null | undefined },
): Place {
	const isThread = THREADS.has(type) && parent;
	return { platform: 'discord', server, ...(isThread ? { channel: parent, thread: id } : { channel: id }) };
}
