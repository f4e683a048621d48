import type { CommandDescription } from '../../../domain/command.ts';
import { translatorFor } from '../../../i18n/translator.ts';
import { readSlashText } from './slash-text.ts';
import type { FileData, SlackFileReader } from './uploads.ts';

/** A command that was said to the bot, or why it can't be taken. */
export type MentionedCommand =
	| { command: string; options: Record<string, unknown>; isPrivate: boolean }
	| { say: string };

/**
 * Commands by their names instead of by a slash, which take files and work in threads: “@Easel edit make it night” with a picture.
 * Files become the command's pictures in their order. Undefined when the words are no command: they may be meant for the chat.
 * @param text without the mention, as Slack has it
 */
export function mentionedCommand(
	{ commands, uploads }: { commands: readonly CommandDescription[]; uploads: SlackFileReader },
	{
		server,
		text,
		files,
		locale,
	}: { server: string; text: string; files?: readonly FileData[] | undefined; locale?: string | undefined },
): MentionedCommand | undefined {
	const typed = text.trim().replace(/^\//, '');
	const found = commands
		.map((command) => ({ command, words: command.name.split(' ') }))
		.toSorted((one, other) => other.words.length - one.words.length)
		.find(({ words }) => new RegExp(`^${words.join('\\s+')}(?=\\s|$)`, 'i').test(typed));
	if (!found) return undefined;
	const { command, words } = found;
	const rest = typed.replace(new RegExp(`^${words.join('\\s+')}\\s*`, 'i'), '');
	const { options, left, unclear } = readSlashText(command.fields, rest);
	// “models are better than that” is not about the command.
	if (left !== '' || unclear.length > 0) return undefined;

	const pictures = uploads.picturesOf(files);
	const inputs = command.fields.filter(({ kind }) => kind === 'picture');
	if (pictures.length > inputs.length) {
		const t = translatorFor(locale);
		return {
			say: t('slack.errors.tooManyPictures', { command: command.name, most: inputs.length, count: pictures.length }),
		};
	}
	const given = Object.fromEntries(
		inputs
			.slice(0, pictures.length)
			.map(({ name }, index) => [name, uploads.upload(server, pictures[index] as FileData)]),
	);
	return { command: command.name, options: { ...options, ...given }, isPrivate: isPrivate(options) };
}

/** Whether what comes of it is for one person alone. */
export const isPrivate = (options: Readonly<Record<string, unknown>>): boolean =>
	options['private'] === true || /^(?:true|yes)$/i.test(String(options['private'] ?? ''));
