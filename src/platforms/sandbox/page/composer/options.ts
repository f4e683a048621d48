import type { CommandDescription, Field } from '../../../../domain/command.ts';
import { commandAtStart, isValueOf, type References, readTypedOptions } from '../../../../domain/typed-options.ts';
import type { Part } from '../api.ts';

/** The values of fields, by their names. A field without a value that is present is shown all the same. */
export type Values = Readonly<Record<string, unknown>>;

/** Returns the values that were given: texts without white space around them, and none that are empty. */
export function given(values: Values): Record<string, unknown> {
	const trim = (value: unknown) => (typeof value === 'string' ? value.trim() : value);
	const trimmed = Object.entries(values).map(([name, value]) => [name, trim(value)]);
	return Object.fromEntries(trimmed.filter(([, value]) => value !== undefined && value !== ''));
}

/** Returns the values that were given, with the files apart. */
export function splitFiles(values: Values): { options: Values; parts: Part[] } {
	const all = Object.entries(given(values));
	return {
		options: Object.fromEntries(all.filter(([, value]) => !(value instanceof File))),
		parts: all.flatMap(([part, value]) => (value instanceof File ? [{ part, file: value }] : [])),
	};
}

/** Returns the values of the inputs to begin with: those that are present, and required ones; without any, the first text. */
export function beginFilling(fields: readonly Field[], values: Values): Values {
	const needed = fields.filter(({ name, required }) => required || name in values);
	const shown = needed.length > 0 ? needed : fields.filter(({ kind }) => kind === 'text').slice(0, 1);
	const initial = ({ name, kind }: Field) => values[name] ?? (kind === 'flag' ? false : undefined);
	return Object.fromEntries(shown.map((field) => [field.name, initial(field)]));
}

/** Puts files into the empty picture inputs, in order. Returns the files that are left, too. */
export function fillPictures(fields: readonly Field[], values: Values, files: readonly File[]) {
	const empty = fields.filter(({ kind, name }) => kind === 'picture' && values[name] === undefined);
	const taken = empty.slice(0, files.length).map(({ name }, index) => [name, files[index]]);
	return { values: { ...values, ...Object.fromEntries(taken) } as Values, left: files.slice(taken.length) };
}

/** Returns the command that a text calls, and the rest of the text. */
export const commandIn = <Command extends { name: string }>(text: string, commands: readonly Command[]) =>
	text.startsWith('/') ? commandAtStart(commands, text.slice(1).trimEnd()) : undefined;

export type Names = Readonly<Record<'person' | 'channel' | 'role', readonly { id: string; name: string }[]>>;

/** The kinds of fields whose inputs show nothing but values. */
const STRICT: ReadonlySet<Field['kind']> = new Set(['integer', 'flag', 'choice']);

/**
 * Reads the options of a command as a person types them, each as a text. `unclear` is what belongs to no option, or the name of an option
 * whose value is none; the option is there without a value then.
 */
export function readOptions({ fields }: CommandDescription, text: string, names: Names) {
	const { options, left, unclear } = readTypedOptions(fields, text, referencesTo(names));
	const isWrong = (field: Field) => STRICT.has(field.kind) && !isValueOf(field, options[field.name] ?? '');
	const wrong = fields.filter((field) => field.name in options && isWrong(field)).map(({ name }) => name);
	const next = fields.filter(({ name, kind }) => left && kind !== 'picture' && !(name in options)).slice(0, 1);
	const open = [...unclear, ...wrong, ...next.map(({ name }) => name)];
	const shown: Values = { ...options, ...Object.fromEntries(open.map((name) => [name, undefined])) };
	return { options: shown, unclear: left || open[0] };
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
