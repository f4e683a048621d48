import type { Field } from '../../../../domain/command.ts';

/** https://docs.discord.com/developers/components/reference#label: a modal has at most five. */
export const MAX_INPUTS = 5;

/** An input of a modal: one field, or all picture fields together, since one input takes several files. */
export type Input = readonly [Field, ...Field[]];

/**
 * The inputs for a form. If there are more than a modal can have, the required ones stay, then those with an initial value, then the
 * first ones.
 */
export function inputsOf(fields: readonly Field[], values: Readonly<Record<string, unknown>> = {}): Input[] {
	const [first, ...others] = fields.filter(({ kind }) => kind === 'picture');
	const inputs = fields.flatMap((field): Input[] => {
		if (field.kind !== 'picture') return [[field]];
		return field === first ? [[field, ...others]] : [];
	});
	const hasValue = (input: Input) => input.some(({ name }) => values[name] !== undefined);
	const rankOf = (input: Input) => (isRequired(input) ? 0 : hasValue(input) ? 1 : 2);
	const byPriority = inputs.toSorted((a, b) => rankOf(a) - rankOf(b));
	const shown = new Set(byPriority.slice(0, MAX_INPUTS));
	return inputs.filter((input) => shown.has(input));
}

const isRequired = (input: Input) => input.some(({ required }) => required);
