import type { CommandDescription, Field } from '../../../../domain/command.ts';
import { commandAtStart, isValueOf, type References, readTypedOptions } from '../../../../domain/typed-options.ts';

/** Returns the command that a text calls, and the rest of the text. */
export const commandIn = <Command extends { name: string }>(text: string, commands: readonly Command[]) =>
	text.startsWith('/') ? commandAtStart(commands, text.slice(1).trimEnd()) : undefined;

type Values = Readonly<Record<string, unknown>>;

export type Names = Readonly<Record<'person' | 'channel' | 'role', readonly { id: string; name: string }[]>>;

/** The kinds of fields whose inputs show nothing but values. */
const STRICT: ReadonlySet<Field['kind']> = new Set(['integer', 'flag', 'choice']);

/**
 * Reads the options of a command as a person types them, each as a text. `unclear` is what belongs to no option, or the name of an option
 * whose value is none; the option is there without a value then.
 */
export function readOptions(
	{ fields }: Pick<CommandDescription, 'fields'>,
	text: string,
	names: Names,
): { options: Values; unclear?: string | undefined } {
	const { options, left, unclear } = readTypedOptions(fields, text, referencesTo(names));
	const isWrong = (field: Field) => STRICT.has(field.kind) && !isValueOf(field, options[field.name] ?? '');
	const wrong = fields.filter((field) => field.name in options && isWrong(field)).map(({ name }) => name);
	const next = fields.filter(({ name, kind }) => left && kind !== 'picture' && !(name in options)).slice(0, 1);
	const open = [...unclear, ...wrong, ...next.map(({ name }) => name)];
	const shown = Object.fromEntries(open.map((name) => [name, undefined]));
	return { options: { ...options, ...shown }, unclear: left || open[0] };
}

const MARKS = { person: '@', channel: '#', role: '@' };

/** Returns how people name each other, channels and roles: with or without their mark. */
function referencesTo(names: Names): References {
	const find = (kind: keyof Names, text: string) =>
		names[kind].find(({ id, name }) => id === text || name.toLowerCase() === text.toLowerCase())?.id;
	return {
		mentioned: (kind, word) => (word.startsWith(MARKS[kind]) ? find(kind, word.slice(1)) : undefined),
		named: find,
		plain: (text) => text,
	};
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
