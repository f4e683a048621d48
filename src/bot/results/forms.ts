import type { Upload } from '../../domain/channel.ts';
import { type CommandDescription, EDIT_IMAGE, type Field } from '../../domain/command.ts';
import type { ButtonPress, Invocation } from '../../domain/platform.ts';
import { type Translate, translatorFor } from '../../i18n/translator.ts';
import { parseResultSubject } from '../../requests/result-subject.ts';
import {
	type ActionHandler,
	type ActionResult,
	type Invoke,
	type SubmissionResult,
	say,
} from '../declaration/actions.ts';
import { isUpload } from '../declaration/options.ts';

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

/** Edits a picture of a message, or composes it with further ones. */
export const editAction = (commands: CommandDescriptions): ActionHandler => ({
	press: (press, subject) => openEditForm(commands, press, parseResultSubject(subject).first),
	submit: async (submission, subject) => submitEditForm(submission, parseResultSubject(subject).first),
});

/**
 * Opens the form of an edit. With further pictures the edit becomes a composition of them, this one first, which is why the form
 * has a size. The fields that are used most come first, because some platforms' forms do not have room for all of them.
 */
export async function openEditForm(
	commands: CommandDescriptions,
	press: Pick<ButtonPress, 'button' | 'attached' | 'person' | 'private' | 'open'>,
	first = 0,
): Promise<ActionResult> {
	const t = translatorFor(press.person.locale);
	const { attached } = press;
	if (attached.length === 0) return say(t('forms.noPicture'));
	const further = fieldsOf(t, commands, 'compose', ['image2', 'image3']).map((field) => ({
		...field,
		description: t('forms.edit.options.image'),
		required: false,
	}));
	const size = fieldsOf(t, commands, 'compose', ['size']).map((field) => ({
		...field,
		description: t('forms.edit.options.size'),
	}));
	await press.open({
		id: press.button,
		command: 'edit',
		title: t(EDIT_IMAGE.name),
		fields: [
			...(attached.length > 1 ? [pictureChoice(press, first)] : []),
			...fieldsOf(t, commands, 'edit', ['prompt']),
			...further,
			...size,
			...fieldsOf(t, commands, 'edit', ['private', 'n', 'model']),
		],
		...privateDefault(press),
	});
	return 'answered';
}

/** Returns the edit of the picture, or its composition with the files that were added. */
export function submitEditForm(submission: Invocation, first = 0): SubmissionResult {
	const t = translatorFor(submission.person.locale);
	const { which: _, ...rest } = submission.options;
	const picture = chosenPicture(submission, first);
	const { others, files } = separateFiles(rest);
	if (!picture) return { refused: t('forms.noPicture') };
	if (files.length === 0) {
		if (others['size']) return { refused: t('forms.edit.errors.size') };
		return { invoke: { ...submission, options: { ...others, image: picture } } };
	}
	if (others['model']) return { refused: t('forms.edit.errors.model') };
	return composition(submission, others, [picture, ...files]);
}
