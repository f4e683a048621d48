import type { Field, Form } from '../../test-user.ts';
import type { Json, View } from '../world/model.ts';
import { type Input, inputsOf, type Option, optionsOf } from './form-state.ts';
import { textOfBlocks } from './visible.ts';

/** Returns a modal as the form that the core opened. */
export function formOf(view: View): Form {
	const { data, id, team } = view;
	const note = textOfBlocks(data.blocks, team);
	const values = Object.fromEntries(inputsOf(view).flatMap((input) => initialValue(view, input)));
	return {
		id,
		command: String(data['callback_id'] ?? ''),
		title: String((data['title'] as Json | undefined)?.['text'] ?? ''),
		fields: inputsOf(view).map(fieldOf),
		...(note && { note }),
		...(Object.keys(values).length > 0 && { values }),
	};
}

/** Returns the value of an input: of the last submission, else the initial one. */
function initialValue(view: View, { block, element, name }: Input): [string, unknown][] {
	if (element.type === 'file_input') return [];
	const { type: _, ...kept } = view.state[block.block_id ?? '']?.[name] ?? {};
	const initial = Object.entries(element).find(([key]) => key.startsWith('initial_'))?.[1];
	const given = view.state[block.block_id ?? ''] ? Object.values(kept)[0] : initial;
	if (given === undefined || given === null) return [];
	if (element.type === 'number_input') return [[name, Number(given)]];
	if (element.type === 'checkboxes' && optionsOf(element).length === 1) return [[name, true]];
	if (Array.isArray(given)) return [[name, given.map((one) => (one as Option).value ?? one)]];
	return [[name, typeof given === 'object' ? (given as Option).value : given]];
}

function fieldOf({ block, element, name }: Input): Field {
	const base = {
		name,
		description: String((block['label'] as Json)['text']),
		required: block['optional'] !== true,
	};
	const choices = optionsOf(element).map(({ value }) => value);
	switch (element.type) {
		case 'static_select':
		case 'radio_buttons':
		case 'external_select':
			return { ...base, kind: 'choice', choices };
		case 'checkboxes':
			if (choices.length === 1) return { ...base, required: false, kind: 'flag' };
			return { ...base, kind: 'choices', choices, min: 0, max: choices.length };
		case 'multi_static_select':
			return {
				...base,
				kind: 'choices',
				choices,
				labels: Object.fromEntries(optionsOf(element).map(({ text, value }) => [value, text.text])),
				min: base.required ? 1 : 0,
				max: Number(element['max_selected_items'] ?? choices.length),
			};
		case 'number_input':
			return { ...base, kind: 'integer', min: Number(element['min_value']), max: Number(element['max_value']) };
		case 'file_input':
			return { ...base, kind: 'picture' };
		case 'users_select':
			return { ...base, kind: 'person' };
		case 'channels_select':
		case 'conversations_select':
			return { ...base, kind: 'channel' };
		default:
			return {
				...base,
				kind: 'text',
				minLength: Number(element['min_length'] ?? 0),
				maxLength: Number(element['max_length'] ?? 3000),
				suggestions: [],
			};
	}
}
