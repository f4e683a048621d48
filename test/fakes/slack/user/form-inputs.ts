import type { Field, Form } from '../../../../src/domain/command.ts';
import { isFile, type Options } from '../../test-user.ts';
import type { Slack } from '../context.ts';
import { keepFile } from '../world/files.ts';
import type { Block, Json, User, View } from '../world/model.ts';
import { renderEventFile } from '../world/render.ts';
import { wordsOf } from './seen.ts';

export type Option = { value: string; text: { text: string } };
export type Input = { block: Block; element: Json & { type: string }; name: string };

/** The inputs of a form; each goes by its action's id. */
const inputsOf = ({ data }: View): Input[] =>
	data.blocks.flatMap((block) => {
		if (block.type !== 'input') return [];
		const element = block['element'] as Json & { type: string };
		return [{ block, element, name: String(element['action_id'] ?? block.block_id) }];
	});

/** A form as the core knows it. */
export function formOf(view: View): Form {
	const { data, id, team } = view;
	const note = wordsOf(data.blocks, team);
	const values = Object.fromEntries(inputsOf(view).flatMap((input) => beginningOf(view, input)));
	return {
		id,
		command: String(data['callback_id'] ?? ''),
		title: String((data['title'] as Json | undefined)?.['text'] ?? ''),
		fields: inputsOf(view).map(fieldOf),
		...(note && { note }),
		...(Object.keys(values).length > 0 && { values }),
	};
}

/** What an input begins with, or what was left in it, as the core knows it. */
function beginningOf(view: View, { block, element, name }: Input): [string, unknown][] {
	if (element.type === 'file_input') return [];
	const { type: _, ...kept } = view.state[block.block_id ?? '']?.[name] ?? {};
	const initial = Object.entries(element).find(([key]) => key.startsWith('initial_'))?.[1];
	const given = view.state[block.block_id ?? ''] ? Object.values(kept)[0] : initial;
	if (given === undefined || given === null) return [];
	if (element.type === 'number_input') return [[name, Number(given)]];
	if (element.type === 'checkboxes' && offeredBy(element).length === 1) return [[name, true]];
	if (Array.isArray(given)) return [[name, given.map((one) => (one as Option).value ?? one)]];
	return [[name, typeof given === 'object' ? (given as Option).value : given]];
}

