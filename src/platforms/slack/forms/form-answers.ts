import type { ViewOutput } from '@slack/bolt';
import { megabytes } from '../../../domain/text.ts';
import type { Translate } from '../../../i18n/translator.ts';
import type { SlackFile } from '../inbound/files.ts';

/** https://docs.slack.dev/reference/block-kit/block-elements/file-input-element. The service accepts no larger files, either. */
const MAX_FILE_BYTES = 10 * 1024 * 1024;

type Value = string | number | boolean | string[];

/** The answers to a form, by field names. */
export type FormAnswers = {
	/** Without fields that were left empty. */
	values: Record<string, Value>;
	files: Record<string, SlackFile>;
	/** Sentences that Slack shows at the inputs. */
	errors: Record<string, string>;
};

/** An input block of the submitted form, with the limits of its answer. */
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
 * Reads a submitted form. An input that holds several files passes the further ones on to empty inputs.
 *
 * @param least the minimum number of choices, by field names, which Block Kit has no property for
 */
export function readAnswers(
	{ blocks, state }: Pick<ViewOutput, 'blocks' | 'state'>,
	least: Readonly<Record<string, number>>,
	t: Translate,
): FormAnswers {
	const inputs = (blocks as Input[]).filter(({ type, block_id }) => type === 'input' && block_id !== undefined);
	const values: FormAnswers['values'] = {};
	const errors: FormAnswers['errors'] = {};
	const filesByInput: FilesByInput = [];
	for (const { block_id: name = '', element } of inputs) {
		const answer = Object.values(state.values[name] ?? {})[0];
		if (element?.type === 'file_input') filesByInput.push([name, (answer?.files ?? []) as SlackFile[]]);
		const value = answer && givenValue(answer);
		if (value !== undefined) values[name] = value;
	}
	const files = assignFiles(filesByInput, errors, t);
	for (const input of inputs) {
		const { block_id: name = '', optional } = input;
		if (name in errors) continue;
		if (!(name in values) && !(name in files)) {
			if (!optional) errors[name] = t('errors.option.missing', { option: name });
			continue;
		}
		const error = fileError(files[name], t) ?? valueError(input, values[name], least[name] ?? 1, t);
		if (error !== undefined) errors[name] = error;
	}
	return { values, files, errors };
}

/** Returns undefined for an input that was left empty. */
function givenValue(answer: State): Value | undefined {
	switch (answer.type) {
		case 'plain_text_input':
			return answer.value?.trim() ? answer.value : undefined;
		case 'number_input':
			return answer.value ? Number(answer.value) : undefined;
		case 'static_select':
		case 'external_select':
			return answer.selected_option?.value;
		case 'multi_static_select':
			return answer.selected_options?.length ? answer.selected_options.map(({ value }) => value) : undefined;
		case 'checkboxes':
			return answer.selected_options?.length ? true : undefined;
		case 'users_select':
			return answer.selected_user ?? undefined;
		case 'conversations_select':
			return answer.selected_conversation ?? undefined;
		default:
			return undefined;
	}
}

type FilesByInput = [name: string, files: readonly SlackFile[]][];

/** Assigns one file to each field: the first file of an input to its own field, the others to fields without files. */
function assignFiles(filesByInput: FilesByInput, errors: FormAnswers['errors'], t: Translate): FormAnswers['files'] {
	const assigned: FormAnswers['files'] = {};
	for (const [name, [first]] of filesByInput) if (first) assigned[name] = first;
	for (const [name, [, ...others]] of filesByInput) {
		for (const file of others) {
			const [empty] = filesByInput.find(([other]) => !(other in assigned)) ?? [];
			if (empty !== undefined) assigned[empty] = file;
			else errors[name] = t('slack.form.pictures', { most: filesByInput.length });
		}
	}
	return assigned;
}

function fileError(file: SlackFile | undefined, t: Translate): string | undefined {
	const { size = 0 } = file ?? {};
	if (size <= MAX_FILE_BYTES) return undefined;
	return t('errors.picture.bytes', { size: megabytes(size), most: megabytes(MAX_FILE_BYTES) });
}

function valueError(
	{ block_id: option = '', element }: Input,
	value: Value | undefined,
	leastChoices: number,
	t: Translate,
): string | undefined {
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
		if (value.length < leastChoices || value.length > most)
			return t('slack.form.choices', { least: leastChoices, most });
	}
	return undefined;
}
