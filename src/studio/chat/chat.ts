import { randomUUID } from 'node:crypto';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { bodyOf } from '../http/stream.ts';
import { reply } from './reply.ts';
import { type ChatRequest, readChat } from './request.ts';
import { withoutSpeakers } from './speakers.ts';
import { countTokens, cut, type Ending } from './tokens.ts';

type Options = {
	now: () => Date;
	/** Milliseconds between two tokens of a stream, so that it looks like one. 0: as fast as they are taken. */
	msPerToken: number;
};

/** `/v1/chat/completions`: the whole answer at once, or server-sent events token by token. */
export function createChat({ now, msPerToken }: Options) {
	return async (request: Request): Promise<Response> => {
		const asked = await readChat(request);
		const ending = cut(reply(withoutSpeakers(asked.turns), now()), asked);
		const head = {
			id: `chatcmpl-${randomUUID().replaceAll('-', '')}`,
			created: Math.floor(now().getTime() / 1000),
			model: asked.model,
		};
		const usage = usageOf(asked, ending);
		if (!asked.stream) return Response.json(completion(head, ending, usage));
		return stream(chunks(head, ending, asked.includeUsage ? usage : undefined), msPerToken, request.signal);
	};
}

type Head = { id: string; created: number; model: string };
type Usage = { prompt_tokens: number; completion_tokens: number; total_tokens: number };

function usageOf({ turns }: ChatRequest, { tokens }: Ending): Usage {
	const prompt = countTokens(turns.map((turn) => turn.text));
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

/** The role first, then what is added token by token, then why it ends; with `usage`, one more without a choice. */
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

/** Server-sent events ending in `[DONE]`. The client's leaving ends it between two of them. */
function stream(frames: Iterable<object>, msPerFrame: number, signal: AbortSignal): Response {
	async function* events() {
		try {
			for (const frame of frames) {
				yield encode(JSON.stringify(frame));
				// Without a pace, too, every other request gets its turn between two tokens.
				await (msPerFrame > 0 ? setTimeout(msPerFrame, undefined, { signal }) : setImmediate(undefined, { signal }));
			}
			yield encode('[DONE]');
		} catch (error) {
			if (!signal.aborted) throw error;
		}
	}
	return new Response(bodyOf(events()), {
		headers: {
			'content-type': 'text/event-stream; charset=utf-8',
			'cache-control': 'no-cache',
			// Asks reverse proxies such as nginx not to collect the stream.
			'x-accel-buffering': 'no',
		},
	});
}

function encode(data: string) {
	return Buffer.from(`data: ${data}\n\n`);
}
