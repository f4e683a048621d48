import type { types, ViewOutput } from '@slack/bolt';
import type { Place } from '../../../domain/channel.ts';
import type { Field, Form } from '../../../domain/command.ts';
import { PlatformRefusedError, type Translate } from '../../../i18n/translator.ts';
import { imageBlockOf, plainText, withoutMarkup } from '../api/blocks.ts';
import { hasCode, isRateLimited, orElse, refusedErrorOf } from '../api/slack-errors.ts';
import type { Slack } from '../slack.ts';
import type { SlackFile } from './files.ts';
import { withEmoji } from './message-reader.ts';

const MAX_PICTURES = 10;
/** https://docs.slack.dev/reference/block-kit/composition-objects/option-object */
export const MAX_OPTION = 75;
/** https://docs.slack.dev/reference/block-kit/block-elements/select-menu-element */
export const MAX_OPTIONS = 100;
/** Errors of a form with pictures that Slack cannot show. https://docs.slack.dev/reference/methods/views.open#errors */
const arePicturesRefused = hasCode('invalid_arguments invalid_blocks view_too_large');

/** Whether its trigger has opened a form before. */
const isOpen = hasCode('exchanged_trigger_id trigger_exchanged');

/**
 * The request that a form belongs to. Slack returns it with the submission, in the form's metadata, which has at most 3,000 characters.
 * https://docs.slack.dev/reference/views/modal-views
 */
export type FormState = {
	place: Place;
	command: string;
	/** The core's id of the form; undefined for the form of a command's options. */
	form?: string;
	/** The ids of the pictures of the message that the form was opened from. */
	attached?: readonly string[];
	/** The minimum number of choices, by field names. */
	least?: Readonly<Record<string, number>>;
	responseUrl?: string;
};

/**
 * Opens a form as a modal, without its pictures if Slack cannot show one, such as WebP.
 *
 * @param triggerId Slack's permission to open one form within three seconds of the action
 * @param shown ids of the pictures to show: those to choose from, or the one that the form is about
 * @throws PlatformRefusedError when Slack does not open it
 */
export async function openForm(
	{ call }: Slack,
	triggerId: string,
	form: Omit<Form, 'id'>,
	about: Omit<FormState, 'least' | 'command'>,
	t: Translate,
	shown: readonly string[] = [],
): Promise<void> {
	const choices = form.fields.flatMap((field) => (field.kind === 'choices' ? [[field.name, field.min] as const] : []));
	const state: FormState = { ...about, command: form.command, least: Object.fromEntries(choices) };
	// The trigger expires before the call may be repeated.
	const open = (pictures: readonly string[]): Promise<unknown> => {
		const view = modalOf(form, JSON.stringify(state), t, pictures);
		return call(about.place.server, 'views.open', { trigger_id: triggerId, view }, 0);
	};
	const pictures = shown.slice(0, MAX_PICTURES);
	const withPictures = (error: unknown) => pictures.length > 0 && arePicturesRefused(error);
	try {
		await open(pictures).catch(orElse(withPictures, () => open([])));
	} catch (error) {
		// The answer to an earlier try was lost: the form is open.
		if (isOpen(error)) return;
		if (isRateLimited(error)) throw new PlatformRefusedError('slack.errors.formExpired', undefined, { cause: error });
		throw refusedErrorOf(error);
	}
}

/** Returns the state of a submitted form; undefined for one that another version has opened, or that was opened in another workspace. */
export function formStateOf({ private_metadata }: ViewOutput, server: string): FormState | undefined {
	const state = JSON.parse(private_metadata || '{}') as Partial<FormState>;
	return state.command === undefined || state.place?.server !== server ? undefined : (state as FormState);
}

export const choosesPictures = ({ fields }: Pick<Form, 'fields'>): boolean =>
	fields.some(({ name, kind }) => name === 'which' && (kind === 'choice' || kind === 'choices'));

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
function modalOf(
	{ title, note, fields, values = {} }: Pick<Form, 'title' | 'note' | 'fields' | 'values'>,
	metadata: string,
	t: Translate,
	pictures: readonly string[],
): types.ModalView {
	const intro = note ? [{ type: 'section' as const, text: plainText(withoutMarkup(note), MAX_NOTE) }] : [];
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
			...pictures.map((file, index) =>
				imageBlockOf({ file, alt: numbers[index] ?? t('results.picture'), title: numbers[index] }),
			),
			...fields.map((field) => inputOf(field, values[field.name], t)),
		],
	};
}

/** https://docs.slack.dev/reference/block-kit/blocks/input-block */
const MAX_LABEL = 150;
/** https://docs.slack.dev/reference/block-kit/block-elements/plain-text-input-element */
const MAX_INPUT_TEXT = 3000;
const MAX_PLACEHOLDER = 150;

/** Longer texts get an input of several lines. */
const MAX_ONE_LINE = 100;

/** The file types of pictures that the service accepts. */
const PICTURE_TYPES = ['png', 'jpg', 'jpeg', 'webp', 'gif'];

const inputOf = (field: Field, value: unknown, t: Translate): types.InputBlock => ({
	type: 'input',
	block_id: field.name,
	label: plainText(labelOf(t.nameOf(field.name)), MAX_LABEL),
	hint: plainText(t.declared(field.description)),
	// A checkbox that is not ticked is an answer as well.
	optional: !field.required || field.kind === 'flag',
	element: elementOf(field, value, t),
});

