import type { ViewOutput } from '@slack/bolt';
import type { Translate } from '../../../i18n/translator.ts';
import type { SlackFile } from '../inbound/files.ts';

type Value = string | number | boolean | string[];

/** The answers to a form, by field names. */
export type FormAnswers = {
	/** Without fields that were left empty. */
	values: Record<string, Value>;
	files: Record<string, SlackFile>;
	/** Sentences that Slack shows at the inputs. */
	errors: Record<string, string>;
};

/** The limits of an answer, as the element of its input has them. */
type Limits = { max_length?: number; min_value?: string; max_value?: string; max_selected_items?: number };

/** An input block of the submitted form. */
type Input = { type: string; block_id?: string; optional?: boolean; element?: Limits };

type Answer = ViewOutput['state']['values'][string][string];

/**
 * Reads a submitted form.
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
		const error = value === undefined ? undefined : limitError(name, value, element, least[name] ?? 1, t);
		if (error) answers.errors[name] = error;
	}
	return answers;
}

function limitError(option: string, value: Value, limits: Limits, fewest: number, t: Translate): string | undefined {
	if (Array.isArray(value)) {
		const { max_selected_items: most = value.length } = limits;
		return value.length < fewest || value.length > most ? t('slack.form.choices', { least: fewest, most }) : undefined;
	}
	if (typeof value === 'number') {
		const [least, most] = [Number(limits.min_value ?? '-Infinity'), Number(limits.max_value ?? 'Infinity')];
		if (value < least) return t('errors.option.min', { option, least, given: value });
		return value > most ? t('errors.option.max', { option, most, given: value }) : undefined;
	}
	const [count, most] = [String(value).trim().length, limits.max_length ?? Number.POSITIVE_INFINITY];
	return count > most ? t('errors.option.length', { option, count, most }) : undefined;
}

/** Returns undefined for an input that was left empty. */
function answerIn(answer: Answer): Value | undefined {
	const { type, value, selected_option, selected_options, selected_user, selected_conversation } = answer;
	const chosen = (selected_options ?? []).map((option) => option.value);
	if (type === 'checkboxes') return chosen.length > 0 || undefined;
	if (type === 'multi_static_select') return chosen.length > 0 ? chosen : undefined;
	if (type === 'number_input') return value ? Number(value) : undefined;
	if (type === 'plain_text_input') return value?.trim() ? value : undefined;
	return selected_option?.value ?? selected_user ?? selected_conversation ?? undefined;
}
