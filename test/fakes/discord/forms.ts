import type { z } from 'zod';
import { type Complaint, invalidForm } from './errors.ts';

type Issue = z.core.$ZodIssue;

/** Reads a body by its schema. Throws Discord's `Invalid Form Body` for what is wrong in it. */
export function readForm<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
	const read = schema.safeParse(body);
	if (read.success) return read.data;
	throw invalidForm(read.error.issues.map(complaintOf));
}

function complaintOf(issue: Issue): Complaint {
	return { path: issue.path, ...wordsOf(issue) };
}

/** Discord's own code where it is known, and its sentence. */
function wordsOf(issue: Issue): { code: string; message: string } {
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

/** A complaint that a refinement of a schema adds. */
export const complain = (context: z.RefinementCtx, path: readonly PropertyKey[], code: string, message: string): void =>
	context.addIssue({ code: 'custom', path: [...path], message, params: { code } });
