import { EDIT_IMAGE } from '../../domain/message-menu.ts';
import type { ButtonPress, Invocation } from '../../domain/requests.ts';
import { translatorFor } from '../../i18n/translator.ts';
import { parseResultSubject } from '../pictures/result-subject.ts';
import { type ActionHandler, type ActionResult, type SubmissionResult, say } from './action.ts';
import {
	type CommandDescriptions,
	chosenPicture,
	composition,
	fieldsOf,
	pictureChoice,
	privateDefault,
	separateFiles,
} from './form-fields.ts';

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
