import { PermissionFlagsBits as Bits, ChannelType } from 'discord-api-types/v10';
import { apiErrors, DiscordError } from '../api/errors.ts';
import { type Channel, isThread, type Server, type User } from './model.ts';

/** The name of a permission, such as `SendMessages` or `ManageGuild`. */
export type Permission = keyof typeof Bits;

const ALL: bigint = Object.values(Bits).reduce((all, bit) => all | bit, 0n);

export const bitsOf = (permissions: readonly Permission[]): bigint =>
	permissions.reduce((all, permission) => all | Bits[permission], 0n);

/** The permissions of a user in a server. https://docs.discord.com/developers/topics/permissions */
export function permissionsIn(server: Server, user: User): bigint {
	const member = server.members.get(user.id);
	if (!member) return 0n;
	if (server.ownerId === user.id) return ALL;
	const roles = [server.id, ...member.roles].map((id) => server.roles.get(id)?.permissions ?? 0n);
	const base = roles.reduce((all, bits) => all | bits, 0n);
	return base & Bits.Administrator ? ALL : base;
}

/** The permissions of a user in a channel. A thread has the overwrites of its parent. */
export function permissionsAt(channel: Channel, user: User): bigint {
	const { server } = channel;
	if (!server) return channel.recipients.includes(user) ? bitsOf(DIRECT_MESSAGES) : 0n;
	const base = permissionsIn(server, user);
	if (base === ALL) return ALL;
	const { overwrites } = channel.parent ?? channel;
	const member = server.members.get(user.id);
	let bits = base;
	for (const ids of [[server.id], member?.roles ?? [], [user.id]]) {
		const applicable = ids.flatMap((id) => overwrites.get(id) ?? []);
		bits &= ~applicable.reduce((all, { deny }) => all | deny, 0n);
		bits |= applicable.reduce((all, { allow }) => all | allow, 0n);
	}
	if (channel.private && !channel.threadMembers.has(user.id) && !(bits & Bits.ManageThreads)) return 0n;
	if (server.withoutConnect === 'view only' && VOICE.includes(channel.type) && !(bits & Bits.Connect))
		return bits & Bits.ViewChannel;
	return bits & Bits.ViewChannel ? bits : 0n;
}

const VOICE: readonly ChannelType[] = [ChannelType.GuildVoice, ChannelType.GuildStageVoice];

const DIRECT_MESSAGES: Permission[] = [
	'ViewChannel',
	'SendMessages',
	'EmbedLinks',
	'AttachFiles',
	'ReadMessageHistory',
];

/**
 * Throws the error that Discord would return: 50001 for a channel that the user does not see, else 50013.
 * https://docs.discord.com/developers/topics/permissions#implicit-permissions
 */
export function requirePermissions(channel: Channel, user: User, ...permissions: Permission[]): void {
	const has = permissionsAt(channel, user);
	if (!(has & Bits.ViewChannel)) throw apiErrors.missingAccess();
	if (permissions.some((permission) => !(has & Bits[permission]))) throw apiErrors.missingPermissions();
}

/**
 * Sending in threads is a separate permission. Only members who manage threads can send in a locked one.
 * https://docs.discord.com/developers/topics/threads
 */
export function requireSending(channel: Channel, user: User, files: number, embeds: number): void {
	requirePermissions(channel, user, isThread(channel) ? 'SendMessagesInThreads' : 'SendMessages');
	if (files > 0) requirePermissions(channel, user, 'AttachFiles');
	if (embeds > 0) requirePermissions(channel, user, 'EmbedLinks');
	if (!channel.locked || permissionsAt(channel, user) & Bits.ManageThreads) return;
	throw channel.archived ? apiErrors.archivedThread() : new DiscordError(403, 160005, 'This thread is locked');
}
