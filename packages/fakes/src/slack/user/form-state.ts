import { isFile, type Options } from '../../test-user.ts';
import type { Slack } from '../context.ts';
import { addFile } from '../world/files.ts';
import type { Block, Json, User, View } from '../world/model.ts';
import { renderEventFile } from '../world/render/files.ts';

export type Option = { value: string; text: { text: string } };
export type Input = { block: Block; element: Json & { type: string }; name: string };

/** Returns the inputs of a modal, named by their action ids. */
export const inputsOf = ({ data }: View): Input[] =>
	data.blocks.flatMap((block) => {
		if (block.type !== 'input') return [];
		const element = block['element'] as Json & { type: string };
		return [{ block, element, name: String(element['action_id'] ?? block.block_id) }];
	});

/** Returns the options of a menu. */
export function optionsOf(element: Json): Option[] {
	const groups = (element['option_groups'] ?? []) as { options: Option[] }[];
	return ((element['options'] as Option[] | undefined) ?? groups.flatMap(({ options }) => options)) as Option[];
}

/** Returns the options that no input accepts. Several pictures may share an input, named `image1+image2` or without their numbers. */
export const unknownOptions = (view: View, options: Options): string[] =>
	Object.keys(options).filter((name) => !inputsOf(view).some((input) => accepts(input, name, options[name])));

function accepts({ name, element }: Input, option: string, value: Options[string] | undefined): boolean {
	if (name === option) return true;
	if (element.type !== 'file_input' || !isFile(value)) return false;
	return name.split(/[+,]/).includes(option) || (Number(element['max_files'] ?? 10) > 1 && /^images?$/.test(name));
}

/** Returns the menus whose options the application supplies, with the value to choose. */
export const externalSelects = (view: View, options: Options): { input: Input; value: string }[] =>
	inputsOf(view).flatMap((input) => {
		const value = options[input.name];
		return input.element.type === 'external_select' && value !== undefined ? [{ input, value: String(value) }] : [];
	});

/**
 * Returns the state of a submission, `view.state.values`. Files are uploaded first. Other inputs keep their values.
 *
 * @param suggested the options that the application supplied, by the inputs' names
 */
export function submittedState(
	slack: Slack,
	view: View,
	user: User,
	options: Options,
	suggested: Readonly<Record<string, Option[]>> = {},
): View['state'] {
	const state: View['state'] = {};
	for (const input of inputsOf(view)) {
		const { name, block, element } = input;
		const given = Object.entries(options).filter(([option, value]) => accepts(input, option, value));
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
		const found = optionsOf(element).find((one) => one.value === String(value) || one.text.text === String(value));
		if (!found) throw new Error(`${value} is not an option of this form`);
		return found;
	};
	switch (element.type) {
		case 'file_input': {
			const files = given.filter(isFile).map((file) => addFile(slack, user, file, true));
			return { files: files.map((file) => renderEventFile(slack, file)) };
		}
		case 'static_select':
		case 'radio_buttons':
		case 'external_select':
			return { selected_option: first === undefined ? (element['initial_option'] ?? null) : choose(first) };
		case 'checkboxes':
			if (optionsOf(element).length === 1 && first !== undefined)
				return { selected_options: first === true || first === 'true' ? optionsOf(element) : [] };
			return { selected_options: chosenOf(first, choose) ?? element['initial_options'] ?? [] };
		case 'multi_static_select':
			return { selected_options: chosenOf(first, choose) ?? element['initial_options'] ?? [] };
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

/** Several choices are a list, or text such as `1,2`. */
const chosenOf = (given: Options[string] | undefined, choose: (value: unknown) => Option) =>
	given === undefined
		? undefined
		: (Array.isArray(given) ? given : String(given).split(',')).filter(Boolean).map(choose);

/** https://docs.slack.dev/reference/block-kit/block-elements/file-input-element */
const FILE_BYTES = 10_000_000;

/** Returns the errors with which Slack's client would refuse a submission, by block id. */
export function clientErrors(view: View, state: View['state']): Record<string, string> {
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
		const files = element.type === 'file_input' ? (content as { size?: number }[]) : [];
		if (files.some(({ size = 0 }) => size > FILE_BYTES)) errors[id] = 'Files must be at most 10 MB.';
		if (Array.isArray(content) && content.length > Number(element['max_files'] ?? 10)) errors[id] = 'Too many files.';
	}
	return errors;
}
