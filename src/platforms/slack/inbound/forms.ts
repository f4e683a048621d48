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
	const { server } = about.place;
	const state: FormState = { ...about, command: form.command, least: minimums(form) };
	// The trigger expires before the call may be repeated.
	const open = (pictures: readonly string[]): Promise<unknown> =>
		call(server, 'views.open', { trigger_id: triggerId, view: modalOf(form, JSON.stringify(state), t, pictures) }, 0);
	const pictures = shown.slice(0, MAX_PICTURES);
	const withoutPictures = orElse(
		(error) => pictures.length > 0 && arePicturesRefused(error),
		() => open([]),
	);
	try {
		await open(pictures).catch(withoutPictures);
	} catch (error) {
		// The answer to an earlier try was lost: the form is open.
		if (isOpen(error)) return;
		if (isRateLimited(error)) throw new PlatformRefusedError('slack.errors.formExpired', undefined, { cause: error });
		throw refusedErrorOf(error);
	}
}

/** Returns the state of a submitted form; undefined for a form that another version has opened. */
export function formStateOf({ private_metadata }: Pick<ViewOutput, 'private_metadata'>): FormState | undefined {
	const state = JSON.parse(private_metadata || '{}') as Partial<FormState>;
	return state.command === undefined ? undefined : (state as FormState);
}

const minimums = ({ fields }: Pick<Form, 'fields'>): Record<string, number> =>
	Object.fromEntries(fields.flatMap((field) => (field.kind === 'choices' ? [[field.name, field.min]] : [])));

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

type FieldOf<Kind extends Field['kind']> = Extract<Field, { kind: Kind }>;

function inputOf(field: Field, value: unknown, t: Translate): types.InputBlock {
	const { name, description, required, kind } = field;
	return {
		type: 'input',
		block_id: name,
		label: plainText(labelOf(t.nameOf(name)), MAX_LABEL),
		hint: plainText(t.declared(description)),
		// A checkbox that is not ticked is an answer as well.
		optional: !required || kind === 'flag',
		element: elementOf(field, value, t),
	};
}

/** Returns the first value that is too long for a form to begin with. */
export function tooLongIn(
	fields: readonly Field[],
	values: Readonly<Record<string, unknown>>,
): { option: string; count: number; most: number } | undefined {
	for (const field of fields) {
		const value = values[field.name];
		if (field.kind !== 'text' || typeof value !== 'string') continue;
		const most = maxLengthOf(field);
		if (value.length > most) return { option: field.name, count: value.length, most };
	}
	return undefined;
}

function elementOf(field: Field, value: unknown, t: Translate): types.InputBlock['element'] {
	const action_id = field.name;
	const given = typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
	switch (field.kind) {
		case 'text':
			return textElement(field, given);
		case 'integer':
			return numberElement(field, given);
		case 'choice': {
			const { options, chosen } = choicesOf(field, value, t);
			return { type: 'static_select', action_id, options, initial_option: chosen[0] };
		}
		case 'choices': {
			const { options, chosen } = choicesOf(field, value, t);
			const initial = chosen.length > 0 && { initial_options: chosen };
			return { type: 'multi_static_select', action_id, options, max_selected_items: field.max, ...initial };
		}
		case 'flag': {
			const options = [{ text: plainText(t('slack.form.yes')), value: 'true' }];
			const isTicked = value === true || (given !== undefined && /^(?:true|yes)$/i.test(given));
			return { type: 'checkboxes', action_id, options, ...(isTicked && { initial_options: options }) };
		}
		case 'picture':
			return { type: 'file_input', action_id, filetypes: PICTURE_TYPES, max_files: 1 };
		case 'person':
			return { type: 'users_select', action_id, initial_user: given };
		case 'channel':
			return {
				type: 'conversations_select',
				action_id,
				filter: { include: ['public', 'private'], exclude_bot_users: true },
				initial_conversation: given,
			};
		case 'role':
			// Slack has no menu of user groups: it requests the options from the app.
			return {
				type: 'external_select',
				action_id,
				min_query_length: 0,
				placeholder: plainText(t('slack.form.choose')),
				...(given && { initial_option: { text: plainText(given), value: given } }),
			};
	}
}

const textElement = (field: FieldOf<'text'>, given = ''): types.PlainTextInput => ({
	type: 'plain_text_input',
	action_id: field.name,
	multiline: field.maxLength > MAX_ONE_LINE,
	min_length: field.minLength || undefined,
	// A text that was refused for its length stays whole, to be shortened.
	max_length: Math.min(Math.max(maxLengthOf(field), given.length), MAX_INPUT_TEXT),
	initial_value: given.length <= MAX_INPUT_TEXT && given !== '' ? given : undefined,
	...(field.suggestions.length > 0 && { placeholder: plainText(field.suggestions.join(', '), MAX_PLACEHOLDER) }),
});

function numberElement({ name, min, max }: FieldOf<'integer'>, given: string | undefined): types.NumberInput {
	const isValid = given !== undefined && /^-?\d{1,15}$/.test(given) && Number(given) >= min && Number(given) <= max;
	return {
		type: 'number_input',
		action_id: name,
		is_decimal_allowed: false,
		min_value: String(min),
		max_value: String(max),
		...(isValid && { initial_value: given }),
	};
}

/** Returns the options of a menu, and those that are chosen at first. */
function choicesOf(field: FieldOf<'choice' | 'choices'>, value: unknown, t: Translate) {
	const labels = ('labels' in field && field.labels) || {};
	const options = field.choices.slice(0, MAX_OPTIONS).map((choice) => ({
		text: plainText(labels[choice] ?? t.nameOf(choice), MAX_OPTION),
		value: choice,
	}));
	const chosen = [value].flat().flatMap((one) => options.filter((option) => option.value === String(one)));
	return { options, chosen };
}

const maxLengthOf = ({ maxLength }: FieldOf<'text'>) => Math.min(maxLength, MAX_INPUT_TEXT);

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
