import type { Field } from '../../../../domain/command.ts';
import type { Part } from '../api.ts';
import { given, type Values } from '../composer/command-text.ts';
import { type MessageId, t } from '../texts.ts';

/** The input to focus; without a name, the submit button. A new object focuses it again. */
export type Focus = { name?: string | undefined };

const HINTS: Readonly<Record<Exclude<Field['kind'], 'choice' | 'choices' | 'integer'>, MessageId>> = {
	channel: 'sandbox.hint.channel',
	flag: 'sandbox.hint.flag',
	person: 'sandbox.hint.person',
	picture: 'sandbox.hint.pictureMissing',
	role: 'sandbox.hint.role',
	text: 'sandbox.hint.text',
};

/** Returns what can be given for a field, to complete a sentence. */
function hint(field: Field): string {
	if (field.kind === 'choice') return field.choices.join(', ');
	if (field.kind === 'choices') {
		const { min, max } = field;
		return min === max ? t('sandbox.hint.choicesExact', { min }) : t('sandbox.hint.choices', { min, max });
	}
	if (field.kind === 'integer') return t('sandbox.hint.integer', { min: field.min, max: field.max });
	return t(HINTS[field.kind]);
}

/** Returns the files among values, by their fields. */
export const partsOf = (values: Values): Part[] =>
	Object.entries(values).flatMap(([part, value]) => (value instanceof File ? [{ part, file: value }] : []));

/** Puts files into the empty picture fields, in order. Returns the values, and the files that are left. */
export function fillPictures(fields: readonly Field[], values: Values, files: readonly File[]) {
	const empty = fields.filter(({ kind, name }) => kind === 'picture' && values[name] === undefined);
	const taken = empty.slice(0, files.length).map(({ name }, index) => [name, files[index]]);
	return { values: { ...values, ...Object.fromEntries(taken) } as Values, left: files.slice(taken.length) };
}

/** Returns the first empty required input, else the last text that is shown; without inputs, the first optional text or the button. */
export function firstFocus(fields: readonly Field[], values: Values): Focus {
	const filled = given(values);
	const field =
		fields.find(({ name, required }) => required && !(name in filled)) ??
		fields.findLast(({ name, kind }) => kind === 'text' && name in values) ??
		fields.find(({ name }) => name in values) ??
		fields.find(({ kind }) => kind === 'text');
	return { name: field?.name };
}

/** Returns the first problem of the values as a sentence, and the name of its field. */
export function problemIn(fields: readonly Field[], values: Values): { field: string; sentence: string } | undefined {
	const filled = given(values);
	for (const field of fields) {
		const sentence = problemOf(field, filled[field.name]);
		if (sentence) return { field: field.name, sentence };
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
