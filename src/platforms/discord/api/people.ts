import {
	type APIGuildMember,
	type APIInteractionGuildMember,
	type APIUser,
	ChannelType,
	PermissionFlagsBits,
} from 'discord.js';
import type { Person, Place } from '../../../domain/place.ts';

/** A member with one of these permissions is a moderator. */
const MODERATOR_PERMISSIONS = PermissionFlagsBits.ManageGuild | PermissionFlagsBits.Administrator;

/** @param permissions the bit set as Discord sends it, a decimal string, or as a number */
export const mayModerate = (permissions: string | bigint) => (BigInt(permissions) & MODERATOR_PERMISSIONS) !== 0n;

/** The person behind an interaction, which carries the member's permissions in its channel. */
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

/** The place of a channel or a thread. Discord's threads are channels with a parent. */
export function placeOf(
	server: string,
	{ id, type, parent }: { id: string; type: ChannelType; parent?: string | null | undefined },
): Place {
	const isThread = THREADS.has(type) && parent;
	return { platform: 'discord', server, ...(isThread ? { channel: parent, thread: id } : { channel: id }) };
}
