import type { types } from '@slack/bolt';
import type { Form } from '../../../domain/command.ts';
import type { Translate } from '../../../i18n/translator.ts';
import { inputOf, plainText } from './modal-inputs.ts';

/** https://docs.slack.dev/reference/views/modal-views */
const MAX_TITLE = 24;
/** https://docs.slack.dev/reference/block-kit/blocks/section-block */
const MAX_NOTE = 3000;

/** The callback id of all forms. What a form is for is in its metadata. */
export const FORM_CALLBACK_ID = 'form';

/**
 * Returns a form as a modal, with one input block for each field. The field's name is the block's id.
 *
 * @param metadata is returned with the submission
 * @param pictures ids of files to show: those to choose from, with their numbers, the choices of `which`
 */
export function modalOf(
	{ title, note, fields, values = {} }: Pick<Form, 'title' | 'note' | 'fields' | 'values'>,
	metadata: string,
	t: Translate,
	pictures: readonly string[] = [],
): types.ModalView {
	const intro = note ? [{ type: 'section' as const, text: plainText(withoutMarkdown(note), MAX_NOTE) }] : [];
	const which = fields.find(({ name }) => name === 'which');
	const numbers = which && 'choices' in which ? which.choices : [];
	return {
		type: 'modal',
		callback_id: FORM_CALLBACK_ID,
		title: plainText(title, MAX_TITLE),
		submit: plainText(t('slack.form.submit'), MAX_TITLE),
		close: plainText(t('slack.form.cancel'), MAX_TITLE),
		private_metadata: metadata,
		blocks: [
			...intro,
			...pictures.map((file, index) => pictureBlock(file, numbers[index], t)),
			...fields.map((field) => inputOf(field, values[field.name], t)),
		],
	};
}

const pictureBlock = (file: string, number: string | undefined, t: Translate): types.ImageBlock => ({
	type: 'image',
	slack_file: { id: file },
	alt_text: number ?? t('results.picture'),
	...(number && { title: plainText(number) }),
});

const withoutMarkdown = (markdown: string) => markdown.replace(/\*\*|[`*_]/g, '').replace(/\\([!-/:-@[-`{-~])/g, '$1');
