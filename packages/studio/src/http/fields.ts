import { z } from 'zod';
import { ApiError } from './api-error.ts';

/** C0 controls except tab and line breaks, DEL, and C1 controls. */
const CONTROL_CHARACTER = /[\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]/;

/** How types and measures of fields are called. */
const KINDS: Readonly<Record<string, string>> = {
	string: 'a string',
	int: 'a whole number',
	number: 'a whole number',
	boolean: 'true or false',
	array: 'an array',
	object: 'an object',
};
const UNITS: Readonly<Record<string, string>> = { string: 'characters', array: 'values' };

/**
 * Validates a body.
 * @throws ApiError 400 with the first invalid field
 */
export function parse<T>(schema: z.ZodType<T>, body: unknown): T {
	const result = schema.safeParse(body, {
		error: (issue) => `${issue.path?.join('.') || 'The body'} ${faultOf(issue)}.`,
	});
	if (result.success) return result.data;
	const [issue] = result.error.issues;
	const param = issue?.path.join('.');
	throw new ApiError(400, issue?.message ?? '', { code: 'invalid_value', ...(param && { param }) });
}

/** Returns the end of a sentence about an invalid field, by what its schema asks for. */
function faultOf(issue: z.core.$ZodRawIssue | z.core.$ZodIssue): string {
	if ('input' in issue && issue.input === undefined) return 'is missing';
	const limit = (how: string, bound: unknown, unit = '') =>
		`must ${unit ? 'have' : 'be'} at ${how} ${bound} ${unit}`.trimEnd();
	switch (issue.code) {
		case 'invalid_type':
			return `must be ${KINDS[issue.expected as string] ?? issue.expected}`;
		case 'invalid_value':
			return `can only be ${issue.values.join(', ')}`;
		case 'too_small':
			return issue.minimum === 1 && UNITS[issue.origin] ? 'must not be empty' : limit('least', issue.minimum);
		case 'too_big':
			return limit('most', issue.maximum, UNITS[issue.origin]);
		case 'invalid_union': {
			const all = issue.errors.flat();
			const own = all.find(({ code, path }) => code !== 'invalid_type' || path.length > 0);
			return own
				? faultOf(own)
				: [...new Set(all.map(faultOf))].join(' or ').replaceAll(' or must be ', ' or ') || 'is not valid';
		}
		case 'custom':
			return String(issue.params?.['fault'] ?? 'is not valid');
		default:
			return 'is not valid';
	}
}

/** Text of at most `max` characters (code points). */
export const text = (max: number) =>
	z.string().superRefine((value, context) => {
		const fault = textFault(value, max);
		if (fault) context.addIssue({ code: 'custom', params: { fault } });
	});

/** Text that is not only white space. */
export const filled = (max: number) =>
	text(max).refine((value) => value.trim() !== '', { params: { fault: 'must not be empty' } });

/** Returns the end of a sentence about an invalid text, or undefined. */
function textFault(value: string, max: number): string | undefined {
	if (!value.isWellFormed()) return 'holds half of a surrogate pair, which is not a character';
	if (CONTROL_CHARACTER.test(value)) return 'holds a control character';
	// No character has more than two units, and counting the characters of megabytes would take a second.
	if (value.length > 2 * max || (value.length > max && Array.from(value).length > max))
		return `must have at most ${max} characters`;
	return undefined;
}
