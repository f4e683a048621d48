import type { CommandDescription, Field } from '../../../../domain/command.ts';
import type { Part } from '../api.ts';
import type { TypedProblem } from '../composer/command-text.ts';
import { type MessageId, t } from '../texts.ts';

/** The values of fields, by their names. A field without a value that is present is shown all the same. */
export type Values = Readonly<Record<string, unknown>>;

/** The input to focus; without a name, the submit button. A new object focuses it again. */
export type Focus = { name?: string | undefined };

/** The inputs of a command or a form, while a person fills them in. */
export type Filling = {
	values: Values;
	focus?: Focus | undefined;
	invalid?: string | undefined;
};

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

/** Returns the inputs to begin with: those with a value, and required ones. */
export function beginFilling(fields: readonly Field[], values: Values): Filling {
	const shown = fields.filter(({ name, required }) => required || values[name] !== undefined);
	const initial = shown.map(({ name, kind }) => [name, values[name] ?? (kind === 'flag' ? false : undefined)]);
	return focusFirst(fields, Object.fromEntries(initial));
}

/** Puts files into the empty picture inputs, in order. Returns the files that are left, too. */
export function fillPictures(fields: readonly Field[], values: Values, files: readonly File[]) {
	const empty = fields.filter(({ kind, name }) => kind === 'picture' && values[name] === undefined);
	const taken = empty.slice(0, files.length).map(({ name }, index) => [name, files[index]]);
	return { ...focusFirst(fields, { ...values, ...Object.fromEntries(taken) }), left: files.slice(taken.length) };
}

/** Focuses the first empty required input, else the last text that is shown; without inputs, the first optional text or the button. */
function focusFirst(fields: readonly Field[], values: Values): Filling {
	const filled = given(values);
	const name = (
		fields.find((field) => field.required && !(field.name in filled)) ??
		fields.findLast((field) => field.kind === 'text' && field.name in values) ??
		fields.find((field) => field.name in values) ??
		fields.find(({ kind }) => kind === 'text')
	)?.name;
	return { values: name === undefined || name in values ? values : { ...values, [name]: undefined }, focus: { name } };
}

/** Returns the first problem of the values as a sentence, and the inputs with the focus on its field. */
export function problemIn(
	fields: readonly Field[],
	values: Values,
): { sentence: string; filling: Filling } | undefined {
	const filled = given(values);
	for (const field of fields) {
		const sentence = problemOf(field, filled[field.name]);
		if (sentence) return { sentence, filling: { values, focus: { name: field.name }, invalid: field.name } };
	}
	return undefined;
}

function problemOf(field: Field, value: unknown): string | undefined {
	const name = field.name.charAt(0).toUpperCase() + field.name.slice(1);
	if (value === undefined && !field.required) return undefined;
	if (value === undefined)
		return field.kind === 'text'
			? t('sandbox.command.missing', { field: name })
			: t('sandbox.command.missingHint', { field: name, hint: hint(field) });
	if (field.kind === 'text' && String(value).length > field.maxLength)
		return t('sandbox.command.tooLong', { field: name, length: String(value).length, max: field.maxLength });
	const count = field.kind === 'choices' ? (value as string[]).length : Number(value);
	const isCounted = field.kind === 'choices' || field.kind === 'integer';
	const isWrong = isCounted && !(Number.isInteger(count) && count >= field.min && count <= field.max);
	return isWrong ? t('sandbox.command.wrong', { field: name, hint: hint(field) }) : undefined;
}

/** Returns why a typed text is no value of a command, as a sentence. */
export function typedProblemText({ name, fields }: CommandDescription, { text, field }: TypedProblem): string {
	const wrong = fields.find((one) => one.name === field);
	if (!wrong) return t('sandbox.command.noWords', { command: name });
	return t('sandbox.command.noValue', { text, field: wrong.name, hint: hint(wrong) });
}

/** Returns what can be given for a field, to complete a sentence. */
function hint(field: Field): string {
	switch (field.kind) {
		case 'choice':
			return field.choices.join(', ');
		case 'choices':
			return field.min === field.max
				? t('sandbox.hint.choicesExact', { min: field.min })
				: t('sandbox.hint.choices', { min: field.min, max: field.max });
		case 'integer':
			return t('sandbox.hint.integer', { min: field.min, max: field.max });
		default:
			return t(HINTS[field.kind]);
	}
}

const HINTS: Readonly<Record<Exclude<Field['kind'], 'choice' | 'choices' | 'integer'>, MessageId>> = {
	channel: 'sandbox.hint.channel',
	flag: 'sandbox.hint.flag',
	person: 'sandbox.hint.person',
	picture: 'sandbox.hint.pictureMissing',
	role: 'sandbox.hint.role',
	text: 'sandbox.hint.text',
};
