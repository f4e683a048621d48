import {
	type APIComponentInLabel,
	type APILabelComponent,
	type APIModalInteractionResponseCallbackData,
	type APIModalSubmission,
	ComponentType,
	type ModalSubmitComponent,
	SelectMenuDefaultValueType,
	TextInputStyle,
} from 'discord.js';
import type { Field, Form } from '../../../domain/command.ts';
import { oneLine } from '../../../domain/text.ts';
import type { Translate } from '../../../i18n/translator.ts';
import { channelTypesOf } from './command-options.ts';
import { attachmentData, type UploadOf } from './message-reader.ts';

/** https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-response-object-modal */
const MAX_TITLE = 45;

/** https://docs.discord.com/developers/components/reference#label */
const MAX_LABEL = 45;
const MAX_DESCRIPTION = 100;

/**
 * A form as a modal. Fields beyond the limit of five inputs are left out. The note is shown above the inputs, or as the description of
 * the first text input when there is no room above. All pictures share one input, which cannot be filled in advance.
 */
export function modalOf(
	{ title, note, fields, values = {} }: Form,
	customId: string,
	t: Translate,
): APIModalInteractionResponseCallbackData {
	const inputs = inputsOf(fields, values);
	const hasRoom = inputs.length < MAX_INPUTS;
	const intro = note && hasRoom ? [{ type: ComponentType.TextDisplay as const, content: note }] : [];
	const withNote = note && !hasRoom ? inputs.find(([{ kind }]) => kind === 'text') : undefined;
	const labels = inputs.map((input) => {
		const [{ name, description }] = input;
		const text = note && input === withNote ? note.replaceAll(/\s+/g, ' ') : description;
		return labelOf(t, input, text, values[name]);
	});
	return { custom_id: customId, title: oneLine(title, MAX_TITLE), components: [...intro, ...labels] };
}

const labelOf = (t: Translate, input: Input, description: string, value: unknown): APILabelComponent => ({
	type: ComponentType.Label,
	label: oneLine(titleOf(input.map(({ name }) => t.nameOf(name)).join(', ')), MAX_LABEL),
	description: oneLine(description, MAX_DESCRIPTION),
	component: componentOf(t, input, value),
});

