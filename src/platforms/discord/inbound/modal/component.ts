import { type APIComponentInLabel, ComponentType, SelectMenuDefaultValueType, TextInputStyle } from 'discord.js';
import type { Field } from '../../../../domain/command.ts';
import { oneLine } from '../../../../domain/text.ts';
import type { Translate } from '../../../../i18n/translator.ts';
import { channelTypesOf } from '../../api/channel-types.ts';
import { customIdOf } from './custom-id.ts';
import type { Input } from './input.ts';

/** https://docs.discord.com/developers/components/reference#text-input and #string-select */
const MAX_PLACEHOLDER = 100;
const MAX_INPUT_TEXT = 4000;
const MAX_SELECT_OPTIONS = 25;
const MAX_OPTION_LABEL = 100;

/** More options than these are shown as a select menu. */
const MAX_RADIO_OPTIONS = 5;

const SNOWFLAKE = /^\d{17,20}$/;

/** Texts that may be longer than this get an input of several lines. */
const MAX_SHORT_TEXT = 100;

type FieldOf<Kind extends Field['kind']> = Extract<Field, { kind: Kind }>;

/** @param value the initial value */
export function componentOf(t: Translate, input: Input, value: unknown): APIComponentInLabel {
	const [field] = input;
	const { required } = field;
	const custom_id = customIdOf([field.name]);
	switch (field.kind) {
		case 'text':
			return textInput(field, value);
		case 'choice':
			return singleChoice(t, field, field.choices, value);
		case 'choices':
			return {
				type: ComponentType.StringSelect,
				custom_id: customIdOf([field.name], true),
				required,
				options: optionsOf(t, field.choices, value, field.labels),
				min_values: field.min,
				max_values: field.max,
			};
		case 'integer':
			return integerInput(t, field, value);
		case 'flag':
			return { type: ComponentType.Checkbox, custom_id, ...(value === true && { default: true }) };
		case 'picture':
			return fileUpload(input);
		case 'person':
			return {
				type: ComponentType.UserSelect,
				custom_id,
				required,
				...selected(SelectMenuDefaultValueType.User, value),
			};
		case 'channel': {
			const channel_types = channelTypesOf(field);
			return {
				type: ComponentType.ChannelSelect,
				custom_id,
				required,
				...(channel_types && { channel_types }),
				...selected(SelectMenuDefaultValueType.Channel, value),
			};
		}
		case 'role':
			return {
				type: ComponentType.RoleSelect,
				custom_id,
				required,
				...selected(SelectMenuDefaultValueType.Role, value),
			};
	}
}

function textInput(
	{ name, required, minLength, maxLength, suggestions }: FieldOf<'text'>,
	value: unknown,
): APIComponentInLabel {
	return {
		type: ComponentType.TextInput,
		custom_id: customIdOf([name]),
		required,
		style: maxLength > MAX_SHORT_TEXT ? TextInputStyle.Paragraph : TextInputStyle.Short,
		...(minLength > 0 && { min_length: minLength }),
		// A text that was refused for its length stays whole, to be shortened.
		max_length: Math.min(Math.max(maxLength, String(value ?? '').length), MAX_INPUT_TEXT),
		...initialText(value, MAX_INPUT_TEXT),
		...(suggestions.length > 0 && { placeholder: oneLine(suggestions.join(', '), MAX_PLACEHOLDER) }),
	};
}

function integerInput(t: Translate, field: FieldOf<'integer'>, value: unknown): APIComponentInLabel {
	const { name, required, min, max } = field;
	if (max - min < MAX_SELECT_OPTIONS) {
		const integers = Array.from({ length: max - min + 1 }, (_, index) => String(min + index));
		return singleChoice(t, field, integers, value);
	}
	return {
		type: ComponentType.TextInput,
		custom_id: customIdOf([name]),
		required,
		style: TextInputStyle.Short,
		placeholder: oneLine(t('discord.form.range', { min, max }), MAX_PLACEHOLDER),
		...initialText(value, MAX_INPUT_TEXT),
	};
}

const fileUpload = (input: Input): APIComponentInLabel => ({
	type: ComponentType.FileUpload,
	custom_id: customIdOf(input.map(({ name }) => name)),
	required: input.some(({ required }) => required),
	min_values: input.filter(({ required }) => required).length,
	max_values: input.length,
	file_types: ['image'],
});

function singleChoice(
	t: Translate,
	{ name, required }: Field,
	values: readonly string[],
	value: unknown,
): APIComponentInLabel {
	const options = optionsOf(t, values, value);
	const custom_id = customIdOf([name]);
	return options.length >= 2 && options.length <= MAX_RADIO_OPTIONS
		? { type: ComponentType.RadioGroup, custom_id, required, options }
		: { type: ComponentType.StringSelect, custom_id, required, options };
}

/** The initial value of a select menu of people, channels or roles. */
const selected = <Type extends SelectMenuDefaultValueType>(type: Type, value: unknown) =>
	typeof value === 'string' && SNOWFLAKE.test(value) ? { default_values: [{ id: value, type }] } : {};

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

/** A text that is too long is left out rather than cut. */
const initialText = (value: unknown, max: number) =>
	value !== undefined && String(value).length <= max ? { value: String(value) } : {};
