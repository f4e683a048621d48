import type { z } from 'zod';
import type { Field } from '../../domain/command.ts';
import { inCode, oneLine, quoted } from '../../domain/text.ts';
import type { Translate } from '../../i18n/translator.ts';
import type { Command } from './command.ts';

type Options = Readonly<Record<string, unknown>>;

/** Returns the options that a person gave, checked, or what is wrong with the first faulty one, as a sentence. */
export function parseOptions(
	t: Translate,
	command: Pick<Command, 'options'>,
	fields: readonly Field[],
	options: Options,
): { options: Record<string, unknown> } | { fault: string } {
	const given = coerceOptions(fields, options);
	const parsed = command.options.safeParse(given);
	if (!parsed.success) return { fault: optionErrorMessage(t, parsed.error, given) };
	const fault = aboveMaximum(t, fields, parsed.data);
	return fault === undefined ? { options: parsed.data } : { fault };
}

/** Returns options of platforms that have only text as the kinds that the fields declare. Empty ones are left out. */
export function coerceOptions(fields: readonly Field[], options: Options): Record<string, unknown> {
	const kinds = new Map(fields.map(({ name, kind }) => [name, kind]));
	const given = Object.entries(options).filter(([, value]) => !isEmpty(value));
	return Object.fromEntries(given.map(([name, value]) => [name, coerce(kinds.get(name), value)]));
}

/** A text in which nothing is visible, as every declaration refuses it. */
const BLANK = ' ';

const isEmpty = (value: unknown) => value === undefined || value === null || value === '';

function coerce(kind: Field['kind'] | undefined, value: unknown): unknown {
	if (kind === 'text' && typeof value === 'number') return String(value);
	if (typeof value !== 'string') return value;
	if (oneLine(value) === '') return BLANK;
	if (kind === 'integer' && /^-?\d{1,15}$/.test(value.trim())) return Number(value);
	if (kind === 'flag' && /^(true|yes|false|no)$/i.test(value)) return /^[ty]/i.test(value);
	return value;
}

/** Returns the first fault of a person's options as a sentence. A refinement's own message is an id, with `{option}` as a placeholder. */
export function optionErrorMessage(t: Translate, error: z.ZodError, options: Options): string {
	const issue = error.issues[0];
	if (!issue) return t('errors.options.unreadable');
	if (issue.code === 'unrecognized_keys')
		return t('errors.option.unknown', { option: inCode(issue.keys[0] ?? '', MAX_GIVEN) });
	const option = String(issue.path[0] ?? '');
	const value = options[option];
	if (isEmpty(value)) return t('errors.option.missing', { option });
	const given = quoted(String(value), MAX_GIVEN);
	switch (issue.code) {
		case 'too_small':
			if (issue.origin === 'string') return t('errors.option.empty', { option });
			return t('errors.option.min', { option, given, least: Number(issue.minimum) });
		case 'too_big': {
			const most = Number(issue.maximum);
			if (issue.origin !== 'string') return t('errors.option.max', { option, given, most });
			return t('errors.option.length', { option, count: String(value).trim().length, most });
		}
		case 'invalid_value':
			return t('errors.option.choices', { option, choices: issue.values.map(String).join(', ') });
		case 'invalid_type':
			return t('errors.option.kind', { option, kind: issue.expected });
		case 'custom':
			if (issue.message === 'Invalid input') return t('errors.option.picture', { option });
			return t.declared(issue.message, { ...issue.params, option });
		default:
			return t('errors.option.unreadable', { option });
	}
}

/** Returns a sentence when a number is above what the service allows; its fields know that, and the declaration does not. */
function aboveMaximum(t: Translate, fields: readonly Field[], options: Options): string | undefined {
	for (const field of fields) {
		const value = options[field.name];
		if (field.kind !== 'integer' || typeof value !== 'number' || value <= field.max) continue;
		return t('errors.option.max', { option: field.name, given: String(value), most: field.max });
	}
	return undefined;
}

/** The longest part of an option that a sentence repeats. */
const MAX_GIVEN = 31;
