import type { Field } from '../../../../domain/command.ts';
import type { Part } from '../api.ts';

/** The values of fields, by their names. A field without a value that is present is shown all the same. */
export type Values = Readonly<Record<string, unknown>>;

/** Returns the values that were given: texts without white space around them, and none that are empty. */
export const given = (values: Values): Record<string, unknown> =>
	Object.fromEntries(
		Object.entries(values)
			.map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value] as const)
			.filter(([, value]) => value !== undefined && value !== ''),
	);

/** Returns the values that were given, with the files apart. */
export function splitFiles(values: Values): { options: Values; parts: Part[] } {
	const all = Object.entries(given(values));
	const isFile = (entry: [string, unknown]): entry is [string, File] => entry[1] instanceof File;
	return {
		options: Object.fromEntries(all.filter((entry) => !isFile(entry))),
		parts: all.filter(isFile).map(([part, file]) => ({ part, file })),
	};
}

/** Returns the values of the inputs to begin with: those that are present, and required ones; without any, the first text. */
export function beginFilling(fields: readonly Field[], values: Values): Values {
	const isShown = ({ name, required }: Field) => required || name in values;
	const first = fields.find((field) => field.kind === 'text');
	const shown = fields.some(isShown) ? fields.filter(isShown) : first ? [first] : [];
	return Object.fromEntries(
		shown.map(({ name, kind }) => [name, values[name] ?? (kind === 'flag' ? false : undefined)]),
	);
}

/** Puts files into the empty picture inputs, in order. Returns the files that are left, too. */
export function fillPictures(fields: readonly Field[], values: Values, files: readonly File[]) {
	const empty = fields.filter(({ kind, name }) => kind === 'picture' && values[name] === undefined);
	const taken = empty.slice(0, files.length).map(({ name }, index) => [name, files[index]]);
	return { values: { ...values, ...Object.fromEntries(taken) } as Values, left: files.slice(taken.length) };
}
