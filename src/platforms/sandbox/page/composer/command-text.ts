import type { CommandDescription, Field } from '../../../../domain/command.ts';

/** The values of a command's fields. A field without a value that is present is shown all the same. */
export type Values = Readonly<Record<string, unknown>>;

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

/** Returns the values that were given: texts without white space around them, and none that are empty. */
export const given = (values: Values): Record<string, unknown> =>
	Object.fromEntries(
		Object.entries(values)
			.map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value] as const)
			.filter(([, value]) => value !== undefined && value !== ''),
	);
