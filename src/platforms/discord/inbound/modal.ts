import {
	type APIAttachment,
	type APIComponentInLabel,
	type APILabelComponent,
	type APIModalInteractionResponseCallbackData,
	type APIModalSubmission,
	ComponentType,
	type ModalSubmitComponent,
	TextInputStyle,
} from 'discord.js';
import type { Field, Form } from '../../../domain/command.ts';
import type { Upload } from '../../../domain/reply.ts';
import { clip } from '../../../domain/text.ts';
import type { Translate } from '../../../i18n/translator.ts';

/** https://docs.discord.com/developers/components/reference and #label, #text-input, #radio-group, #string-select */
const MAX_INPUTS = 5;
const MAX_TITLE = 45;
const MAX_LABEL = 45;
const MAX_DESCRIPTION = 100;
const MAX_PLACEHOLDER = 100;
const MAX_INPUT_TEXT = 4000;
const MAX_SELECT = 25;

/** More than these are a list to fold out. */
const MAX_RADIO = 5;

/** Longer texts get more than one line. */
const ONE_LINE = 100;

/** Marks an input whose value is a list, though it may have one entry. */
const LIST = '[]';

/** One input of a modal: a field, or all its picture fields together, for one input takes several files. */
type Input = readonly [Field, ...Field[]];

/**
 * A form as a modal, which has room for five: the required inputs come first and then the others as they were declared; what
 * has no room is left out. A note that has no room stands in the place of the first text's description. All pictures share one
 * input, in which none can be there to begin with.
 */
export function modalOf(
	{ title, note, fields, values = {} }: Form,
	id: string,
	t: Translate,
): APIModalInteractionResponseCallbackData {
	const inputs = inputsOf(fields);
	const hasRoom = inputs.length < MAX_INPUTS;
	const intro = note && hasRoom ? [{ type: ComponentType.TextDisplay as const, content: note }] : [];
	const noted = hasRoom ? undefined : inputs.find(([{ kind }]) => kind === 'text');
	const labels = inputs.map((input) => labelOf(t, input, values, note && input === noted ? oneLine(note) : undefined));
	return { custom_id: id, title: clip(title, MAX_TITLE), components: [...intro, ...labels] };
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ');

function inputsOf(fields: readonly Field[]): Input[] {
	const pictures = fields.filter(({ kind }) => kind === 'picture');
	const [first, ...others] = pictures;
	const inputs = fields.flatMap((field): Input[] => {
		if (field.kind !== 'picture') return [[field]];
		return field === first ? [[field, ...others]] : [];
	});
	if (inputs.length <= MAX_INPUTS) return inputs;
	const isRequired = ([field, ...rest]: Input) => [field, ...rest].some(({ required }) => required);
	const kept = new Set(
		[...inputs.filter(isRequired), ...inputs.filter((input) => !isRequired(input))].slice(0, MAX_INPUTS),
	);
	return inputs.filter((input) => kept.has(input));
}

function labelOf(
	t: Translate,
	input: Input,
	values: Readonly<Record<string, unknown>>,
	note?: string,
): APILabelComponent {
	const [{ name, description }] = input;
	return {
		type: ComponentType.Label,
		label: clip(titled(input.map((field) => t.declared(field.name)).join(', ')), MAX_LABEL),
		description: clip(note ?? description, MAX_DESCRIPTION),
		component: componentOf(t, input, values[name]),
	};
}

/** @param value what is there to begin with */
function componentOf(t: Translate, input: Input, value: unknown): APIComponentInLabel {
	const [field] = input;
	const { name: custom_id, required } = field;
	switch (field.kind) {
		case 'text':
			return {
				type: ComponentType.TextInput,
				custom_id,
				required,
				style: field.maxLength > ONE_LINE ? TextInputStyle.Paragraph : TextInputStyle.Short,
				...(field.minLength > 0 && { min_length: field.minLength }),
				max_length: Math.min(field.maxLength, MAX_INPUT_TEXT),
				...textOf(value, Math.min(field.maxLength, MAX_INPUT_TEXT)),
				...(field.suggestions.length > 0 && { placeholder: clip(field.suggestions.join(', '), MAX_PLACEHOLDER) }),
			};
		case 'choice':
			return oneOf(t, custom_id, required, field.choices, value);
		case 'choices': {
			const options = optionsOf(t, field.choices, value);
			return {
				type: ComponentType.StringSelect,
				custom_id: `${custom_id}${LIST}`,
				required,
				options,
				min_values: field.min,
				max_values: field.max,
			};
		}
		case 'integer': {
			const { min, max } = field;
			if (max - min < MAX_SELECT)
				return oneOf(
					t,
					custom_id,
					required,
					Array.from({ length: max - min + 1 }, (_, index) => String(min + index)),
					value,
				);
			return {
				type: ComponentType.TextInput,
				custom_id,
				required,
				style: TextInputStyle.Short,
				placeholder: clip(t('{min} to {max}', { min, max }), MAX_PLACEHOLDER),
				...textOf(value, MAX_INPUT_TEXT),
			};
		}
		case 'flag':
			return { type: ComponentType.Checkbox, custom_id, ...(value === true && { default: true }) };
		case 'picture':
			return {
				type: ComponentType.FileUpload,
				custom_id: input.map(({ name }) => name).join('+'),
				required: input.some((one) => one.required),
				min_values: input.filter((one) => one.required).length,
				max_values: input.length,
				file_types: ['image'],
			};
		case 'person':
			return { type: ComponentType.UserSelect, custom_id, required };
		case 'channel':
			return { type: ComponentType.ChannelSelect, custom_id, required };
		case 'role':
			return { type: ComponentType.RoleSelect, custom_id, required };
	}
}

function oneOf(
	t: Translate,
	custom_id: string,
	required: boolean,
	values: readonly string[],
	value: unknown,
): APIComponentInLabel {
	const options = optionsOf(t, values, value);
	return options.length >= 2 && options.length <= MAX_RADIO
		? { type: ComponentType.RadioGroup, custom_id, required, options }
		: { type: ComponentType.StringSelect, custom_id, required, options };
}

function optionsOf(t: Translate, values: readonly string[], given: unknown) {
	const chosen = [given].flat().map(String);
	return values
		.slice(0, MAX_SELECT)
		.map((value) => ({ label: t.declared(value), value, ...(chosen.includes(value) && { default: true }) }));
}

/** What is too long to stand in the input is not shown cut. */
const textOf = (value: unknown, max: number) =>
	value !== undefined && String(value).length <= max ? { value: String(value) } : {};

const titled = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`;

/** What somebody filled in, by field names; what was left empty is left out. */
export function readModal(
	{ components, resolved }: Pick<APIModalSubmission, 'components' | 'resolved'>,
	uploadOf: (attachment: APIAttachment) => Upload,
): Record<string, unknown> {
	const options: Record<string, unknown> = {};
	for (const label of components) {
		if (label.type !== ComponentType.Label) continue;
		const { component } = label;
		if ('values' in component && component.custom_id.endsWith(LIST)) {
			if (component.values.length > 0) options[component.custom_id.slice(0, -LIST.length)] = component.values;
			continue;
		}
		const names = component.custom_id.split('+');
		for (const [index, value] of valuesOf(component).entries()) {
			const name = names[index];
			const attachment = component.type === ComponentType.FileUpload && resolved?.attachments?.[String(value)];
			if (name !== undefined) options[name] = attachment ? uploadOf(attachment) : value;
		}
	}
	return options;
}

function valuesOf(component: ModalSubmitComponent): readonly unknown[] {
	if ('values' in component) return component.values;
	return component.value === null || component.value === '' ? [] : [component.value];
}
