import type { ChatCompletionCreateParamsBase } from 'openai/resources/chat/completions';
import { type Refusal, refusal } from './fields.ts';
import { isSoundPicture } from './pictures.ts';

/** The fields of a request for a chat completion: exactly those of the SDK's type. */
const FIELDS: Record<keyof ChatCompletionCreateParamsBase, true> = {
	messages: true,
	model: true,
	audio: true,
	frequency_penalty: true,
	function_call: true,
	functions: true,
	logit_bias: true,
	logprobs: true,
	max_completion_tokens: true,
	max_tokens: true,
	metadata: true,
	modalities: true,
	moderation: true,
	n: true,
	parallel_tool_calls: true,
	prediction: true,
	presence_penalty: true,
	prompt_cache_key: true,
	prompt_cache_options: true,
	prompt_cache_retention: true,
	reasoning_effort: true,
	response_format: true,
	safety_identifier: true,
	seed: true,
	service_tier: true,
	stop: true,
	store: true,
	stream: true,
	stream_options: true,
	temperature: true,
	tool_choice: true,
	tools: true,
	top_logprobs: true,
	top_p: true,
	user: true,
	verbosity: true,
	web_search_options: true,
};

type Message = { role?: unknown; content?: unknown };
type Part = { type?: unknown; text?: unknown; image_url?: { url?: unknown; detail?: unknown } };

/** Checks a request for a chat completion. Pictures are data URLs in messages of people. */
export async function checkChat(fields: Record<string, unknown>): Promise<Refusal | undefined> {
	const unknown = Object.keys(fields).find((name) => !Object.hasOwn(FIELDS, name));
	if (unknown !== undefined) return refusal('unknown_parameter', unknown);
	const { model, messages, stream, stream_options: options, max_tokens: old, max_completion_tokens: most } = fields;
	if (typeof model !== 'string' || model === '') return refusal('missing_required_parameter', 'model');
	// Models that reason refuse the older name. https://developers.openai.com/api/reference/resources/chat/subresources/completions/methods/create
	if (old !== undefined) return refusal('unsupported_parameter', 'max_tokens');
	if (most !== undefined && !(Number.isInteger(most) && Number(most) > 0))
		return refusal('integer_below_min_value', 'max_completion_tokens');
	if (options !== undefined && stream !== true) return refusal('invalid_value', 'stream_options');
	if (!Array.isArray(messages) || messages.length === 0) return refusal('invalid_type', 'messages');
	for (const [index, message] of (messages as Message[]).entries()) {
		const fault = await faultOf(message, `messages[${index}]`);
		if (fault) return fault;
	}
	return undefined;
}

async function faultOf({ role, content }: Message, where: string): Promise<Refusal | undefined> {
	if (role !== 'system' && role !== 'user' && role !== 'assistant') return refusal('invalid_value', `${where}.role`);
	if (typeof content === 'string') return undefined;
	if (!Array.isArray(content) || content.length === 0) return refusal('invalid_type', `${where}.content`);
	for (const { type, text, image_url: picture } of content as Part[]) {
		if (type === 'text' && typeof text === 'string' && text !== '') continue;
		if (type !== 'image_url' || role !== 'user') return refusal('invalid_value', `${where}.content`);
		const [, mime, base64 = ''] =
			/^data:(image\/(?:png|jpeg|webp));base64,([\w+/]+=*)$/.exec(String(picture?.url)) ?? [];
		if (!(await isSoundPicture(Buffer.from(base64, 'base64'), mime))) return refusal('invalid_image_url', where);
	}
	return undefined;
}
