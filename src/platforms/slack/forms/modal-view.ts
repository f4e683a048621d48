import type { types } from '@slack/bolt';
import type { Field, Form } from '../../../domain/command.ts';
import { clip } from '../../../domain/text.ts';
import type { Translate } from '../../../i18n/translator.ts';

/** https://docs.slack.dev/reference/views/modal-views and block-kit/blocks/input-block */
const MAX_TITLE = 24;
const MAX_LABEL = 150;
const MAX_NOTE = 3000;
/** https://docs.slack.dev/reference/block-kit/block-elements/plain-text-input-element and composition-objects/option-object */
const MAX_INPUT_TEXT = 3000;
const MAX_PLACEHOLDER = 150;
const MAX_OPTION = 75;
const MAX_OPTIONS = 100;

/** Longer texts get more than one line. */
const ONE_LINE = 100;

/** The endings of what the service is sent, and of what Slack offers to choose from. */
const PICTURE_ENDINGS = ['png', 'jpg', 'jpeg', 'webp', 'gif'];

/** The name of all our forms: what each is for stands in its metadata. */
export const FORM = 'form';

/**
 * A form as a modal: an input for every field, which carries its name, also as the block's.
 * @param metadata comes back with the submission
 * @param pictures files to choose from, which are shown under their numbers
 */
export function modalOf(
	{ title, note, fields, values = {} }: Pick<Form, 'title' | 'note' | 'fields' | 'values'>,
	metadata: string,
	t: Translate,
	pictures: readonly string[] = [],
): types.ModalView {
	const intro = note ? [{ type: 'section' as const, text: words(clip(unmarked(note), MAX_NOTE)) }] : [];
	return {
		type: 'modal',
		callback_id: FORM,
		title: words(clip(title, MAX_TITLE)),
		submit: words(clip(t('slack.form.submit'), MAX_TITLE)),
		close: words(clip(t('slack.form.cancel'), MAX_TITLE)),
		private_metadata: metadata,
		blocks: [...intro, ...pictures.map(shown), ...fields.map((field) => inputOf(field, values[field.name], t))],
	};
}

const shown = (file: string, index: number): types.ImageBlock => ({
	type: 'image',
	slack_file: { id: file },
	alt_text: String(index + 1),
	title: words(String(index + 1)),
});

/** What no form can be filled with to begin with, because it is too long. */
export function tooLongIn(
	fields: readonly Field[],
	values: Readonly<Record<string, unknown>>,
): { option: string; count: number; most: number } | undefined {
	for (const { name: option, ...field } of fields) {
		const value = values[option];
		if (field.kind !== 'text' || typeof value !== 'string') continue;
		const most = longest(field.maxLength);
		if (value.length > most) return { option, count: value.length, most };
	}
	return undefined;
}

const longest = (maxLength: number) => Math.min(maxLength, MAX_INPUT_TEXT);

function inputOf(field: Field, value: unknown, t: Translate): types.InputBlock {
	const { name, description, required, kind } = field;
	return {
		type: 'input',
		block_id: name,
		label: words(clip(titled(t.nameOf(name)), MAX_LABEL)),
		hint: words(t.declared(description)),
		// A box that is not ticked is an answer as well.
		optional: !required || kind === 'flag',
		element: elementOf(field, value, t),
	};
}

function elementOf(field: Field, value: unknown, t: Translate): types.InputBlock['element'] {
	const action_id = field.name;
	const given = typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
	switch (field.kind) {
		case 'text':
			return {
				type: 'plain_text_input',
				action_id,
				multiline: field.maxLength > ONE_LINE,
				...(field.minLength > 0 && { min_length: field.minLength }),
				max_length: longest(field.maxLength),
				...(given && { initial_value: given }),
				...(field.suggestions.length > 0 && {
					placeholder: words(clip(field.suggestions.join(', '), MAX_PLACEHOLDER)),
				}),
			};
		case 'integer': {
			const { min, max } = field;
			const fits = given !== undefined && /^-?\d{1,15}$/.test(given) && Number(given) >= min && Number(given) <= max;
			return {
				type: 'number_input',
				action_id,
				is_decimal_allowed: false,
				min_value: String(min),
				max_value: String(max),
				...(fits && { initial_value: given }),
			};
		}
		case 'choice': {
			const options = optionsOf(field.choices, t);
			const initial = options.find((option) => option.value === given);
			return { type: 'static_select', action_id, options, ...(initial && { initial_option: initial }) };
		}
		case 'choices': {
			const options = optionsOf(field.choices, t);
			const list = Array.isArray(value) ? value.map(String) : [];
			const initial = list.flatMap((one) => options.filter((option) => option.value === one));
			return {
				type: 'multi_static_select',
				action_id,
				options,
				max_selected_items: field.max,
				...(initial.length > 0 && { initial_options: initial }),
			};
		}
		case 'flag': {
			const options = [{ text: words(t('slack.form.yes')), value: 'true' }];
			const ticked = value === true || (given !== undefined && /^(?:true|yes)$/i.test(given));
			return { type: 'checkboxes', action_id, options, ...(ticked && { initial_options: options }) };
		}
		case 'picture':
			return { type: 'file_input', action_id, filetypes: PICTURE_ENDINGS, max_files: 1 };
		case 'person':
			return { type: 'users_select', action_id, ...(given && { initial_user: given }) };
		case 'channel':
			return {
				type: 'conversations_select',
				action_id,
				filter: { include: ['public', 'private'], exclude_bot_users: true },
				...(given && { initial_conversation: given }),
			};
		case 'role':
			// Slack has no list of user groups to choose from: it asks us for them.
			return {
				type: 'external_select',
				action_id,
				min_query_length: 0,
				placeholder: words(t('slack.form.choose')),
				...(given && { initial_option: { text: words(given), value: given } }),
			};
	}
}

const optionsOf = (values: readonly string[], t: Translate) =>
	values.slice(0, MAX_OPTIONS).map((value) => ({ text: words(clip(t.nameOf(value), MAX_OPTION)), value }));

const words = (text: string): types.PlainTextElement => ({ type: 'plain_text', text, emoji: true });

const titled = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`;

/** Forms have no Markdown. */
const unmarked = (markdown: string) => markdown.replace(/\*\*|[`*_]/g, '').replace(/\\([!-/:-@[-`{-~])/g, '$1');
