import { randomUUID } from 'node:crypto';
import { ReadableStream } from 'node:stream/web';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { readJson } from '../http/body.ts';
import { parse, text } from '../http/fields.ts';
import { checkModel, model } from '../models.ts';
import type { Run } from '../workers.ts';
import type { Turn } from './talk.ts';
import { cut, type Ending } from './tokens.ts';

type Options = {
	read: Run;
	now: () => Date;
	/** Milliseconds between two tokens of a stream. 0 sends them as fast as the client reads. */
	msPerToken: number;
};

/** Answers `/v1/chat/completions`: in one piece, or as server-sent events token by token. */
export function createChat({ read, now, msPerToken }: Options) {
	return async (request: Request): Promise<Response> => {
		const asked = await readChat(request);
		const { text, promptTokens } = await read('chat', [asked.turns], request.signal);
		const ending = cut(text, asked);
		const head = {
			id: `chatcmpl-${randomUUID().replaceAll('-', '')}`,
			created: Math.floor(now().getTime() / 1000),
			model: asked.model,
		};
		const { tokens, finish } = ending;
		const total_tokens = promptTokens + tokens.length;
		const usage = { prompt_tokens: promptTokens, completion_tokens: tokens.length, total_tokens };
		if (asked.stream) return stream(events(head, ending, asked.includeUsage && usage), msPerToken, request.signal);
		const message = { role: 'assistant', content: tokens.join(''), refusal: null };
		const choices = [{ index: 0, message, logprobs: null, finish_reason: finish }];
		return Response.json({ ...head, object: 'chat.completion', choices, usage });
	};
}

/** Yields the role, one chunk a token, then the reason of the end; with `usage`, one more chunk without a choice. */
function* events(head: object, { tokens, finish }: Ending, usage: object | false) {
	const chunk = (choices: object[], more: object) =>
		JSON.stringify({ ...head, object: 'chat.completion.chunk', choices, ...more });
	const part = (delta: object, finish_reason: string | null = null) =>
		chunk([{ index: 0, delta, logprobs: null, finish_reason }], usage ? { usage: null } : {});
	yield part({ role: 'assistant', content: '' });
	for (const content of tokens) yield part({ content });
	yield part({}, finish);
	if (usage) yield chunk([], { usage });
	yield '[DONE]';
}

/** Streams server-sent events. A client that disconnects ends the stream. */
function stream(events: Iterable<string>, msPerEvent: number, signal: AbortSignal): Response {
	async function* paced() {
		try {
			for (const event of events) {
				yield Buffer.from(`data: ${event}\n\n`);
				// Other requests get their turn between two tokens, also without a pace.
				await (msPerEvent > 0 ? setTimeout(msPerEvent, undefined, { signal }) : setImmediate(undefined, { signal }));
			}
		} catch (error) {
			if (!signal.aborted) throw error;
		}
	}
	// Node's stream and the DOM's are one class at run time, but the DOM's type lacks `from`.
	return new Response(ReadableStream.from(paced()) as unknown as BodyInit, {
		headers: {
			'content-type': 'text/event-stream; charset=utf-8',
			'cache-control': 'no-cache',
			// Tells reverse proxies such as nginx not to buffer the stream.
			'x-accel-buffering': 'no',
		},
	});
}

/** Includes pictures as data URLs in the parts of messages, which are counted but not looked at. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;
const MAX_MESSAGES = 1000;
const MAX_PARTS = 100;
/** Of one text of one message. */
const MAX_TEXT = 100_000;
const MAX_STOPS = 4;
const MAX_STOP = 500;

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
		role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
		content: z
			.union([content.transform((text) => [{ type: 'text' as const, text }]), z.array(part).max(MAX_PARTS)])
			.nullish(),
	})
	.transform(({ role, content }): Turn => {
		const texts = (content ?? []).flatMap((part) => (part.type === 'text' ? part.text : []));
		const images = (content?.length ?? 0) - texts.length;
		// `developer` is another name for `system`; a tool's answer is context, as instructions are.
		return { role: role === 'user' || role === 'assistant' ? role : 'system', text: texts.join('\n'), images };
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

/** @throws ApiError */
async function readChat(request: Request) {
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
