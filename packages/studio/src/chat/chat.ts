import { randomUUID } from 'node:crypto';
import { ReadableStream } from 'node:stream/web';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Run } from '../workers.ts';
import { readChat } from './request.ts';
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
		const usage = usageOf(promptTokens, ending);
		if (!asked.stream) return Response.json(completion(head, ending, usage));
		return stream(chunks(head, ending, asked.includeUsage ? usage : undefined), msPerToken, request.signal);
	};
}

type Head = { id: string; created: number; model: string };
type Usage = { prompt_tokens: number; completion_tokens: number; total_tokens: number };

function usageOf(prompt: number, { tokens }: Ending): Usage {
	return { prompt_tokens: prompt, completion_tokens: tokens.length, total_tokens: prompt + tokens.length };
}

function completion(head: Head, { tokens, finish }: Ending, usage: Usage) {
	const message = { role: 'assistant', content: tokens.join(''), refusal: null };
	return {
		...head,
		object: 'chat.completion',
		choices: [{ index: 0, message, logprobs: null, finish_reason: finish }],
		usage,
	};
}

/** Yields the role, one chunk a token, then the reason of the end; with `usage`, one more chunk without a choice. */
function* chunks(head: Head, { tokens, finish }: Ending, usage: Usage | undefined) {
	const chunk = (delta: object, finish_reason: string | null = null) => ({
		...head,
		object: 'chat.completion.chunk',
		choices: [{ index: 0, delta, logprobs: null, finish_reason }],
		...(usage && { usage: null }),
	});
	yield chunk({ role: 'assistant', content: '' });
	for (const token of tokens) yield chunk({ content: token });
	yield chunk({}, finish);
	if (usage) yield { ...head, object: 'chat.completion.chunk', choices: [], usage };
}

/** Streams server-sent events that end with `[DONE]`. A client that disconnects ends the stream. */
function stream(frames: Iterable<object>, msPerFrame: number, signal: AbortSignal): Response {
	async function* events() {
		try {
			for (const frame of frames) {
				yield encode(JSON.stringify(frame));
				// Other requests get their turn between two tokens, also without a pace.
				await (msPerFrame > 0 ? setTimeout(msPerFrame, undefined, { signal }) : setImmediate(undefined, { signal }));
			}
			yield encode('[DONE]');
		} catch (error) {
			if (!signal.aborted) throw error;
		}
	}
	// Node's stream and the DOM's are one class at run time, but the DOM's type lacks `from`.
	return new Response(ReadableStream.from(events()) as unknown as BodyInit, {
		headers: {
			'content-type': 'text/event-stream; charset=utf-8',
			'cache-control': 'no-cache',
			// Tells reverse proxies such as nginx not to buffer the stream.
			'x-accel-buffering': 'no',
		},
	});
}

function encode(data: string) {
	return Buffer.from(`data: ${data}\n\n`);
}
