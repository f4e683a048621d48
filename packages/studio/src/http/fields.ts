import { z } from 'zod';
import { ApiError } from './api-error.ts';

/** C0 controls except tab and line breaks, DEL, and C1 controls. */
const CONTROL_CHARACTER = /[\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]/;

/**
 * Validates a body.
 * @throws ApiError 400 with the first invalid field
 */
export function parse<T>(schema: z.ZodType<T>, body: unknown): T {
	const result = schema.safeParse(body);
	if (result.success) return result.data;
	const issue = result.error.issues[0];
	const param = issue?.path.join('.');
	throw new ApiError(400, issue?.message ?? 'The body is invalid.', {
		code: 'invalid_value',
		...(param && { param }),
	});
}

/** An object; unknown fields are ignored, as SDKs send many. */
export function body<Shape extends z.ZodRawShape>(shape: Shape) {
	return z.object(shape, { error: 'The body must be a JSON object.' });
}

/** Text of 1 to `max` characters (code points) that is not only white space. */
export function text(name: string, max: number) {
	return z.string({ error: missingOr(name, `${name} must be a string.`) }).superRefine((value, context) => {
		const fault = value.trim() === '' ? 'must not be empty' : textFault(value, max);
		if (fault) context.addIssue(`${name} ${fault}.`);
	});
}

/** Returns the end of a sentence about an invalid text, or undefined. */
export function textFault(value: string, max: number): string | undefined {
	if (!value.isWellFormed()) return 'holds half of a surrogate pair, which is not a character';
	if (CONTROL_CHARACTER.test(value)) return 'holds a control character';
	// No character has more than two units, and counting the characters of megabytes would take a second.
	if (value.length > 2 * max || (value.length > max && Array.from(value).length > max))
		return `must have at most ${max} characters`;
	return undefined;
}

export function integer(name: string, min: number, max: number) {
	const error = `${name} must be a whole number from ${min} to ${max}.`;
	return z.int({ error }).min(min, { error }).max(max, { error });
}

export function flag(name: string) {
	return z.boolean({ error: `${name} must be true or false.` });
}

/** Returns the error of a missing value, or else `wrong`. */
export function missingOr(name: string, wrong: string) {
	return (issue: { input?: unknown }) => (issue.input === undefined ? `${name} is missing.` : wrong);
}
