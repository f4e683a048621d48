import type {
	ChatCompletion,
	ChatCompletionChunk,
	ChatCompletionCreateParams,
} from 'openai/resources/chat/completions';
import type { ImagesResponse } from 'openai/resources/images';
import { answers, type Behaviour, type FaultyService, smallPng, startFaultyService } from '../service.ts';
import type { Refusal } from './fields.ts';
import { readForm } from './form.ts';
import { refusalOf, type StrictOptions } from './request-checks.ts';

export type OpenaiService = FaultyService & {
	/** What was refused before any work was done, in order. `requests` has it as well. */
	refusals: readonly Refusal[];
	/** How many requests were accepted for work. Each would have been paid for. */
	accepted(): number;
};

const MODELS = ['gpt-image-1.5', 'gpt-image-2', 'gpt-image-2.6-flare'];

/** Starts a service with OpenAI's images API, which refuses whatever that refuses. Behaviours apply to accepted requests alone. */
export async function startOpenaiService(options: Partial<StrictOptions> = {}): Promise<OpenaiService> {
	const { key = 'test-key', imageModels = MODELS } = options;
	const refusals: Refusal[] = [];
	let accepted = 0;
	const service = await startFaultyService(async (request) => {
		const refused = await refusalOf(request, { key, imageModels });
		if (refused) refusals.push(refused);
		else if (request.method === 'POST') accepted += 1;
		return refused && answersError(refused);
	});
	service.always(await answersAsAsked(imageModels));
	return Object.assign(service, { refusals, accepted: () => accepted });
}

/** Answers an error with all four keys. */
export const answersError = (
	{ status, code, param, message }: Refusal,
	type = 'invalid_request_error',
	headers: Record<string, string> = {},
): Behaviour => answersJson(status, { error: { message, type, param, code } }, headers);

const answersJson = (status: number, body: object, headers: Record<string, string> = {}): Behaviour =>
	answers(status, JSON.stringify(body), { 'content-type': 'application/json', 'x-request-id': 'req_1', ...headers });

/** Answers exactly as many pictures as asked for, with their usage. */
async function answersAsAsked(imageModels: readonly string[]): Promise<Behaviour> {
	const b64_json = (await smallPng()).toString('base64');
	return async (exchange) => {
		const { method, path, headers } = exchange.request;
		const body = await exchange.read();
		if (method === 'GET') {
			const data = imageModels.map((id) => ({ id, object: 'model', created: 1, owned_by: 'openai' }));
			return answersJson(200, { object: 'list', data })(exchange);
		}
		if (path === '/v1/chat/completions') return answersChatAsAsked(body)(exchange);
		const type = headers['content-type'] ?? '';
		const n = type.startsWith('multipart/')
			? readForm(body, type).find(({ name }) => name === 'n')?.bytes
			: (JSON.parse(String(body)) as { n?: number }).n;
		const result: ImagesResponse = {
			created: 1_760_000_000,
			data: Array.from({ length: Number(n ?? 1) }, () => ({ b64_json })),
			output_format: 'png',
			usage: {
				...{ input_tokens: 12, output_tokens: 100, total_tokens: 112 },
				input_tokens_details: { text_tokens: 12, image_tokens: 0 },
			},
		};
		return answersJson(200, result)(exchange);
	};
}

/** Answers "Indeed.", at once or as a stream, which ends with the usage when it is asked for. */
function answersChatAsAsked(body: Buffer): Behaviour {
	const { model, stream, stream_options: options } = JSON.parse(String(body)) as ChatCompletionCreateParams;
	const head = { id: 'chatcmpl-1', created: 1_760_000_000, model };
	const usage = { prompt_tokens: 30, completion_tokens: 7, total_tokens: 37 };
	if (!stream) {
		const message = { role: 'assistant', content: 'Indeed.', refusal: null } as const;
		const choices = [{ index: 0, message, finish_reason: 'stop' as const, logprobs: null }];
		return answersJson(200, { ...head, object: 'chat.completion', choices, usage } satisfies ChatCompletion);
	}
	const chunk = (choices: ChatCompletionChunk['choices'], more: Pick<ChatCompletionChunk, 'usage'> = {}) =>
		`data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices, ...more } satisfies ChatCompletionChunk)}\n\n`;
	const frames = [
		chunk([{ index: 0, delta: { role: 'assistant', content: 'Indeed.' }, finish_reason: null }]),
		chunk([{ index: 0, delta: {}, finish_reason: 'stop' }]),
		...(options?.include_usage ? [chunk([], { usage })] : []),
		'data: [DONE]\n\n',
	];
	return answers(200, frames.join(''), { 'content-type': 'text/event-stream' });
}
