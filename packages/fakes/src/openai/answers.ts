import type {
	ChatCompletion,
	ChatCompletionChunk,
	ChatCompletionCreateParams,
} from 'openai/resources/chat/completions';
import type {
	ImageEditStreamEvent,
	ImageGenerateParamsBase,
	ImageGenStreamEvent,
	ImagesResponse,
} from 'openai/resources/images';
import sharp from 'sharp';
import { answers, type Behaviour } from '../service.ts';
import { readForm } from './form.ts';

export const answersJson = (status: number, body: object, headers: Record<string, string> = {}): Behaviour =>
	answers(status, JSON.stringify(body), { 'content-type': 'application/json', 'x-request-id': 'req_1', ...headers });

/** Answers an accepted request: with what it asks for, and the usage. */
export const answersAsAsked =
	(imageModels: readonly string[]): Behaviour =>
	async (exchange) => {
		const { method, path, headers } = exchange.request;
		const body = await exchange.read();
		if (method === 'GET') {
			const data = imageModels.map((id) => ({ id, object: 'model', created: 1, owned_by: 'openai' }));
			return answersJson(200, { object: 'list', data })(exchange);
		}
		if (path === '/v1/chat/completions') return answersChat(body)(exchange);
		return (await answersImages(path, body, headers['content-type'] ?? ''))(exchange);
	};

const CREATED = 1_760_000_000;
const IMAGE_USAGE = {
	...{ input_tokens: 12, output_tokens: 100, total_tokens: 112 },
	input_tokens_details: { text_tokens: 12, image_tokens: 0 },
};

/** The fields that decide what is answered. In a form, all are texts. */
type Fields = Pick<
	ImageGenerateParamsBase,
	'n' | 'output_format' | 'stream' | 'partial_images' | 'quality' | 'background'
>;

function fieldsOf(body: Buffer, type: string): Fields {
	if (!type.startsWith('multipart/')) return JSON.parse(String(body)) as Fields;
	const texts = new Map(readForm(body, type).map(({ name, bytes }) => [name, String(bytes.subarray(0, 20))]));
	return {
		n: Number(texts.get('n') ?? 1),
		output_format: texts.get('output_format') as 'png',
		stream: texts.get('stream') === 'true',
		partial_images: Number(texts.get('partial_images') ?? 0),
		quality: texts.get('quality') as 'low' | undefined,
		background: texts.get('background') as 'transparent' | undefined,
	};
}

/** Answers exactly as many pictures as asked for, in the format that was asked for, at once or as events. */
async function answersImages(path: string, body: Buffer, type: string): Promise<Behaviour> {
	const { n, output_format: asked, stream, partial_images: partial, quality: chosen, ...rest } = fieldsOf(body, type);
	const quality = chosen === 'low' || chosen === 'medium' ? chosen : 'high';
	const output_format = asked ?? 'png';
	const background = rest.background === 'transparent' ? 'transparent' : 'opaque';
	const colour = sharp({ create: { width: 8, height: 8, channels: 3, background: '#c0392b' } });
	const picture = background === 'opaque' ? colour : colour.ensureAlpha(0);
	const b64_json = (await picture.toFormat(output_format).toBuffer()).toString('base64');
	if (!stream) {
		const data = Array.from({ length: n ?? 1 }, () => ({ b64_json }));
		const result: ImagesResponse = { created: CREATED, data, output_format, quality, usage: IMAGE_USAGE };
		return answersJson(200, result);
	}
	const name = path.endsWith('edits') ? 'image_edit' : 'image_generation';
	const facts = {
		...{ b64_json, output_format, created_at: CREATED },
		...{ background, quality, size: '1024x1024' as const },
	};
	const events = [
		...Array.from({ length: partial ?? 0 }, (_, index) => ({
			...{ type: `${name}.partial_image` as const, partial_image_index: index, ...facts },
		})),
		{ type: `${name}.completed` as const, usage: IMAGE_USAGE, ...facts },
	] as (ImageGenStreamEvent | ImageEditStreamEvent)[];
	const frames = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
	return answers(200, frames.join(''), { 'content-type': 'text/event-stream' });
}

/** Answers "Indeed.", at once or as a stream, which ends with the usage when it is asked for. */
function answersChat(body: Buffer): Behaviour {
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
