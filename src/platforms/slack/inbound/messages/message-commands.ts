import type { CommandDescription } from '../../../../domain/command.ts';
import type { Person } from '../../../../domain/place.ts';
import type { Inbox } from '../../../../domain/platform.ts';
import type { SlackChannels } from '../../outbound/channels.ts';
import { mentionedCommand } from '../commands/mentioned-command.ts';
import type { IncomingFiles } from '../files/incoming-files.ts';
import { threadOf } from '../place.ts';
import { incomingMessageId, isDirect, type ReceivedMessage } from './message-event.ts';
import { mentionedIn, withoutMention } from './message-text.ts';
import { replyChannel } from './reply-channel.ts';

export type MessageCommandOptions = {
	commands: readonly CommandDescription[];
	channels: SlackChannels;
	files: IncomingFiles;
};

/**
 * Returns what runs the command in a message to the bot, such as “@Easel edit make it night”. It is answered in a thread. Returns
 * undefined for messages without a command.
 */
export function messageCommand(
	{ commands, channels, files }: MessageCommandOptions,
	message: ReceivedMessage,
	person: Person,
	inbox: Inbox,
): (() => Promise<void>) | undefined {
	const { server, event, self } = message;
	const isMention = mentionedIn(event.text ?? '').includes(self.botUser);
	if (!isMention && !isDirect(event)) return undefined;
	const text = withoutMention(event.text ?? '', self);
	const found = mentionedCommand({ commands, files }, { server, text, files: event.files, locale: person.locale });
	if (!found) return undefined;
	const id = incomingMessageId(event.channel, event.ts);
	const thread = threadOf(event) ?? (isDirect(event) ? undefined : event.ts);
	if ('error' in found)
		return async () => {
			await replyChannel(channels, message, thread).post({ text: found.error, visibility: 'private' }, id);
		};
	const { command, options, isPrivate } = found;
	// In direct messages, “edit this sentence” is part of the chat, and the chat needs no command.
	const fields = commands.find(({ name }) => name === command)?.fields ?? [];
	const isComplete = fields.every(({ name, required }) => !required || name in options);
	if (!isMention && (!isComplete || command === 'chat')) return undefined;
	const channel = replyChannel(channels, message, thread, { needsDirectMessage: isPrivate });
	return () => inbox.invoke({ id, command, options, person, channel });
}
