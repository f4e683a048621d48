import type { CommandDescription, Field } from '../../../../domain/command.ts';
import type { Values } from '../inputs/filling.ts';

/** Returns the command that a text begins with, the longest name first, so that `limits set` is not `limits`. */
export function commandIn<Command extends Pick<CommandDescription, 'name'>>(
	text: string,
	commands: readonly Command[],
): { command: Command; rest: string } | undefined {
	if (!text.startsWith('/')) return undefined;
	const typed = text.slice(1).toLowerCase();
	const longestFirst = commands.toSorted((a, b) => b.name.length - a.name.length);
	const command = longestFirst.find(({ name }) => typed.startsWith(name) && /^(\s|$)/.test(typed.slice(name.length)));
	return command && { command, rest: text.slice(1 + command.name.length).trim() };
}

/** Returns a command as text, from which the server reads the same options. Pictures are left out. */
export function textFor({ name, fields }: CommandDescription, values: Values): string {
	const first = fields.find(({ kind }) => kind === 'text')?.name ?? '';
	const { [first]: text, ...named } = values;
	const pairs = Object.entries(named).map(([key, value]) => `${key}:${/\s/.test(`${value}`) ? `"${value}"` : value}`);
	return [`/${name}`, ...(text === undefined ? [] : [text]), ...pairs].join(' ');
}

export const pictureFields = ({ fields }: CommandDescription): Field[] =>
	fields.filter(({ kind }) => kind === 'picture');
