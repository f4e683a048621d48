import { PermissionFlagsBits as Bits } from 'discord-api-types/v10';
import { DiscordError, error } from './errors.ts';
import { type Channel, isThread, type Server, type User } from './things.ts';

/** `SendMessages`, `ManageGuild` … */
export type Permission = keyof typeof Bits;

const ALL: bigint = Object.values(Bits).reduce((all, bit) => all | bit, 0n);

export const bitsOf = (permissions: readonly Permission[]): bigint =>
	permissions.reduce((all, permission) => all | Bits[permission], 0n);

/** What somebody may do in a whole server. https://docs.discord.com/developers/topics/permissions */
export function permissionsIn(server: Server, user: User): bigint {
	const member = server.members.get(user.id);
	if (!member) return 0n;
	if (server.ownerId === user.id) return ALL;
	const roles = [server.id, ...member.roles].map((id) => server.roles.get(id)?.permissions ?? 0n);
	const base = roles.reduce((all, bits) => all | bits, 0n);
	return base & Bits.Administrator ? ALL : base;
}

/** What somebody may do in a channel; in a thread its parent's rules count, and whether it is private. */
export function permissionsAt(channel: Channel, user: User): bigint {
	const { server } = channel;
	if (!server) return channel.recipients.includes(user) ? bitsOf(DIRECT) : 0n;
	const base = permissionsIn(server, user);
	if (base === ALL) return ALL;
	const { overwrites } = channel.parent ?? channel;
	const member = server.members.get(user.id);
	let bits = base;
	for (const ids of [[server.id], member?.roles ?? [], [user.id]]) {
		const these = ids.flatMap((id) => overwrites.get(id) ?? []);
		bits &= ~these.reduce((all, { deny }) => all | deny, 0n);
		bits |= these.reduce((all, { allow }) => all | allow, 0n);
	}
	if (channel.private && !channel.threadMembers.has(user.id) && !(bits & Bits.ManageThreads)) return 0n;
	return bits & Bits.ViewChannel ? bits : 0n;
}

const DIRECT: Permission[] = ['ViewChannel', 'SendMessages', 'EmbedLinks', 'AttachFiles', 'ReadMessageHistory'];

/** Throws as Discord answers: 50001 to those who don't see the channel, 50013 to those who see it. */
export function demand(channel: Channel, user: User, ...permissions: Permission[]): void {
	const has = permissionsAt(channel, user);
	if (!(has & Bits.ViewChannel)) throw error.missingAccess();
	const lacking = permissions.find((permission) => !(has & Bits[permission]));
	if (lacking) throw error.missingPermissions();
}

/** Sending is its own permission in threads; locked ones are for who manages threads. */
export function demandSending(channel: Channel, user: User, files: number, embeds: number): void {
	demand(channel, user, isThread(channel) ? 'SendMessagesInThreads' : 'SendMessages');
	if (files > 0) demand(channel, user, 'AttachFiles');
	if (embeds > 0) demand(channel, user, 'EmbedLinks');
	if (!channel.locked || permissionsAt(channel, user) & Bits.ManageThreads) return;
	throw channel.archived ? error.archivedThread() : new DiscordError(403, 160005, 'This thread is locked');
}
