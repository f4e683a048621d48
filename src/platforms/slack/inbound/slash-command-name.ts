import type { CommandDescription } from '../../../domain/command.ts';
import type { Translate } from '../../../i18n/translator.ts';

/** What was called by a slash: a command with what stands after it. */
export type SlashCommandName =
	| { name: string; description?: CommandDescription; rest: string }
	/** A command that needs another word, and what stands in its place. */
	| { group: string; word: string };

/** Slack knows `/limits`; ours are `limits set`, `limits show` and so on. */
export function commandIn(commands: readonly CommandDescription[], name: string, text: string): SlashCommandName {
	const alone = commands.find((command) => command.name === name);
	if (alone) return { name, description: alone, rest: text };
	if (!commands.some((command) => command.name.startsWith(`${name} `))) return { name, rest: text };
	const [word = ''] = text.trim().split(/\s+/, 1);
	const whole = `${name} ${word.toLowerCase()}`;
	const description = commands.find((command) => command.name === whole);
	return description ? { name: whole, description, rest: text.trim().slice(word.length) } : { group: name, word };
}

/** What a group of commands goes on with. */
export function helpOf(
	commands: readonly CommandDescription[],
	{ group, word }: { group: string; word: string },
	t: Translate,
): string {
	const members = commands.filter(({ name }) => name.startsWith(`${group} `));
	const first = word
		? t('slack.errors.noSubcommand', {
				command: group,
				word: word.replace(/[`<>]/g, '').slice(0, 30),
			})
		: t('slack.subcommands', { command: group });
	return [first, ...members.map(({ name, description }) => `- \`/${name}\` ${t.declared(description)}`)].join('\n');
}
