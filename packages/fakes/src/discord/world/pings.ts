import type { Discord } from '../context.ts';
import { textOf } from '../schemas/components.ts';
import type { MessageBody } from '../schemas/messages.ts';
import type { Message } from './model.ts';

/**
 * Reports the pings of an application's message as violations, except those of users who have made a request.
 * https://docs.discord.com/developers/resources/message#allowed-mentions-object
 */
export function reportPings(discord: Discord, message: Message, { allowed_mentions }: MessageBody): void {
	const { world, violate } = discord;
	if (message.author !== world.me) return;
	const text = textOf(message);
	const parse: readonly string[] = allowed_mentions ? (allowed_mentions.parse ?? []) : ['users', 'roles', 'everyone'];
	const pinged = (kind: 'users' | 'roles', mention: RegExp) =>
		[...text.matchAll(mention)]
			.map(([, id]) => id ?? '')
			.filter((id) => parse.includes(kind) || allowed_mentions?.[kind]?.includes(id));
	const repliedTo = message.replyPings && message.reference ? [message.reference.author.id] : [];
	for (const id of [...pinged('users', /<@!?(\d+)>/g), ...repliedTo])
		if (!mayPing(discord, message, id))
			violate(`message ${message.id} pings ${world.userById(id)?.name ?? id}, who did not ask`);
	for (const id of pinged('roles', /<@&(\d+)>/g)) violate(`message ${message.id} pings the role ${id}`);
	if (parse.includes('everyone') && /@(everyone|here)\b/.test(text)) violate(`message ${message.id} pings everyone`);
}

function mayPing({ world }: Discord, { interaction }: Message, id: string): boolean {
	if (id === world.me.id) return true;
	return interaction ? interaction.user.id === id : world.requesters.has(id);
}