function elementOf(field: Field, value: unknown, t: Translate): types.InputBlock['element'] {
	const action_id = field.name;
	const given = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
	switch (field.kind) {
		case 'text':
			return {
				type: 'plain_text_input',
				action_id,
				multiline: field.maxLength > MAX_ONE_LINE,
				min_length: field.minLength || undefined,
				// A text that was refused for its length stays whole, to be shortened.
				max_length: Math.min(Math.max(maxLengthOf(field), given.length), MAX_INPUT_TEXT),
				initial_value: given.length <= MAX_INPUT_TEXT && given !== '' ? given : undefined,
				...(field.suggestions.length > 0 && { placeholder: plainText(field.suggestions.join(', '), MAX_PLACEHOLDER) }),
			};
		case 'integer': {
			const { min, max } = field;
			const isValid = /^-?\d{1,15}$/.test(given) && Number(given) >= min && Number(given) <= max;
			const range = { is_decimal_allowed: false, min_value: String(min), max_value: String(max) };
			return { type: 'number_input', action_id, ...range, initial_value: isValid ? given : undefined };
		}
		case 'choice':
		case 'choices': {
			const labels = ('labels' in field && field.labels) || {};
			const options = field.choices.slice(0, MAX_OPTIONS).map((choice) => ({
				text: plainText(labels[choice] ?? t.nameOf(choice), MAX_OPTION),
				value: choice,
			}));
			const chosen = [value].flat().flatMap((one) => options.filter((option) => option.value === String(one)));
			if (field.kind === 'choice') return { type: 'static_select', action_id, options, initial_option: chosen[0] };
			const initial_options = chosen.length > 0 ? chosen : undefined;
			return { type: 'multi_static_select', action_id, options, max_selected_items: field.max, initial_options };
		}
		case 'flag': {
			const options = [{ text: plainText(t('slack.form.yes')), value: 'true' }];
			const isTicked = value === true || /^(?:true|yes)$/i.test(given);
			return { type: 'checkboxes', action_id, options, initial_options: isTicked ? options : undefined };
		}
		case 'picture':
			return { type: 'file_input', action_id, filetypes: PICTURE_TYPES, max_files: 1 };
		case 'person':
			return { type: 'users_select', action_id, initial_user: given || undefined };
		case 'channel': {
			const filter = { include: ['public' as const, 'private' as const], exclude_bot_users: true };
			return { type: 'conversations_select', action_id, filter, initial_conversation: given || undefined };
		}
		case 'role': {
			const placeholder = plainText(t('slack.form.choose'));
			const initial_option = given ? { text: plainText(given), value: given } : undefined;
			// Slack has no menu of user groups: it requests the options from the app.
			return { type: 'external_select', action_id, min_query_length: 0, placeholder, initial_option };
		}
	}
}

export const maxLengthOf = ({ maxLength }: { maxLength: number }) => Math.min(maxLength, MAX_INPUT_TEXT);

const labelOf = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`;

type Value = string | number | boolean | string[];

/** The answers to a form, by field names. */
export type FormAnswers = {
	/** Without fields that were left empty. */
	values: Record<string, Value>;
	files: Record<string, SlackFile>;
	/** Sentences that Slack shows at the inputs. */
	errors: Record<string, string>;
};

type Input = { type: string; block_id?: string; optional?: boolean; element?: { max_selected_items?: number } };

type Answer = ViewOutput['state']['values'][string][string];

/**
 * Reads a submitted form. Slack's client refuses texts, numbers and choices beyond the limits of their inputs itself.
 *
 * @param least the minimum number of choices, by field names, which Block Kit has no property for
 */
export function readAnswers(
	{ blocks, state }: Pick<ViewOutput, 'blocks' | 'state'>,
	least: Readonly<Record<string, number>>,
	t: Translate,
): FormAnswers {
	const answers: FormAnswers = { values: {}, files: {}, errors: {} };
	for (const { type, block_id: name, optional, element = {} } of blocks as Input[]) {
		if (type !== 'input' || name === undefined) continue;
		const [answer] = Object.values(state.values[name] ?? {});
		const file = answer?.files?.[0] as SlackFile | undefined;
		const value = answer && answerIn(answer);
		if (file) answers.files[name] = file;
		else if (value !== undefined) answers.values[name] = value;
		else if (!optional) answers.errors[name] = t('errors.option.missing', { option: name });
		const fewest = least[name] ?? 1;
		if (Array.isArray(value) && value.length < fewest)
			answers.errors[name] = t('slack.form.choices', { least: fewest, most: element.max_selected_items ?? fewest });
	}
	return answers;
}

/** Returns undefined for an input that was left empty. */
function answerIn(answer: Answer): Value | undefined {
	const { type, value, selected_option, selected_options, selected_user, selected_conversation } = answer;
	const chosen = (selected_options ?? []).map((option) => option.value);
	if (type === 'checkboxes') return chosen.length > 0 || undefined;
	if (type === 'multi_static_select') return chosen.length > 0 ? chosen : undefined;
	if (type === 'number_input') return value ? Number(value) : undefined;
	// Slack's clients have no menu of emoji there: people type their names.
	if (type === 'plain_text_input') return value?.trim() ? withEmoji(value) : undefined;
	return selected_option?.value ?? selected_user ?? selected_conversation ?? undefined;
}
