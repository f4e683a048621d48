import { z } from 'zod';

/** The elements of rich text. https://docs.slack.dev/reference/block-kit/blocks/rich-text-block */

const style = z.record(z.string(), z.boolean()).optional();
const richInline = z.discriminatedUnion('type', [
	z.strictObject({ type: z.literal('text'), text: z.string().min(1), style }),
	z.strictObject({ type: z.literal('link'), url: z.string().min(1), text: z.string().optional(), style }),
	z.strictObject({ type: z.literal('user'), user_id: z.string(), style }),
	z.strictObject({ type: z.literal('channel'), channel_id: z.string(), style }),
	z.strictObject({ type: z.literal('usergroup'), usergroup_id: z.string(), style }),
	z.strictObject({ type: z.literal('broadcast'), range: z.enum(['here', 'channel', 'everyone']), style }),
	z.strictObject({ type: z.literal('emoji'), name: z.string(), unicode: z.string().optional(), style }),
	z.strictObject({ type: z.literal('color'), value: z.string(), style }),
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
export const richTextElements = z
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
	.min(1);
