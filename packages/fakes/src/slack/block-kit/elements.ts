import { z } from 'zod';
import { action, choosing, focusable, overflow, placeholder } from './menus.ts';
import { actionId, image, plain } from './objects.ts';

/** https://docs.slack.dev/reference/block-kit/block-elements */

const button = z.strictObject({
	type: z.literal('button'),
	text: plain(75),
	...action,
	value: z.string().max(2000).optional(),
	url: z.string().max(3000).optional(),
	style: z.enum(['primary', 'danger']).optional(),
	accessibility_label: z.string().max(75).optional(),
});

export const imageElement = z.strictObject({ type: z.literal('image'), ...image });

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

export const inActions = z.discriminatedUnion('type', [button, overflow, ...choosing]);
export const inSection = z.discriminatedUnion('type', [button, overflow, imageElement, ...choosing]);
export const inContextActions = z.discriminatedUnion('type', [feedbackButtons, iconButton]);
export const inInput = z.discriminatedUnion('type', [plainTextInput, numberInput, fileInput, ...choosing]);
