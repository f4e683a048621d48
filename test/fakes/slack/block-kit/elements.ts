import { z } from 'zod';
import { actionId, confirm, image, livelyOption, optionSource, plain, plainOption } from './objects.ts';

/** https://docs.slack.dev/reference/block-kit/block-elements */

const focusable = { focus_on_load: z.boolean().optional() };
const placeholder = { placeholder: plain(150).optional() };
const action = { action_id: actionId.optional(), confirm: confirm.optional() };
const selection = { ...action, ...focusable, ...placeholder };
const several = { max_selected_items: z.number().int().min(1).optional() };

const button = z.strictObject({
	type: z.literal('button'),
	text: plain(75),
	...action,
	value: z.string().max(2000).optional(),
	url: z.string().max(3000).optional(),
	style: z.enum(['primary', 'danger']).optional(),
	accessibility_label: z.string().max(75).optional(),
});

const imageElement = z.strictObject({ type: z.literal('image'), ...image });

type Chosen = { options?: unknown; option_groups?: unknown; initial_option?: unknown; initial_options?: unknown };
type Option = { value: string };

/** What is chosen at first is one of those offered, and each value comes once. */
function offered(value: Chosen, context: z.core.$RefinementCtx) {
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

const sourced = (value: Chosen, context: z.core.$RefinementCtx) => {
	if ((value.options === undefined) === (value.option_groups === undefined))
		context.addIssue({ code: 'custom', path: ['options'], message: 'either options or option_groups' });
	offered(value, context);
};

const staticSelect = z
	.strictObject({
		type: z.literal('static_select'),
		...selection,
		...optionSource,
		initial_option: plainOption.optional(),
	})
	.superRefine(sourced);
const multiStaticSelect = z
	.strictObject({
		type: z.literal('multi_static_select'),
		...selection,
		...several,
		...optionSource,
		initial_options: z.array(plainOption).min(1).optional(),
	})
	.superRefine(sourced);
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

const livelyOptions = z.array(livelyOption).min(1).max(10);
const checkboxes = z
	.strictObject({
		type: z.literal('checkboxes'),
		...action,
		...focusable,
		options: livelyOptions,
		initial_options: livelyOptions.optional(),
	})
	.superRefine(offered);
const radioButtons = z
	.strictObject({
		type: z.literal('radio_buttons'),
		...action,
		...focusable,
		options: livelyOptions,
		initial_option: livelyOption.optional(),
	})
	.superRefine(offered);
const overflow = z.strictObject({
	type: z.literal('overflow'),
	...action,
	options: z.array(plainOption).min(1).max(5),
});

const dispatch = {
	dispatch_action_config: z
		.strictObject({ trigger_actions_on: z.array(z.enum(['on_enter_pressed', 'on_character_entered'])).min(1) })
		.optional(),
};
const typed = { action_id: actionId.optional(), ...focusable, ...placeholder, ...dispatch };

const plainTextInput = z
	.strictObject({
		type: z.literal('plain_text_input'),
		...typed,
		multiline: z.boolean().optional(),
		min_length: z.number().int().min(0).max(3000).optional(),
		max_length: z.number().int().min(1).max(3000).optional(),
		initial_value: z.string().optional(),
	})
	.superRefine(({ initial_value, max_length = 3000 }, context) => {
		if ((initial_value?.length ?? 0) > max_length)
			context.addIssue({ code: 'custom', path: ['initial_value'], message: 'initial_value is longer than max_length' });
	});
const numberInput = z.strictObject({
	type: z.literal('number_input'),
	...typed,
	is_decimal_allowed: z.boolean(),
	min_value: z.string().optional(),
	max_value: z.string().optional(),
	initial_value: z.string().optional(),
});
/** https://docs.slack.dev/reference/block-kit/block-elements/file-input-element */
const fileInput = z.strictObject({
	type: z.literal('file_input'),
	action_id: actionId.optional(),
	filetypes: z
		.array(z.string().regex(/^[a-z0-9]+$/))
		.min(1)
		.optional(),
	max_files: z.number().int().min(1).max(10).optional(),
});
const datepicker = z.strictObject({
	type: z.literal('datepicker'),
	...selection,
	initial_date: z
		.string()
		.regex(/^\d{4}-\d\d-\d\d$/)
		.optional(),
});

const feedback = z.strictObject({
	text: plain(75),
	value: z.string().max(2000),
	accessibility_label: z.string().max(75).optional(),
});
const feedbackButtons = z.strictObject({
	type: z.literal('feedback_buttons'),
	action_id: actionId.optional(),
	positive_button: feedback,
	negative_button: feedback,
});
const iconButton = z.strictObject({
	type: z.literal('icon_button'),
	...action,
	icon: z.literal('trash'),
	text: plain(75),
	value: z.string().max(2000).optional(),
	accessibility_label: z.string().max(75).optional(),
	visible_to_user_ids: z.array(z.string()).optional(),
});

const choosing = [
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

export const inActions = z.discriminatedUnion('type', [button, overflow, ...choosing]);
export const inSection = z.discriminatedUnion('type', [button, overflow, imageElement, ...choosing]);
export const inContextActions = z.discriminatedUnion('type', [feedbackButtons, iconButton]);
export const inInput = z.discriminatedUnion('type', [plainTextInput, numberInput, fileInput, ...choosing]);
export { imageElement };
