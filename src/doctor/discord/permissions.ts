import { type APIChannel, type APIOverwrite, OverwriteType, PermissionFlagsBits } from 'discord.js';

/** The least that Easel needs, by the names that Discord's client has for it. */
export const NEEDED: Readonly<Record<string, bigint>> = {
	'View Channels': PermissionFlagsBits.ViewChannel,
	'Send Messages': PermissionFlagsBits.SendMessages,
	'Attach Files': PermissionFlagsBits.AttachFiles,
	'Read Message History': PermissionFlagsBits.ReadMessageHistory,
	'Create Public Threads': PermissionFlagsBits.CreatePublicThreads,
	'Create Private Threads': PermissionFlagsBits.CreatePrivateThreads,
	'Send Messages in Threads': PermissionFlagsBits.SendMessagesInThreads,
};

const ALL = Object.values(PermissionFlagsBits).reduce((all, bit) => all | bit, 0n);

/** The address by which the bot is invited with the permissions that it needs. */
export function inviteLink(applicationId: string): string {
	const permissions = Object.values(NEEDED).reduce((all, bit) => all | bit, 0n);
	return `https://discord.com/oauth2/authorize?client_id=${applicationId}&scope=bot+applications.commands&permissions=${permissions}`;
}

/** Returns the names of the needed permissions that are not among these. */
export const missingIn = (permissions: bigint, needed: readonly string[] = Object.keys(NEEDED)): string[] =>
	permissions & PermissionFlagsBits.Administrator ? [] : needed.filter((name) => !(permissions & (NEEDED[name] ?? 0n)));

/**
 * Returns a member's permissions in a channel. https://docs.discord.com/developers/topics/permissions#permission-overwrites
 *
 * @param base the member's permissions in the server
 * @param member the ids of the server, of the member's roles, and of the user
 */
export function permissionsAt(
	channel: APIChannel,
	base: bigint,
	member: { server: string; roles: readonly string[]; user: string },
): bigint {
	if (base & PermissionFlagsBits.Administrator) return ALL;
	const overwrites = 'permission_overwrites' in channel ? (channel.permission_overwrites ?? []) : [];
	const steps: ((overwrite: APIOverwrite) => boolean)[] = [
		({ id, type }) => type === OverwriteType.Role && id === member.server,
		({ id, type }) => type === OverwriteType.Role && id !== member.server && member.roles.includes(id),
		({ id, type }) => type === OverwriteType.Member && id === member.user,
	];
	let permissions = base;
	for (const applies of steps) {
		const applicable = overwrites.filter(applies);
		for (const { deny } of applicable) permissions &= ~BigInt(deny);
		for (const { allow } of applicable) permissions |= BigInt(allow);
	}
	return permissions;
}