const titleOf = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`;

/** https://docs.discord.com/developers/components/reference#label: a modal has at most five. */
const MAX_INPUTS = 5;

/** An input of a modal: one field, or all picture fields together, since one input takes several files. */
export type Input = readonly [Field, ...Field[]];

/**
 * The inputs for a form. If there are more than a modal can have, the required ones stay, then those with an initial value, then the
 * first ones.
 */
function inputsOf(fields: readonly Field[], values: Readonly<Record<string, unknown>> = {}): Input[] {
	const [first, ...others] = fields.filter(({ kind }) => kind === 'picture');
	const inputs = fields.flatMap((field): Input[] => {
		if (field.kind !== 'picture') return [[field]];
		return field === first ? [[field, ...others]] : [];
	});
	const hasValue = (input: Input) => input.some(({ name }) => values[name] !== undefined);
	const isRequired = (input: Input) => input.some(({ required }) => required);
	const byPriority = [...inputs.filter(isRequired), ...inputs.filter(hasValue), ...inputs];
	const shown = [...new Set(byPriority)].slice(0, MAX_INPUTS);
	return inputs.filter((input) => shown.includes(input));
}

/** https://docs.discord.com/developers/components/reference#text-input and #string-select */
const MAX_PLACEHOLDER = 100;
const MAX_INPUT_TEXT = 4000;
const MAX_SELECT_OPTIONS = 25;
const MAX_OPTION_LABEL = 100;

/**
 * The custom id of an input has the names of its fields: `prompt`, `image2+image3`, `which[]` for one whose value is a list, even of one
 * entry.
 */
const LIST = '[]';
const SEPARATOR = '+';

/** More options than these are shown as a select menu. */
const MAX_RADIO_OPTIONS = 5;

const SNOWFLAKE = /^\d{17,20}$/;

/** Texts that may be longer than this get an input of several lines. */
const MAX_SHORT_TEXT = 100;

/** The select menus of Discord's own lists. */
const SELECTS = {
	person: [ComponentType.UserSelect, SelectMenuDefaultValueType.User],
	channel: [ComponentType.ChannelSelect, SelectMenuDefaultValueType.Channel],
	role: [ComponentType.RoleSelect, SelectMenuDefaultValueType.Role],
} as const;

function componentOf(t: Translate, input: Input, value: unknown): APIComponentInLabel {
	const names = input.map(({ name }) => name);
	const [{ kind }] = input;
	const custom_id = names.join(SEPARATOR) + (kind === 'choices' ? LIST : '');
	// A checkbox is not asked for.
	const required = kind === 'flag' ? undefined : input.some((field) => field.required);
	return { custom_id, required, ...controlOf(t, input, value) } as APIComponentInLabel;
}

function controlOf(t: Translate, input: Input, value: unknown) {
	const [field] = input;
	switch (field.kind) {
		case 'text':
			return {
				...textInput(value),
				style: field.maxLength > MAX_SHORT_TEXT ? TextInputStyle.Paragraph : TextInputStyle.Short,
				...(field.minLength > 0 && { min_length: field.minLength }),
				// A text that was refused for its length stays whole, to be shortened.
				max_length: Math.min(Math.max(field.maxLength, String(value ?? '').length), MAX_INPUT_TEXT),
				...(field.suggestions.length > 0 && { placeholder: oneLine(field.suggestions.join(', '), MAX_PLACEHOLDER) }),
			};
		case 'choice':
			return singleChoice(optionsOf(t, field.choices, value));
		case 'choices': {
			const options = optionsOf(t, field.choices, value, field.labels);
			return { type: ComponentType.StringSelect, options, min_values: field.min, max_values: field.max };
		}
		case 'integer': {
			const { min, max } = field;
			if (max - min >= MAX_SELECT_OPTIONS)
				return { ...textInput(value), placeholder: oneLine(t('discord.form.range', { min, max }), MAX_PLACEHOLDER) };
			const integers = Array.from({ length: max - min + 1 }, (_, index) => String(min + index));
			return singleChoice(optionsOf(t, integers, value));
		}
		case 'flag':
			return { type: ComponentType.Checkbox, ...(value === true && { default: true }) };
		case 'picture': {
			const min_values = input.filter(({ required }) => required).length;
			return { type: ComponentType.FileUpload, min_values, max_values: input.length, file_types: ['image'] };
		}
		default: {
			const [type, listed] = SELECTS[field.kind];
			return {
				type,
				...(field.kind === 'channel' && { channel_types: channelTypesOf(field) }),
				...(typeof value === 'string' && SNOWFLAKE.test(value) && { default_values: [{ id: value, type: listed }] }),
			};
		}
	}
}

/** A value that is too long is left out rather than cut. */
const textInput = (value: unknown) => ({
	type: ComponentType.TextInput,
	style: TextInputStyle.Short,
	...(value !== undefined && String(value).length <= MAX_INPUT_TEXT && { value: String(value) }),
});

const singleChoice = (options: ReturnType<typeof optionsOf>) => ({
	type:
		options.length >= 2 && options.length <= MAX_RADIO_OPTIONS ? ComponentType.RadioGroup : ComponentType.StringSelect,
	options,
});

function optionsOf(
	t: Translate,
	values: readonly string[],
	initial: unknown,
	labels: Readonly<Record<string, string>> = {},
) {
	const selected = [initial].flat().map(String);
	return values.slice(0, MAX_SELECT_OPTIONS).map((value) => ({
		label: oneLine(labels[value] ?? t.nameOf(value), MAX_OPTION_LABEL),
		value,
		...(selected.includes(value) && { default: true }),
	}));
}

/** Reads the values of a submitted modal, by field names. Empty inputs are left out. */
export function readModal(
	{ components, resolved }: Pick<APIModalSubmission, 'components' | 'resolved'>,
	uploadOf: UploadOf,
): Record<string, unknown> {
	const options: Record<string, unknown> = {};
	for (const label of components) {
		if (label.type !== ComponentType.Label) continue;
		const { component } = label;
		const { custom_id: id } = component;
		const values = valuesOf(component).map((value) => {
			const attachment = component.type === ComponentType.FileUpload && resolved?.attachments?.[String(value)];
			return attachment ? uploadOf(attachmentData(attachment)) : value;
		});
		const names = (id.endsWith(LIST) ? id.slice(0, -LIST.length) : id).split(SEPARATOR);
		for (const [index, value] of (id.endsWith(LIST) && values.length > 0 ? [values] : values).entries()) {
			const name = names[index];
			if (name !== undefined) options[name] = value;
		}
	}
	return options;
}

function valuesOf(component: ModalSubmitComponent): readonly unknown[] {
	if ('values' in component) return component.values;
	return component.value === null || component.value === '' ? [] : [component.value];
}
