import { randomUUID } from 'node:crypto';
import { type types, type ViewOutput, webApi } from '@slack/bolt';
import type { Keyv } from 'keyv';
import { type Field, type Form, formKeyOf } from '../../../domain/command.ts';
import type { Place } from '../../../domain/place.ts';
import { oneLine } from '../../../domain/text.ts';
import { PlatformRefusedError } from '../../../i18n/sentence-error.ts';
import type { Translate } from '../../../i18n/translator.ts';
import type { Calls } from '../api/calls.ts';
import { codeOf, refusedErrorOf } from '../api/slack-errors.ts';

/** https://docs.slack.dev/reference/views/modal-views */
const MAX_METADATA = 3000;
/** The time that a form can stay open. */
const TTL_MS = 24 * 3600 * 1000;

/** Pictures that a form shows. */
const MAX_PICTURES = 10;
/** Errors of a form with pictures that Slack cannot show. https://docs.slack.dev/reference/methods/views.open#errors */
const PICTURE_ERRORS: ReadonlySet<string | undefined> = new Set([
	'invalid_arguments',
	'invalid_blocks',
	'view_too_large',
]);

/** The request that a form belongs to. Slack returns it with the submission, in the form's metadata. */
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

/** Metadata of a form whose state is in the store. */
type KeptState = { kept: string; id: string };

/** Translates an open form. Its answers so far stay. */
export type TranslateForm = (t: Translate) => Promise<void>;

/** Opens forms as modals. Their state is in the modal's metadata, or in the store if it is too long for that. */
export class Forms {
	readonly #calls: Calls;
	readonly #keyv: Keyv;

	constructor({ calls, keyv }: { calls: Calls; keyv: Keyv }) {
		this.#calls = calls;
		this.#keyv = keyv;
	}

	/**
	 * Opens a form for the person who acted.
	 *
	 * @param triggerId Slack's permission to open one form within three seconds of the action
	 * @param shown ids of the pictures to show: those to choose from, or the one that the form is about
	 * @throws PlatformRefusedError when Slack does not open it
	 */
	async open(
		{ server, person }: { server: string; person: string },
		triggerId: string,
		form: Omit<Form, 'id'>,
		about: Omit<FormState, 'least' | 'command'>,
		t: Translate,
		shown: readonly string[] = [],
	): Promise<TranslateForm> {
		const state = JSON.stringify({ ...about, command: form.command, least: minimums(form) } satisfies FormState);
		const id = randomUUID();
		const key = formKeyOf(`form:${server}:${person}`, id);
		const isLong = state.length > MAX_METADATA;
		const metadata = isLong ? JSON.stringify({ kept: key, id } satisfies KeptState) : state;
		const pictures = shown.slice(0, MAX_PICTURES);
		try {
			const client = await this.#calls.of(server);
			const stored = isLong ? this.#keyv.set(key, { id, state }, TTL_MS) : undefined;
			// In parallel, because the trigger expires while the store is slow.
			const [translate] = await Promise.all([openModal(client, triggerId, form, metadata, pictures, t), stored]);
			return translate;
		} catch (error) {
			// The trigger expires before the call may be repeated.
			if (error instanceof webApi.WebAPIRateLimitedError)
				throw new PlatformRefusedError('slack.errors.formExpired', undefined, { cause: error });
			throw refusedErrorOf(error);
		}
	}

	/** Returns the state of a submitted form; undefined when it is no longer stored. */
	async stateOf({ private_metadata }: Pick<ViewOutput, 'private_metadata'>): Promise<FormState | undefined> {
		const metadata = JSON.parse(private_metadata || '{}') as FormState | KeptState;
		if (!('kept' in metadata)) return 'command' in metadata ? metadata : undefined;
		const stored = await this.#keyv.get<{ id: string; state: string }>(metadata.kept);
		return stored?.id && stored.id === metadata.id ? (JSON.parse(stored.state) as FormState) : undefined;
	}
}

const minimums = ({ fields }: Pick<Form, 'fields'>): Record<string, number> =>
	Object.fromEntries(fields.flatMap((field) => (field.kind === 'choices' ? [[field.name, field.min]] : [])));

