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

type Message = { role?: unknown; content?: unknown; tool_calls?: unknown; tool_call_id?: unknown };
type Tool = { type?: unknown; function?: { name?: unknown; description?: unknown; parameters?: unknown } };
type Call = { id?: unknown; type?: unknown; function?: { name?: unknown; arguments?: unknown } };
type Part = { type?: unknown; text?: unknown; image_url?: { url?: unknown; detail?: unknown } };

/** Checks a request for a chat completion. Pictures are data URLs in messages of people. */
export async function checkChat(fields: Record<string, unknown>): Promise<Refusal | undefined> {
	const unknown = Object.keys(fields).find((name) => !Object.hasOwn(FIELDS, name));
	if (unknown !== undefined) return refusal('unknown_parameter', unknown);
	const { model, messages, stream, stream_options: options, tools } = fields;
	const { max_tokens: old, max_completion_tokens: most } = fields;
	if (typeof model !== 'string' || model === '') return refusal('missing_required_parameter', 'model');
	// Models that reason refuse the older name. https://developers.openai.com/api/reference/resources/chat/subresources/completions/methods/create
	if (old !== undefined) return refusal('unsupported_parameter', 'max_tokens');
	if (most !== undefined && !(Number.isInteger(most) && Number(most) > 0))
		return refusal('integer_below_min_value', 'max_completion_tokens');
	if (options !== undefined && stream !== true) return refusal('invalid_value', 'stream_options');
	if (!Array.isArray(messages) || messages.length === 0) return refusal('invalid_type', 'messages');
	if (tools !== undefined && !areTools(tools)) return refusal('invalid_value', 'tools');
	const unanswered = faultOfCalls(messages as Message[]);
	if (unanswered) return unanswered;
	for (const [index, message] of (messages as Message[]).entries()) {
		const fault = await faultOf(message, `messages[${index}]`);
		if (fault) return fault;
	}
	return undefined;
}

/** https://developers.openai.com/api/reference/resources/chat/subresources/completions/methods/create */
const areTools = (tools: unknown): boolean =>
	Array.isArray(tools) &&
	tools.length > 0 &&
	(tools as Tool[]).every(
		({ type, function: tool }) =>
			type === 'function' &&
			/^[\w-]{1,64}$/.test(String(tool?.name)) &&
			typeof tool?.description === 'string' &&
			tool.description.length <= 1024 &&
			Object(tool.parameters).type === 'object',
	);

/** Each call of an answer must have its result before anything else is said, and each result its call. */
function faultOfCalls(messages: readonly Message[]): Refusal | undefined {
	let open: unknown[] = [];
	for (const [index, { role, tool_calls: calls, tool_call_id: id }] of messages.entries()) {
		const where = `messages[${index}]`;
		if (role === 'tool') {
			if (!open.includes(id)) return refusal('invalid_value', `${where}.role`);
			open = open.filter((one) => one !== id);
			continue;
		}
		if (open.length > 0) return refusal('invalid_value', `${where}.role`);
		if (calls === undefined) continue;
		if (role !== 'assistant' || !Array.isArray(calls) || calls.length === 0)
			return refusal('invalid_value', `${where}.tool_calls`);
		for (const { id, type, function: called } of calls as Call[]) {
			const isCall = typeof id === 'string' && id !== '' && type === 'function' && typeof called?.name === 'string';
			if (!isCall || !isJson(called.arguments)) return refusal('invalid_value', `${where}.tool_calls`);
			open.push(id);
		}
	}
	return open.length > 0 ? refusal('invalid_value', 'messages') : undefined;
}

/** Not every service behind this API takes arguments that are no JSON. */
function isJson(text: unknown): boolean {
	try {
		return typeof text === 'string' && typeof JSON.parse(text) === 'object';
	} catch {
		return false;
	}
}

const ROLES: readonly unknown[] = ['system', 'user', 'assistant', 'tool'];

async function faultOf({ role, content, tool_calls: calls }: Message, where: string): Promise<Refusal | undefined> {
	if (!ROLES.includes(role)) return refusal('invalid_value', `${where}.role`);
	if (typeof content === 'string' || (content === null && calls !== undefined)) return undefined;
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
