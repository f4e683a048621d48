import type { CommandDescription, Field } from '../../../../domain/command.ts';
import { commandAtStart, type References, readTypedOptions } from '../../../shared/typed-options.ts';

/** Returns the command that a text calls, and the rest of the text. */
export const commandIn = <Command extends { name: string }>(text: string, commands: readonly Command[]) =>
	text.startsWith('/') ? commandAtStart(commands, text.slice(1).trimEnd()) : undefined;

type Values = Readonly<Record<string, unknown>>;

export type Names = Readonly<Record<'person' | 'channel' | 'role', readonly { id: string; name: string }[]>>;

/** A typed text that is no value of its field, or that belongs to none. */
export type TypedProblem = { text: string; field?: string | undefined };

/** Reads the options of a command as a person types them. Returns the first problem, too. */
export function readOptions(
	{ fields }: Pick<CommandDescription, 'fields'>,
	text: string,
	names: Names,
): { options: Values; problem?: TypedProblem | undefined } {
	const typed = readTypedOptions(fields, text, referencesTo(names));
	const problems: TypedProblem[] = [];
	const options: Record<string, unknown> = {};
	for (const field of fields) {
		const word = typed.options[field.name];
		const value = word === undefined ? undefined : readValue(field, word, names);
		if (value !== undefined) options[field.name] = value;
		else if (word !== undefined) problems.push({ text: word, field: field.name });
	}
	const open = fields.find(({ name, kind }) => kind !== 'picture' && !(name in options));
	if (typed.left !== '') problems.push({ text: typed.left, field: open?.name });
	return { options, problem: problems[0] };
}

const MARKS = { person: '@', channel: '#', role: '@' };

/** Returns how people name each other, channels and roles: with or without their mark. */
function referencesTo(names: Names): References {
	const find = (kind: keyof Names, text: string) =>
		names[kind].find(({ id, name }) => id === text || name.toLowerCase() === text.toLowerCase())?.id;
	return {
		mentioned: (kind, word) => (word.startsWith(MARKS[kind]) ? find(kind, word.slice(1)) : undefined),
		named: (kind, value) => find(kind, value) ?? value,
		plain: (text) => text,
	};
}

function readValue(field: Field, text: string, names: Names): string | number | boolean | undefined {
	switch (field.kind) {
		case 'choice':
			return field.choices.find((choice) => choice.toLowerCase() === text.toLowerCase());
		case 'integer':
			return /^-?\d{1,15}$/.test(text) ? Number(text) : undefined;
		case 'flag':
			if (/^(true|yes|on|1)$/i.test(text)) return true;
			return /^(false|no|off|0)$/i.test(text) ? false : undefined;
		case 'person':
		case 'channel':
		case 'role':
			return names[field.kind].find(({ id }) => id === text)?.id;
		default:
			return text;
	}
}

/** Returns a command as text, from which `readOptions` reads the same options. Pictures are left out. */
export function textFor({ name, fields }: CommandDescription, values: Values): string {
	const first = fields.find(({ kind }) => kind === 'text')?.name ?? '';
	const { [first]: text, ...named } = values;
	const pairs = Object.entries(named).map(([key, value]) => `${key}:${/\s/.test(`${value}`) ? `"${value}"` : value}`);
	return [`/${name}`, ...(text === undefined ? [] : [text]), ...pairs].join(' ');
}

export const pictureFields = ({ fields }: CommandDescription): Field[] =>
	fields.filter(({ kind }) => kind === 'picture');