/** Returns whether a form asks for pictures of its message. */
export const choosesPictures = ({ fields }: Pick<Form, 'fields'>): boolean =>
	fields.some(({ name, kind }) => name === 'which' && (kind === 'choice' || kind === 'choices'));

/** Opens the modal with its pictures, or without them if Slack cannot show one, such as WebP. */
async function openModal(
	client: webApi.WebClient,
	triggerId: string,
	form: Omit<Form, 'id'>,
	metadata: string,
	pictures: readonly string[],
	t: Translate,
): Promise<TranslateForm> {
	try {
		const { view } = await client.views.open({ trigger_id: triggerId, view: modalOf(form, metadata, t, pictures) });
		return async (own) => {
			if (!view?.id) return;
			await client.views.update({ view_id: view.id, view: modalOf(form, metadata, own, pictures) });
		};
	} catch (error) {
		if (pictures.length === 0 || !PICTURE_ERRORS.has(codeOf(error))) throw error;
		return openModal(client, triggerId, form, metadata, [], t);
	}
}

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

/** https://docs.slack.dev/reference/block-kit/blocks/input-block */
const MAX_LABEL = 150;
/** https://docs.slack.dev/reference/block-kit/block-elements/plain-text-input-element */
const MAX_INPUT_TEXT = 3000;
const MAX_PLACEHOLDER = 150;
/** https://docs.slack.dev/reference/block-kit/composition-objects/option-object */
const MAX_OPTION = 75;
const MAX_OPTIONS = 100;

/** Longer texts get an input of several lines. */
const MAX_ONE_LINE = 100;

/** The file types of pictures that the service accepts. */
const PICTURE_TYPES = ['png', 'jpg', 'jpeg', 'webp', 'gif'];

type FieldOf<Kind extends Field['kind']> = Extract<Field, { kind: Kind }>;

/** Returns plain text of at most `max` characters. */
const plainText = (text: string, max = Number.POSITIVE_INFINITY): types.PlainTextElement => ({
	type: 'plain_text',
	text: oneLine(text, max),
	emoji: true,
});

/** Returns the input block of a field. */
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
			const options = optionsOf(field.choices, t);
			const initial = options.find((option) => option.value === given);
			return { type: 'static_select', action_id, options, ...(initial && { initial_option: initial }) };
		}
		case 'choices':
			return choicesElement(field, value, t);
		case 'flag': {
			const options = [{ text: plainText(t('slack.form.yes')), value: 'true' }];
			const isTicked = value === true || (given !== undefined && /^(?:true|yes)$/i.test(given));
			return { type: 'checkboxes', action_id, options, ...(isTicked && { initial_options: options }) };
		}
		case 'picture':
			return { type: 'file_input', action_id, filetypes: PICTURE_TYPES, max_files: 1 };
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

const textElement = (field: FieldOf<'text'>, given: string | undefined): types.PlainTextInput => ({
	type: 'plain_text_input',
	action_id: field.name,
	multiline: field.maxLength > MAX_ONE_LINE,
	...(field.minLength > 0 && { min_length: field.minLength }),
	// A text that was refused for its length stays whole, to be shortened.
	max_length: Math.min(Math.max(maxLengthOf(field), given?.length ?? 0), MAX_INPUT_TEXT),
	...(given && given.length <= MAX_INPUT_TEXT && { initial_value: given }),
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

function choicesElement(
	{ name, choices, labels, max }: FieldOf<'choices'>,
	value: unknown,
	t: Translate,
): types.MultiStaticSelect {
	const options = optionsOf(choices, t, labels);
	const given = Array.isArray(value) ? value.map(String) : [];
	const initial = given.flatMap((one) => options.filter((option) => option.value === one));
	return {
		type: 'multi_static_select',
		action_id: name,
		options,
		max_selected_items: max,
		...(initial.length > 0 && { initial_options: initial }),
	};
}

const maxLengthOf = ({ maxLength }: FieldOf<'text'>) => Math.min(maxLength, MAX_INPUT_TEXT);

const optionsOf = (values: readonly string[], t: Translate, labels: Readonly<Record<string, string>> = {}) =>
	values
		.slice(0, MAX_OPTIONS)
		.map((value) => ({ text: plainText(labels[value] ?? t.nameOf(value), MAX_OPTION), value }));

const labelOf = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`;
