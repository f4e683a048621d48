import type { ViewOutput } from '@slack/bolt';
import type { Translate } from '../../../i18n/translator.ts';
import type { FileData } from '../inbound/uploads.ts';

/** https://docs.slack.dev/reference/block-kit/block-elements/file-input-element; what the service is sent is no larger, either. */
const MAX_FILE_BYTES = 10 * 1024 * 1024;

/** What somebody has filled in. */
export type FormAnswers = {
	/** By field names; what was left empty is left out. */
	values: Record<string, string | number | boolean | string[]>;
	files: Record<string, FileData>;
	/** What can't be taken, by the names of the inputs to show it at. */
	errors: Record<string, string>;
};

/** An input as it was shown, as far as it says what it takes. */
type Input = {
	type: string;
	block_id?: string;
	optional?: boolean;
	element?: {
		type: string;
		max_length?: number;
		min_value?: string;
		max_value?: string;
		max_selected_items?: number;
	};
};

type State = ViewOutput['state']['values'][string][string];

/**
 * Reads a form by what it looked like when it was sent. More files than an input takes go to the inputs that are empty.
 * @param least how many have to be chosen, by field names, which Slack has no word for
 */
export function readForm(
	{ blocks, state }: Pick<ViewOutput, 'blocks' | 'state'>,
	least: Readonly<Record<string, number>>,
	t: Translate,
): FormAnswers {
	const inputs = (blocks as Input[]).filter(({ type, block_id }) => type === 'input' && block_id !== undefined);
	const values: FormAnswers['values'] = {};
	const errors: FormAnswers['errors'] = {};
	const brought: [name: string, files: readonly FileData[]][] = [];
	for (const { block_id: name = '', element } of inputs) {
		const given = Object.values(state.values[name] ?? {})[0];
		if (element?.type === 'file_input') brought.push([name, (given?.files ?? []) as FileData[]]);
		const value = given && givenIn(given);
		if (value !== undefined) values[name] = value;
	}
	const files = spread(brought, errors, t);
	for (const input of inputs) {
		const { block_id: name = '', optional } = input;
		if (name in errors) continue;
		if (!(name in values) && !(name in files)) {
			if (!optional) errors[name] = t('errors.option.missing', { option: name });
			continue;
		}
		const fault = faultOf(input, values[name], files[name], least[name] ?? 1, t);
		if (fault !== undefined) errors[name] = fault;
	}
	return { values, files, errors };
}

function givenIn(given: State): FormAnswers['values'][string] | undefined {
	switch (given.type) {
		case 'plain_text_input':
			return given.value?.trim() ? given.value : undefined;
		case 'number_input':
			return given.value ? Number(given.value) : undefined;
		case 'static_select':
		case 'external_select':
			return given.selected_option?.value;
		case 'multi_static_select':
			return given.selected_options?.length ? given.selected_options.map(({ value }) => value) : undefined;
		case 'checkboxes':
			return given.selected_options?.length ? true : undefined;
		case 'users_select':
			return given.selected_user ?? undefined;
		case 'conversations_select':
			return given.selected_conversation ?? undefined;
		default:
			return undefined;
	}
}

/** Each file to a field of its own: the first of every input to that one, further ones to those that are empty. */
function spread(brought: readonly [string, readonly FileData[]][], errors: FormAnswers['errors'], t: Translate) {
	const files: Record<string, FileData> = {};
	for (const [name, [first]] of brought) if (first) files[name] = first;
	for (const [name, [, ...more]] of brought) {
		for (const file of more) {
			const empty = brought.find(([other]) => !(other in files));
			if (empty) files[empty[0]] = file;
			else
				errors[name] = t('slack.form.pictures', {
					most: brought.length,
				});
		}
	}
	return files;
}

function faultOf(
	{ block_id: option = '', element }: Input,
	value: FormAnswers['values'][string] | undefined,
	file: FileData | undefined,
	least: number,
	t: Translate,
): string | undefined {
	if (file && (file.size ?? 0) > MAX_FILE_BYTES)
		return t('slack.form.bytes', {
			megabytes: ((file.size ?? 0) / 1024 ** 2).toFixed(1),
		});
	if (typeof value === 'string' && element?.type === 'plain_text_input') {
		const { max_length: most = Number.POSITIVE_INFINITY } = element;
		const count = value.trim().length;
		if (count > most) return t('errors.option.length', { option, count, most });
	}
	if (typeof value === 'number') {
		const { min_value = '-Infinity', max_value = 'Infinity' } = element ?? {};
		const [least, most] = [Number(min_value), Number(max_value)];
		if (value < least) return t('errors.option.min', { option, least, given: value });
		if (value > most) return t('errors.option.max', { option, most, given: value });
	}
	if (Array.isArray(value)) {
		const { max_selected_items: most = value.length } = element ?? {};
		if (value.length < least || value.length > most) return t('slack.form.choices', { least, most });
	}
	return undefined;
}
