import type { ServerResponse } from 'node:http';
import type { Behaviour, RecordedRequest } from './service.ts';

const HEAD = { 'content-type': 'text/event-stream; charset=utf-8' };

const frame = (content: string) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;

/** Answers a chat request with this text, word by word. */
export function answersChat(text: string): Behaviour {
	return async ({ response, read }) => {
		await read();
		response.writeHead(200, HEAD);
		for (const word of text.match(/\s*\S+|\s+$/g) ?? []) response.write(frame(word));
		response.end('data: [DONE]\n\n');
	};
}

/** A call of a tool: its name, and its arguments, as JSON or as the text of a model that does not write it well. */
export type FakeCall = { name: string; arguments: object | string; id?: string };

/** Pieces in which arguments are streamed, in UTF-16 units. */
const PIECE = 7;

const delta = (choice: object) => `data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`;

/**
 * Answers a chat request by calling tools: streamed, with the arguments of each call in pieces and those of several calls in turns, or whole.
 * https://developers.openai.com/api/docs/guides/function-calling
 */
export function answersCalls(
	calls: readonly FakeCall[],
	{ text = '', isWhole = false }: { text?: string; isWhole?: boolean } = {},
): Behaviour {
	const all = calls.map(({ name, arguments: given, id }, index) => ({
		...{ index, id: id ?? `call_${index}`, type: 'function', name },
		given: typeof given === 'string' ? given : JSON.stringify(given),
	}));
	return async ({ response, read }) => {
		await read();
		if (isWhole) {
			const tool_calls = all.map(({ id, type, name, given }) => ({ id, type, function: { name, arguments: given } }));
			const message = { role: 'assistant', content: text || null, tool_calls };
			const body = { object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'tool_calls' }] };
			response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
			return;
		}
		response.writeHead(200, HEAD);
		response.write(delta({ delta: { role: 'assistant', content: text || null } }));
		for (const { index, id, type, name } of all)
			response.write(delta({ delta: { tool_calls: [{ index, id, type, function: { name, arguments: '' } }] } }));
		for (let from = 0; all.some(({ given }) => from < given.length); from += PIECE)
			for (const { index, given } of all)
				if (from < given.length) {
					const piece = { index, function: { arguments: given.slice(from, from + PIECE) } };
					response.write(delta({ delta: { tool_calls: [piece] } }));
				}
		response.write(delta({ delta: {}, finish_reason: 'tool_calls' }));
		response.end('data: [DONE]\n\n');
	};
}

type Drawn = (base64: string, type: string) => object;

const urlOf = (base64: string, type: string) => `data:${type};base64,${base64}`;

/** How services and proxies answer a chat with a picture: the fields of a message, or of a delta, that have it. */
export const DRAWING_DIALECTS = {
	// https://openrouter.ai/docs/guides/overview/multimodal/image-generation
	images: (base64, type) => ({ images: [{ type: 'image_url', image_url: { url: urlOf(base64, type) } }] }),
	'parts of OpenAI': (base64, type) => ({ content: [{ type: 'image_url', image_url: { url: urlOf(base64, type) } }] }),
	// Gemini's own parts, which proxies pass on. https://ai.google.dev/api/caching#Part
	inlineData: (data, mimeType) => ({ content: [{ inlineData: { mimeType, data } }] }),
	inline_data: (data, mime_type) => ({ content: [{ inline_data: { mime_type, data } }] }),
	parts: (data, mimeType) => ({ content: null, parts: [{ inlineData: { mimeType, data } }] }),
	// AiHubMix, and others after it. https://docs.aihubmix.com/en/api/Gemini-Guides
	multi_mod_content: (data, mime_type) => ({ content: '', multi_mod_content: [{ inline_data: { mime_type, data } }] }),
	// https://platform.claude.com/docs/en/api/messages
	source: (data, media_type) => ({ content: [{ type: 'image', source: { type: 'base64', media_type, data } }] }),
	// The items of the Responses API. https://developers.openai.com/api/docs/guides/tools-image-generation
	result: (result) => ({ content: [{ type: 'image_generation_call', status: 'completed', result }] }),
	file: (base64, type) => ({ content: [{ type: 'file', file: { filename: 'a', file_data: urlOf(base64, type) } }] }),
} satisfies Record<string, Drawn>;

/** Answers a chat request with a picture, or with what has another media type, in one of these dialects: streamed, or whole. */
export function answersDrawn(
	dialect: keyof typeof DRAWING_DIALECTS,
	bytes: Uint8Array,
	{ text = '', type = 'image/png', isWhole = false }: { text?: string; type?: string; isWhole?: boolean } = {},
): Behaviour {
	const drawn: object = DRAWING_DIALECTS[dialect](Buffer.from(bytes).toString('base64'), type);
	return async ({ response, read }) => {
		await read();
		if (isWhole) {
			const written = [{ type: 'text', text }, ...[Object(drawn).content ?? []].flat()];
			const message = { role: 'assistant', ...drawn, content: text === '' ? Object(drawn).content : written };
			const body = { object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'stop' }] };
			response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
			return;
		}
		response.writeHead(200, HEAD);
		if (text !== '') response.write(frame(text));
		response.write(delta({ delta: drawn }));
		response.write(delta({ delta: {}, finish_reason: 'stop' }));
		response.end('data: [DONE]\n\n');
	};
}

/** A chat answer that a test streams piece by piece. */
export type StreamedAnswer = {
	behaviour: Behaviour;
	/** Sends a piece, once the request has arrived. */
	sends(text: string): Promise<void>;
	/** Completes the stream. */
	ends(): Promise<void>;
	/** Breaks the connection. */
	breaks(): Promise<void>;
	/** Resolves when the client aborts the request. */
	aborted: Promise<void>;
};

export function streamedAnswer(): StreamedAnswer {
	const { promise: requested, resolve } = Promise.withResolvers<ServerResponse>();
	const aborting = Promise.withResolvers<void>();
	return {
		async behaviour({ response, read }) {
			await read();
			response.on('close', () => !response.writableEnded && aborting.resolve());
			response.writeHead(200, HEAD).flushHeaders();
			resolve(response);
		},
		async sends(text) {
			(await requested).write(frame(text));
		},
		async ends() {
			(await requested).end('data: [DONE]\n\n');
		},
		async breaks() {
			(await requested).destroy();
		},
		aborted: aborting.promise,
	};
}

/** Reads a request for a chat completion. */
export function chatOf(request: RecordedRequest | undefined): {
	model: string;
	system: string;
	/** Of the roles `user`, `assistant` and `tool`. */
	messages: {
		role: string;
		content: string;
		tool_calls?: { id: string; function: { name: string } }[];
		tool_call_id?: string;
	}[];
	/** The tools that it offers, by their names. */
	tools: Record<
		string,
		{ description: string; parameters: { properties: Record<string, unknown>; required: string[] } }
	>;
} {
	const { model, messages, tools = [] } = JSON.parse(String(request?.body)) as ChatBody;
	const [system, ...others] = messages;
	const named = Object.fromEntries(tools.map(({ function: { name, ...tool } }) => [name, tool]));
	return { model, system: system?.content ?? '', messages: others, tools: named };
}

type Chat = ReturnType<typeof chatOf>;
type ChatBody = Pick<Chat, 'model' | 'messages'> & { tools?: { function: Chat['tools'][string] & { name: string } }[] };
