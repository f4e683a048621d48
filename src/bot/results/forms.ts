import type { Upload } from '../../domain/channel.ts';
import { EDIT_IMAGE, type Field } from '../../domain/command.ts';
import type { ButtonPress, Invocation, Request } from '../../domain/platform.ts';
import { type MessageId, SentenceError, type Translate } from '../../i18n/translator.ts';
import { parseResultSubject, separateUploads } from '../../requests/requests.ts';
import type { ActionContext, ActionHandler, ActionResult, Invoke } from '../declaration/actions.ts';

/**
 * Returns a field to choose one of a message's pictures, as `which`.
 * @param first the index of the message's first picture in its result: the pictures have the numbers of the result
 */
const pictureChoice = (t: Translate, { attached }: ButtonPress, first: number): Field => ({
	kind: 'choice',
	name: 'which',
	required: true,
	choices: attached.map((_, index) => String(first + index + 1)),
	description: t('forms.edit.options.which'),
});

/** Returns the picture that was chosen by `pictureChoice`, or the only one. */
const chosenPicture = ({ attached = [], options: { which } }: Invocation, first: number): Upload | undefined =>
	attached[which === undefined ? 0 : Number(which) - 1 - first];

/** Returns the default of `private`: what is made from a message that one person sees is private too, unless they choose otherwise. */
export const privateDefault = ({ private: isPrivate }: ButtonPress) => (isPrivate ? { private: true } : undefined);

/** A picture of a result that an action is about. */
export type ChosenPicture = {
	job: string;
	/** The index of its message's first picture in the result. */
	first: number;
	/** The number in the result that was chosen; 0 for the only picture of a message. */
	number: number;
	picture: Upload | undefined;
	/** The other options of the form. */
	options: Record<string, unknown> | undefined;
};

/**
 * Returns the handler of an action on one picture of a result. It opens a form to choose the picture where the message has several.
 * @param form `withPrivate`: it asks whether what is made is private
 */
export const onePictureAction = (
	form: { command: string; title: MessageId; withPrivate?: true },
	act: (request: Request, chosen: ChosenPicture, context: ActionContext) => Promise<ActionResult>,
): ActionHandler => ({
	async press(press, subject, context) {
		const { attached, button } = press;
		const { job, first } = parseResultSubject(subject);
		const values = form.withPrivate && privateDefault(press);
		if (attached.length <= 1)
			return act(press, { job, first, number: 0, picture: attached[0], options: values }, context);
		const { easel, t } = context;
		const { command, title } = form;
		const others = form.withPrivate ? easel.catalogue.formFields(t, command, ['private']) : [];
		await press.open({
			id: button,
			command,
			title: t(title),
			fields: [pictureChoice(t, press, first), ...others],
			values,
		});
		return 'answered';
	},
	async submit(submission, subject, context) {
		const { job, first } = parseResultSubject(subject);
		const { which, ...options } = submission.options;
		const picture = chosenPicture(submission, first);
		return act(submission, { job, first, number: Number(which ?? 0), picture, options }, context);
	},
});

/** Separates a form's files, in the order of their fields' names, from its other options. */
export function separateFiles(options: Readonly<Record<string, unknown>>) {
	const { options: others, uploads } = separateUploads(options);
	return { others, files: uploads.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, upload]) => upload) };
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
export const editAction: ActionHandler = {
	/**
	 * Opens the form of an edit. With further pictures the edit becomes a composition of them, this one first, which is why the form
	 * has a size. The fields that are used most come first, because some platforms' forms do not have room for all of them.
	 */
	async press(press, subject, { easel, t }) {
		const { attached, button } = press;
		const { catalogue } = easel;
		if (attached.length === 0) return new SentenceError('forms.noPicture');
		const further = { description: t('forms.edit.options.image'), required: false };
		const size = { description: t('forms.edit.options.size') };
		await press.open({
			id: button,
			command: 'edit',
			title: t(EDIT_IMAGE.name),
			fields: [
				...(attached.length > 1 ? [pictureChoice(t, press, parseResultSubject(subject).first)] : []),
				...catalogue.formFields(t, 'edit', ['prompt']),
				...catalogue.formFields(t, 'compose', ['image2', 'image3']).map((field) => ({ ...field, ...further })),
				...catalogue.formFields(t, 'compose', ['size']).map((field) => ({ ...field, ...size })),
				...catalogue.formFields(t, 'edit', ['private', 'n', 'model']),
			],
			values: privateDefault(press),
		});
		return 'answered';
	},
	async submit(submission, subject) {
		const { which: _, ...rest } = submission.options;
		const picture = chosenPicture(submission, parseResultSubject(subject).first);
		const { others, files } = separateFiles(rest);
		if (!picture) return { refusal: new SentenceError('forms.noPicture') };
		if (files.length > 0) {
			if (others['model']) return { refusal: new SentenceError('forms.edit.errors.model') };
			return composition(submission, others, [picture, ...files]);
		}
		if (others['size']) return { refusal: new SentenceError('forms.edit.errors.size') };
		return { invoke: { ...submission, options: { ...others, image: picture } } };
	},
};
