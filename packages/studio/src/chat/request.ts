import { z } from 'zod';
import { readJson } from '../http/body.ts';
import { parse, text } from '../http/fields.ts';
import { checkModel, model } from '../models.ts';
import type { Turn } from './talk.ts';

/** Includes pictures as data URLs in the parts of messages, which are counted but not looked at. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;
const MAX_MESSAGES = 1000;
const MAX_PARTS = 100;
/** Of one text of one message. */
const MAX_TEXT = 100_000;
const MAX_STOPS = 4;
const MAX_STOP = 500;

const ROLES = ['system', 'developer', 'user', 'assistant', 'tool'] as const;

const content = text(MAX_TEXT);

const part = z.discriminatedUnion(
	'type',
	[
		z.object({ type: z.literal('text'), text: content }),
		z.object({ type: z.literal('image_url'), image_url: z.object({ url: z.string() }) }),
	],
	{ error: 'A part of a message must be {type: "text", text} or {type: "image_url", image_url: {url}}.' },
);

const message = z
	.object({
		role: z.enum(ROLES),
		content: z
			.union([content.transform((text) => [{ type: 'text' as const, text }]), z.array(part).max(MAX_PARTS)])
			.nullish(),
	})
	.transform(({ role, content }): Turn => {
		const texts = (content ?? []).flatMap((part) => (part.type === 'text' ? part.text : []));
		return { role: roleOf(role), text: texts.join('\n'), images: (content?.length ?? 0) - texts.length };
	})
	.refine(({ role, text, images }) => role !== 'user' || text.trim() !== '' || images > 0, {
		params: { fault: 'must not be empty' },
	});

const stopText = z.string().min(1).max(MAX_STOP);

const tokens = z.int().min(1).max(1_000_000).nullish();

const schema = z.object({
	model: model.nullish(),
	messages: z.array(message).min(1).max(MAX_MESSAGES),
	stream: z.boolean().nullish(),
	stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
	max_tokens: tokens,
	max_completion_tokens: tokens,
	stop: z.union([stopText.transform((one) => [one]), z.array(stopText).max(MAX_STOPS)]).nullish(),
	n: z.literal(1, { error: 'n can only be 1: the same conversation always gets the same answer.' }).nullish(),
	response_format: z
		.object({ type: z.literal('text', { error: 'response_format can only be text: this chat writes no JSON.' }) })
		.nullish(),
});

export type ChatRequest = Awaited<ReturnType<typeof readChat>>;

/** @throws ApiError */
export async function readChat(request: Request) {
	const { messages, stop, ...rest } = parse(schema, await readJson(request, MAX_BODY_BYTES));
	return {
		model: checkModel(rest.model, 'chat'),
		turns: messages,
		stream: rest.stream === true,
		includeUsage: rest.stream_options?.include_usage === true,
		stop: stop ?? [],
		maxTokens: rest.max_completion_tokens ?? rest.max_tokens ?? Number.POSITIVE_INFINITY,
	};
}

/** `developer` is another name for `system`; a tool's answer is context, as instructions are. */
function roleOf(role: (typeof ROLES)[number]): Turn['role'] {
	return role === 'user' || role === 'assistant' ? role : 'system';
}
