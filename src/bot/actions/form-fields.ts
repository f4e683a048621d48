import type { CommandDescription, Field } from '../../domain/command.ts';
import type { Upload } from '../../domain/reply.ts';
import type { ButtonPress, Invocation } from '../../domain/requests.ts';
import { type Translate, translatorFor } from '../../i18n/translator.ts';
import { isUpload } from '../declaration/option-kinds.ts';
import type { Invoke } from './action.ts';

/** By name. */
export type CommandDescriptions = ReadonlyMap<string, CommandDescription>;

/** Returns those fields of a command, in this order, described in a person's language; all by default. */
export function fieldsOf(
	t: Translate,
	commands: CommandDescriptions,
	command: string,
	names?: readonly string[],
): Field[] {
	const fields = commands.get(command)?.fields ?? [];
	return (names ?? fields.map(({ name }) => name)).flatMap((name) => {
		const field = fields.find((one) => one.name === name);
		return field ? { ...field, description: t.declared(field.description) } : [];
	});
}

/**
 * Returns a field to choose one of a message's pictures, as `which`.
 * @param first the index of the message's first picture in its result: the pictures have the numbers of the result
 */
export const pictureChoice = ({ attached, person }: Pick<ButtonPress, 'attached' | 'person'>, first = 0): Field => ({
	kind: 'choice',
	name: 'which',
	required: true,
	choices: numbersOf(attached).map((number) => String(Number(number) + first)),
	description: translatorFor(person.locale)('forms.edit.options.which'),
});

/** Returns a field to choose up to `max` of a message's pictures, as `which`. */
export const pictureChoices = ({ attached, person }: Pick<ButtonPress, 'attached' | 'person'>, max: number): Field => ({
	kind: 'choices',
	name: 'which',
	required: true,
	choices: numbersOf(attached),
	min: 1,
	max,
	description: translatorFor(person.locale)('forms.compose.options.which'),
});

/** Returns the picture that was chosen by `pictureChoice`, or the only one. */
export function chosenPicture(
	{ attached = [], options }: Pick<Invocation, 'attached' | 'options'>,
	first = 0,
): Upload | undefined {
	const { which } = options;
	return attached[which === undefined ? 0 : Number(which) - 1 - first];
}

const numbersOf = (attached: readonly Upload[]) => attached.map((_, index) => String(index + 1));

/** Returns the default of `private`: what is made from a message that one person sees is private too, unless they choose otherwise. */
export const privateDefault = ({ private: isPrivate }: Pick<ButtonPress, 'private'>) =>
	isPrivate ? { values: { private: true } } : {};

/** Separates a form's files, in the order of their fields' names, from its other options. */
export function separateFiles(options: Readonly<Record<string, unknown>>) {
	const entries = Object.entries(options).toSorted(([a], [b]) => (a < b ? -1 : 1));
	return {
		others: Object.fromEntries(entries.filter(([, value]) => !isUpload(value))),
		files: entries.flatMap(([, value]) => (isUpload(value) ? [value] : [])),
	};
}

/** Returns the invocation of a composition of these pictures. */
export const composition = (
	invocation: Invocation,
	options: Readonly<Record<string, unknown>>,
	pictures: readonly Upload[],
): Invoke => ({
	invoke: {
		...invocation,
		command: 'compose',
		options: { ...options, ...Object.fromEntries(pictures.map((upload, index) => [`image${index + 1}`, upload])) },
	},
});
