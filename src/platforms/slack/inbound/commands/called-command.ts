import type { CommandDescription } from '../../../../domain/command.ts';
import { inCode } from '../../../../domain/text.ts';
import type { Translate } from '../../../../i18n/translator.ts';

/** The command that a slash command calls. */
export type CalledCommand =
	| {
			name: string;
			/** Undefined when this version does not have the command. */
			description?: CommandDescription;
			/** The text after the command's name. */
			rest: string;
	  }
	| UnknownSubcommand;

/** A group of commands, without the name of one of them. */
export type UnknownSubcommand = { group: string /** The first word of the text, or nothing. */; word: string };

/** Returns the command of a slash command. Slack knows `/limits`; the text begins with the rest of `limits set`. */
export function calledCommand(commands: readonly CommandDescription[], name: string, text: string): CalledCommand {
	const single = commands.find((command) => command.name === name);
	if (single) return { name, description: single, rest: text };
	if (!commands.some((command) => command.name.startsWith(`${name} `))) return { name, rest: text };
	const [word = ''] = text.trim().split(/\s+/, 1);
	const fullName = `${name} ${word.toLowerCase()}`;
	const description = commands.find((command) => command.name === fullName);
	return description ? { name: fullName, description, rest: text.trim().slice(word.length) } : { group: name, word };
}

/** Returns a list of the commands of a group. */
export function groupHelp(
	commands: readonly CommandDescription[],
	{ group, word }: UnknownSubcommand,
	t: Translate,
): string {
	const members = commands.filter(({ name }) => name.startsWith(`${group} `));
	const first = word
		? t('slack.errors.noSubcommand', { command: group, word: inCode(word.replace(/[<>]/g, ''), 30) })
		: t('slack.subcommands', { command: group });
	return [first, ...members.map(({ name, description }) => `- \`/${name}\` ${t.declared(description)}`)].join('\n');
}
