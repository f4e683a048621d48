import { z } from 'zod';
import { actionId, confirm, mrkdwnOption, optionSource, plain, plainOption } from './objects.ts';

/** Elements that people choose from. https://docs.slack.dev/reference/block-kit/block-elements */

export const focusable = { focus_on_load: z.boolean().optional() };
export const placeholder = { placeholder: plain(150).optional() };
export const action = { action_id: actionId.optional(), confirm: confirm.optional() };
const selection = { ...action, ...focusable, ...placeholder };
const several = { max_selected_items: z.number().int().min(1).optional() };

type WithOptions = { options?: unknown; option_groups?: unknown; initial_option?: unknown; initial_options?: unknown };
type Option = { value: string };

/** Requires that initial options are among the options, and that values are unique. */
function checkInitial(value: WithOptions, context: z.core.$RefinementCtx) {
	const groups = (value.option_groups ?? []) as { options: Option[] }[];
	const all = ((value.options as Option[] | undefined) ?? groups.flatMap(({ options }) => options)) as Option[];
	const values = all.map((one) => one.value);
	if (new Set(values).size < values.length)
		context.addIssue({ code: 'custom', path: ['options'], message: 'option values must be unique' });
	const chosen = [value.initial_option, ...((value.initial_options as unknown[] | undefined) ?? [])];
	for (const one of chosen)
		if (one !== undefined && !all.some((each) => JSON.stringify(each) === JSON.stringify(one)))
			context.addIssue({ code: 'custom', path: ['initial_option'], message: 'initial_option must be one of options' });
}

/** Requires either options or option groups. */
const checkSource = (value: WithOptions, context: z.core.$RefinementCtx) => {
	if ((value.options === undefined) === (value.option_groups === undefined))
		context.addIssue({ code: 'custom', path: ['options'], message: 'either options or option_groups' });
	checkInitial(value, context);
};

const staticSelect = z
	.strictObject({
		type: z.literal('static_select'),
		...selection,
		...optionSource,
		initial_option: plainOption.optional(),
	})
	.superRefine(checkSource);
const multiStaticSelect = z
	.strictObject({
		type: z.literal('multi_static_select'),
		...selection,
		...several,
		...optionSource,
		initial_options: z.array(plainOption).min(1).optional(),
	})
	.superRefine(checkSource);
const externalSelect = z.strictObject({
	type: z.literal('external_select'),
	...selection,
	initial_option: plainOption.optional(),
	min_query_length: z.number().int().optional(),
});
const usersSelect = z.strictObject({
	type: z.literal('users_select'),
	...selection,
	initial_user: z.string().optional(),
});
const multiUsersSelect = z.strictObject({
	type: z.literal('multi_users_select'),
	...selection,
	...several,
	initial_users: z.array(z.string()).optional(),
});
const channelsSelect = z.strictObject({
	type: z.literal('channels_select'),
	...selection,
	initial_channel: z.string().optional(),
	response_url_enabled: z.boolean().optional(),
});
const conversationsSelect = z.strictObject({
	type: z.literal('conversations_select'),
	...selection,
	initial_conversation: z.string().optional(),
	default_to_current_conversation: z.boolean().optional(),
	response_url_enabled: z.boolean().optional(),
	filter: z
		.strictObject({
			include: z.array(z.enum(['im', 'mpim', 'private', 'public'])).optional(),
			exclude_external_shared_channels: z.boolean().optional(),
			exclude_bot_users: z.boolean().optional(),
		})
		.optional(),
});

const mrkdwnOptions = z.array(mrkdwnOption).min(1).max(10);
const checkboxes = z
	.strictObject({
		type: z.literal('checkboxes'),
		...action,
		...focusable,
		options: mrkdwnOptions,
		initial_options: mrkdwnOptions.optional(),
	})
	.superRefine(checkInitial);
const radioButtons = z
	.strictObject({
		type: z.literal('radio_buttons'),
		...action,
		...focusable,
		options: mrkdwnOptions,
		initial_option: mrkdwnOption.optional(),
	})
	.superRefine(checkInitial);
export const overflow = z.strictObject({
	type: z.literal('overflow'),
	...action,
	options: z.array(plainOption).min(1).max(5),
});

const datepicker = z.strictObject({
	type: z.literal('datepicker'),
	...selection,
	initial_date: z
		.string()
		.regex(/^\d{4}-\d\d-\d\d$/)
		.optional(),
});

export const choosing = [
	staticSelect,
	externalSelect,
	usersSelect,
	channelsSelect,
	conversationsSelect,
	multiStaticSelect,
	multiUsersSelect,
	checkboxes,
	radioButtons,
	datepicker,
] as const;
