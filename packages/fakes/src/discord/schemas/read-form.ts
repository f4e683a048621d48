import type { z } from 'zod';
import { type FieldError, invalidForm } from '../api/errors.ts';

type Issue = z.core.$ZodIssue;

/** Reads a body by its schema. Throws `Invalid Form Body` with the errors of its fields. */
export function readForm<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
	const read = schema.safeParse(body);
	if (read.success) return read.data;
	throw invalidForm(read.error.issues.map((issue) => ({ path: issue.path, ...errorOf(issue) })));
}

/** Discord's code, where it is known, and its message. */
function errorOf(issue: Issue): Omit<FieldError, 'path'> {
	if (issue.code === 'too_big') {
		if (issue.origin === 'number')
			return { code: 'NUMBER_TYPE_MAX', message: `int value should be less than or equal to ${issue.maximum}.` };
		return { code: 'BASE_TYPE_MAX_LENGTH', message: `Must be ${issue.maximum} or fewer in length.` };
	}
	if (issue.code === 'too_small') {
		if (issue.origin === 'number')
			return { code: 'NUMBER_TYPE_MIN', message: `int value should be greater than or equal to ${issue.minimum}.` };
		return { code: 'BASE_TYPE_MIN_LENGTH', message: `Must be ${issue.minimum} or more in length.` };
	}
	if (issue.code === 'invalid_type' && issue.message.includes('received undefined'))
		return { code: 'BASE_TYPE_REQUIRED', message: 'This field is required' };
	if (issue.code === 'custom' && typeof issue.params?.['code'] === 'string')
		return { code: issue.params['code'], message: issue.message };
	return { code: issue.code.toUpperCase(), message: issue.message };
}

/** Adds an error in a refinement of a schema. */
export const addFieldError = (
	context: z.RefinementCtx,
	path: readonly PropertyKey[],
	code: string,
	message: string,
): void => context.addIssue({ code: 'custom', path: [...path], message, params: { code } });
