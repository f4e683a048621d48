import { z } from 'zod';
import { ApiError } from './api-error.ts';

/** Everything below space but tab and line breaks, and the second control block of Latin-1. */
const CONTROL_CHARACTER = /[\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]/;

/**
 * Reads a body at the edge; behind it, values are trusted.
 * @throws ApiError 400 that names the first field at fault
 */
export function parse<T>(schema: z.ZodType<T>, body: unknown): T {
	const result = schema.safeParse(body);
	if (result.success) return result.data;
	const issue = result.error.issues[0];
	const param = issue?.path.join('.');
	throw new ApiError(400, issue?.message ?? 'The body is not what is expected here.', {
		code: 'invalid_value',
		...(param && { param }),
	});
}

/** An object whose unknown fields are let pass: SDKs send many that mean nothing here. */
export function body<Shape extends z.ZodRawShape>(shape: Shape) {
	return z.object(shape, { error: 'The body must be a JSON object.' });
}

/** Text of `1` to `max` characters (code points) that is more than white space. */
export function text(name: string, max: number) {
	return z.string({ error: missingOr(name, `${name} must be a string.`) }).superRefine((value, context) => {
		const fault = value.trim() === '' ? 'must not be empty' : textFault(value, max);
		if (fault) context.addIssue(`${name} ${fault}.`);
	});
}

/** Returns the fault of a text, or undefined. */
export function textFault(value: string, max: number): string | undefined {
	if (!value.isWellFormed()) return 'holds half of a surrogate pair, which is not a character';
	if (CONTROL_CHARACTER.test(value)) return 'holds a control character';
	if (value.length > max && Array.from(value).length > max) return `must have at most ${max} characters`;
	return undefined;
}

export function integer(name: string, min: number, max: number) {
	const error = `${name} must be a whole number from ${min} to ${max}.`;
	return z.int({ error }).min(min, { error }).max(max, { error });
}

export function flag(name: string) {
	return z.boolean({ error: `${name} must be true or false.` });
}

/** The message for a value that is not there, or else for one of the wrong kind. */
export function missingOr(name: string, wrong: string) {
	return (issue: { input?: unknown }) => (issue.input === undefined ? `${name} is missing.` : wrong);
}
