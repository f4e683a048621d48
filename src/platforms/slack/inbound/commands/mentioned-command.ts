import type { CommandDescription } from '../../../../domain/command.ts';
import { translatorFor } from '../../../../i18n/translator.ts';
import type { IncomingFiles } from '../files/incoming-files.ts';
import { picturesAmong, type SlackFile } from '../files/slack-file.ts';
import { readSlashText } from './slash-text.ts';

/** A command in a message to the bot, or the reason why it cannot run. */
export type MentionedCommand =
	| { command: string; options: Record<string, unknown>; isPrivate: boolean }
	| { error: string };

type CommandText = {
	server: string;
	/** The message as Slack has it, without the mention. */
	text: string;
	files?: readonly SlackFile[] | undefined;
	locale?: string | undefined;
};

/**
 * Returns the command at the beginning of a message, as in “@Easel edit make it night” with a picture. Unlike slash commands, those
 * take files and work in threads. Pictures become the command's picture options, in their order.
 *
 * @returns undefined when the text is no command, so that it belongs to the chat
 */
export function mentionedCommand(
	{ commands, files }: { commands: readonly CommandDescription[]; files: Pick<IncomingFiles, 'upload'> },
	message: CommandText,
): MentionedCommand | undefined {
	const found = commandAtStart(commands, message.text.trim().replace(/^\//, ''));
	if (!found) return undefined;
	const { command, rest } = found;
	const { options, left, unclear } = readSlashText(command.fields, rest);
	// “models are better than that” is not the command `models`.
	if (left !== '' || unclear.length > 0) return undefined;

	const pictures = picturesAmong(message.files);
	const inputs = command.fields.filter(({ kind }) => kind === 'picture');
	if (pictures.length > inputs.length) {
		const t = translatorFor(message.locale);
		return {
			error: t('slack.errors.tooManyPictures', { command: command.name, most: inputs.length, count: pictures.length }),
		};
	}
	const uploads = pictures.map((file, index) => [inputs[index]?.name ?? '', files.upload(message.server, file)]);
	return {
		command: command.name,
		options: { ...options, ...Object.fromEntries(uploads) },
		isPrivate: isPrivate(options),
	};
}

/** Returns the command whose name a text begins with, the longest one, and the rest of the text. */
function commandAtStart(commands: readonly CommandDescription[], text: string) {
	return commands
		.toSorted((one, other) => other.name.split(' ').length - one.name.split(' ').length)
		.map((command) => ({ command, match: nameAtStart(command.name).exec(text) }))
		.flatMap(({ command, match }) => (match ? [{ command, rest: text.slice(match[0].length) }] : []))[0];
}

const nameAtStart = (name: string) => new RegExp(`^${name.split(' ').join('\\s+')}(?:\\s+|$)`, 'i');

/** Returns whether options ask for a private reply. */
export const isPrivate = (options: Readonly<Record<string, unknown>>): boolean =>
	options['private'] === true || /^(?:true|yes)$/i.test(String(options['private'] ?? ''));
