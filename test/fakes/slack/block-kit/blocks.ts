import { z } from 'zod';
import type { Block, Json } from '../world/model.ts';
import { imageElement, inActions, inContextActions, inInput, inSection } from './elements.ts';
import { blockId, image, plain, type slackFile, text } from './objects.ts';

/** https://docs.slack.dev/reference/block-kit/blocks */

const base = { block_id: blockId.optional() };

const actions = z.strictObject({ type: z.literal('actions'), ...base, elements: z.array(inActions).min(1).max(25) });
const context = z.strictObject({
	type: z.literal('context'),
	...base,
	elements: z
		.array(z.union([imageElement, text(2000)]))
		.min(1)
		.max(10),
});
const contextActions = z.strictObject({
	type: z.literal('context_actions'),
	...base,
	elements: z.array(inContextActions).min(1).max(5),
});
const divider = z.strictObject({ type: z.literal('divider'), ...base });
const header = z.strictObject({
	type: z.literal('header'),
	...base,
	text: plain(150),
	level: z.number().int().min(1).max(4).optional(),
});
const imageBlock = z
	.strictObject({ type: z.literal('image'), ...base, ...image, title: plain(2000).optional() })
	.superRefine((value, context) => {
		if ((value.image_url === undefined) === (value.slack_file === undefined))
			context.addIssue({ code: 'custom', path: [], message: 'either image_url or slack_file' });
		if (value.slack_file && (value.slack_file.id === undefined) === (value.slack_file.url === undefined))
			context.addIssue({ code: 'custom', path: ['slack_file'], message: 'either id or url' });
	});
const markdown = z.strictObject({ type: z.literal('markdown'), ...base, text: z.string().min(1).max(12_000) });
const section = z
	.strictObject({
		type: z.literal('section'),
		...base,
		text: text(3000).optional(),
		fields: z.array(text(2000)).min(1).max(10).optional(),
		accessory: inSection.optional(),
		expand: z.boolean().optional(),
	})
	.refine((value) => value.text ?? value.fields, { message: 'text or fields' });
const input = z.strictObject({
	type: z.literal('input'),
	...base,
	label: plain(2000),
	element: inInput,
	hint: plain(2000).optional(),
	optional: z.boolean().optional(),
	dispatch_action: z.boolean().optional(),
});

const style = z.record(z.string(), z.boolean()).optional();
const richInline = z.discriminatedUnion('type', [
	z.strictObject({ type: z.literal('text'), text: z.string().min(1), style }),
	z.strictObject({ type: z.literal('link'), url: z.string().min(1), text: z.string().optional(), style }),
	z.strictObject({ type: z.literal('user'), user_id: z.string(), style }),
	z.strictObject({ type: z.literal('channel'), channel_id: z.string(), style }),
	z.strictObject({ type: z.literal('usergroup'), usergroup_id: z.string(), style }),
	z.strictObject({ type: z.literal('broadcast'), range: z.enum(['here', 'channel', 'everyone']), style }),
	z.strictObject({ type: z.literal('emoji'), name: z.string(), unicode: z.string().optional(), style }),
	z.strictObject({
		type: z.literal('date'),
		timestamp: z.number(),
		format: z.string(),
		url: z.string().optional(),
		fallback: z.string().optional(),
		style,
	}),
]);
const richSection = z.strictObject({ type: z.literal('rich_text_section'), elements: z.array(richInline) });
const border = { border: z.number().int().min(0).max(1).optional() };
const richText = z.strictObject({
	type: z.literal('rich_text'),
	...base,
	elements: z
		.array(
			z.discriminatedUnion('type', [
				richSection,
				z.strictObject({
					type: z.literal('rich_text_list'),
					style: z.enum(['bullet', 'ordered']),
					elements: z.array(richSection),
					indent: z.number().int().min(0).max(8).optional(),
					offset: z.number().int().min(0).optional(),
					...border,
				}),
				z.strictObject({ type: z.literal('rich_text_quote'), elements: z.array(richInline), ...border }),
				z.strictObject({
					type: z.literal('rich_text_preformatted'),
					elements: z.array(richInline),
					language: z.string().optional(),
					...border,
				}),
			]),
		)
		.min(1),
});

const shared = [actions, context, contextActions, divider, header, imageBlock, markdown, section, richText] as const;
const anywhere = z.discriminatedUnion('type', [...shared, input]);

/** @param max 50 in messages, 100 in forms and on home pages */
const blocksOf = (max: number, min = 0) => z.array(anywhere).min(min).max(max).superRefine(unique);

/** Block ids come once in all, action ids once in each block. */
function unique(blocks: readonly Json[], context: z.core.$RefinementCtx): void {
	const ids = blocks.flatMap(({ block_id }) => (block_id === undefined ? [] : [block_id]));
	if (new Set(ids).size < ids.length)
		context.addIssue({ code: 'custom', path: [], message: '`block_id` already exists' });
	for (const [index, block] of blocks.entries()) {
		const elements = (block['elements'] ?? []) as Json[];
		const actions = elements.flatMap(({ action_id }) => (action_id === undefined ? [] : [action_id]));
		if (new Set(actions).size < actions.length)
			context.addIssue({ code: 'custom', path: [index, 'elements'], message: '`action_id` already exists' });
	}
}

export const messageBlocks = blocksOf(50);

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

/** As Slack words it: `[ERROR] must be less than 76 characters [json-pointer:/blocks/0/elements/0/text/text]`. */
export const schemaErrors = ({ issues }: z.core.$ZodError, under = ''): string[] =>
	issues.map(({ message, path }) => `[ERROR] ${message} [json-pointer:${[under, ...path].join('/')}]`);

/** The images in blocks, in order, with the files that they name. */
export function imagesIn(blocks: readonly Block[]): { file: z.infer<typeof slackFile> | undefined; alt: string }[] {
	return blocks.flatMap((block) => {
		const inner = [block, block['accessory'], ...((block['elements'] ?? []) as unknown[])] as (Json | undefined)[];
		return inner
			.filter((one) => one?.['type'] === 'image')
			.map((one) => ({
				file: one?.['slack_file'] as z.infer<typeof slackFile> | undefined,
				alt: String(one?.['alt_text'] ?? ''),
			}));
	});
}