function fieldOf({ block, element, name }: Input): Field {
	const base = {
		name,
		description: String((block['label'] as Json)['text']),
		required: block['optional'] !== true,
	};
	const offered = offeredBy(element).map(({ value }) => value);
	switch (element.type) {
		case 'static_select':
		case 'radio_buttons':
		case 'external_select':
			return { ...base, kind: 'choice', choices: offered };
		case 'checkboxes':
			if (offered.length === 1) return { ...base, required: false, kind: 'flag' };
			return { ...base, kind: 'choices', choices: offered, min: 0, max: offered.length };
		case 'multi_static_select':
			return {
				...base,
				kind: 'choices',
				choices: offered,
				min: base.required ? 1 : 0,
				max: Number(element['max_selected_items'] ?? offered.length),
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

function offeredBy(element: Json): Option[] {
	const groups = (element['option_groups'] ?? []) as { options: Option[] }[];
	return ((element['options'] as Option[] | undefined) ?? groups.flatMap(({ options }) => options)) as Option[];
}

/** Names that no input of the form has. Several pictures may share one, as `image1+image2` or a name without its number. */
export const strangers = (view: View, options: Options): string[] =>
	Object.keys(options).filter((name) => !inputsOf(view).some((input) => takes(input, name, options[name])));

function takes({ name, element }: Input, option: string, value: Options[string] | undefined): boolean {
	if (name === option) return true;
	if (element.type !== 'file_input' || !isFile(value)) return false;
	return name.split(/[+,]/).includes(option) || (Number(element['max_files'] ?? 10) > 1 && /^images?$/.test(name));
}

/** The inputs whose choices the application is asked for, and what somebody means to choose there. */
export const toBeSuggested = (view: View, options: Options): { input: Input; value: string }[] =>
	inputsOf(view).flatMap((input) => {
		const value = options[input.name];
		return input.element.type === 'external_select' && value !== undefined ? [{ input, value: String(value) }] : [];
	});

/**
 * What stands in the form once somebody has filled it in: `view.state.values`. Files are put on Slack before. What is not filled
 * in now stays as it was.
 * @param suggested what the application offers, by inputs' names
 */
export function filled(
	slack: Slack,
	view: View,
	user: User,
	options: Options,
	suggested: Readonly<Record<string, Option[]>> = {},
): View['state'] {
	const state: View['state'] = {};
	for (const input of inputsOf(view)) {
		const { name, block, element } = input;
		const given = Object.entries(options).filter(([option, value]) => takes(input, option, value));
		const values = given.map(([, value]) => value as Options[string]);
		const kept = given.length === 0 ? view.state[block.block_id ?? '']?.[name] : undefined;
		const offering = suggested[name] ? { ...element, options: suggested[name] } : element;
		state[block.block_id ?? ''] = {
			[name]: kept ?? { type: element.type, ...contentOf(slack, user, offering, values) },
		};
	}
	return state;
}

function contentOf(slack: Slack, user: User, element: Json & { type: string }, given: Options[string][]): Json {
	const first = given[0];
	const choose = (value: unknown): Option => {
		const found = offeredBy(element).find((one) => one.value === String(value) || one.text.text === String(value));
		if (!found) throw new Error(`${value} is not offered in this form`);
		return found;
	};
	switch (element.type) {
		case 'file_input': {
			const files = given.filter(isFile).map(({ name, bytes }) => keepFile(slack, user, name, bytes, true));
			return { files: files.map((file) => renderEventFile(slack, file)) };
		}
		case 'static_select':
		case 'radio_buttons':
		case 'external_select':
			return { selected_option: first === undefined ? (element['initial_option'] ?? null) : choose(first) };
		case 'checkboxes':
			if (offeredBy(element).length === 1 && first !== undefined)
				return { selected_options: first === true || first === 'true' ? offeredBy(element) : [] };
			return { selected_options: severalOf(first, choose) ?? element['initial_options'] ?? [] };
		case 'multi_static_select':
			return { selected_options: severalOf(first, choose) ?? element['initial_options'] ?? [] };
		case 'users_select':
			return { selected_user: first ?? element['initial_user'] ?? null };
		case 'channels_select':
			return { selected_channel: first ?? element['initial_channel'] ?? null };
		case 'conversations_select':
			return { selected_conversation: first ?? element['initial_conversation'] ?? null };
		case 'datepicker':
			return { selected_date: first ?? element['initial_date'] ?? null };
		default: {
			const value = first === undefined ? element['initial_value'] : String(first);
			return { value: value === undefined || value === '' ? null : value };
		}
	}
}

/** Several choices are a list, or written `1,2`. */
const severalOf = (given: Options[string] | undefined, choose: (value: unknown) => Option) =>
	given === undefined
		? undefined
		: (Array.isArray(given) ? given : String(given).split(',')).filter(Boolean).map(choose);

/** What Slack's own window would say to this instead of sending it, by block id. */
export function refusedFields(view: View, state: View['state']): Record<string, string> {
	const errors: Record<string, string> = {};
	for (const { block, element, name } of inputsOf(view)) {
		const id = block.block_id ?? '';
		const value = state[id]?.[name] ?? {};
		const { type: _, ...inside } = value;
		const content = Object.values(inside)[0];
		const empty = content === null || content === undefined || (Array.isArray(content) && content.length === 0);
		if (empty && block['optional'] !== true) errors[id] = 'Please complete this required field.';
		if (typeof content === 'string') {
			const {
				min_length: min = 0,
				max_length: max = 3000,
				min_value: least,
				max_value: most,
			} = element as Record<string, number>;
			if (content.length > max) errors[id] = `Must be at most ${max} characters.`;
			if (content.length < min) errors[id] = `Must be at least ${min} characters.`;
			if (least !== undefined && Number(content) < Number(least)) errors[id] = `Must be at least ${least}.`;
			if (most !== undefined && Number(content) > Number(most)) errors[id] = `Must be at most ${most}.`;
		}
		if (Array.isArray(content) && content.length > Number(element['max_files'] ?? 10)) errors[id] = 'Too many files.';
	}
	return errors;
}
