import { z } from 'zod';
import type { Block, Json } from '../world/model.ts';
import { imageElement, inActions, inContextActions, inInput, inSection } from './elements.ts';
import { blockId, image, plain, type slackFile, text } from './objects.ts';
import { richTextElements } from './rich-text.ts';

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

const richText = z.strictObject({ type: z.literal('rich_text'), ...base, elements: richTextElements });

const shared = [actions, context, contextActions, divider, header, imageBlock, markdown, section, richText] as const;
const anywhere = z.discriminatedUnion('type', [...shared, input]);

/** @param max 50 in messages, 100 in views */
export const blocksOf = (max: number, min = 0) => z.array(anywhere).min(min).max(max).superRefine(unique);

/** Requires that block ids are unique, and action ids within each block. */
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

/** Returns the errors in Slack's words: `[ERROR] must be less than 76 characters [json-pointer:/blocks/0/elements/0/text/text]`. */
export const schemaErrors = ({ issues }: z.core.$ZodError, under = ''): string[] =>
	issues.map(({ message, path }) => `[ERROR] ${message} [json-pointer:${[under, ...path].join('/')}]`);

/** Returns the images in blocks, in their order, with the files that they name. */
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
