import { z } from 'zod';
import { blocksOf } from './blocks.ts';
import { plain } from './objects.ts';

/** https://docs.slack.dev/reference/views */
const viewBase = {
	blocks: blocksOf(100, 1),
	private_metadata: z.string().max(3000).optional(),
	callback_id: z.string().max(255).optional(),
	external_id: z.string().max(255).optional(),
};
const modal = z
	.strictObject({
		type: z.literal('modal'),
		title: plain(24),
		close: plain(24).optional(),
		submit: plain(24).optional(),
		clear_on_close: z.boolean().optional(),
		notify_on_close: z.boolean().optional(),
		submit_disabled: z.boolean().optional(),
		...viewBase,
	})
	.superRefine(({ submit, blocks }, context) => {
		if (!submit && blocks.some(({ type }) => type === 'input'))
			context.addIssue({ code: 'custom', path: ['submit'], message: 'submit is required where there are inputs' });
	});
export const view = z.discriminatedUnion('type', [modal, z.strictObject({ type: z.literal('home'), ...viewBase })]);
