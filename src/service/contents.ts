import type { ServiceUsage } from '../domain/job.ts';

/** The one reader of what services answer: a whole answer, or an event of a stream, in any dialect. */

/**
 * A picture in an answer: the texts that may be its base64, or a data URL, those that may be its address, and the entry that they are from,
 * which may say why it is empty.
 */
export type PictureTexts = { texts: readonly string[]; addresses: readonly string[]; entry: unknown };

export type Contents = {
	/** Absent for what is neither. */
	form?: 'chat' | 'images';
	/** Without the model's reasoning. */
	words: string;
	pictures: PictureTexts[];
	/** Whether there is sound, a video or a file, and whether there is what nobody knows. */
	hasMedia: boolean;
	hasUnknown: boolean;
	/** The calls of tools, as they are. */
	calls: unknown[];
	/** Why the model has stopped, or a filter has, and the service's own sentence about it. */
	reason?: string;
	isBlocked?: boolean;
	/** Whether it is the last event of a stream, which only has the usage. */
	isLast?: boolean;
	explanation?: string;
	/** An error in place of an answer. */
	error?: unknown;
	usage?: ServiceUsage;
	model: unknown;
	quality: unknown;
};

/** Returns the fields of what may be an object. */
export const fieldsOf = (value: unknown) => Object(value) as Record<string, unknown>;

/**
 * Reads chat completions, the images API and Gemini's own answers.
 * https://developers.openai.com/api/reference/resources/chat · https://developers.openai.com/api/reference/resources/images ·
 * https://ai.google.dev/api/generate-content
 */
export function readContents(value: unknown): Contents {
	const { choices, candidates, promptFeedback, message, ...rest } = fieldsOf(unwrapped(value));
	const contents: Contents = {
		...{ words: '', pictures: [], calls: [], hasMedia: false, hasUnknown: false },
		usage: readUsage(rest['usage'] ?? rest['usageMetadata']),
		model: rest['model'] ?? rest['modelVersion'],
		quality: rest['quality'],
	};
	if (Array.isArray(choices)) {
		const { delta, message, text, finish_reason: finish, error } = fieldsOf(choices[0]);
		addMessage(contents, delta ?? message ?? text);
		contents.reason = textOf(finish) ?? textOf(fieldsOf(finish)['type']) ?? (isCount(finish) ? `${finish}` : undefined);
		contents.error = error || finish === 'error' ? choices[0] : undefined;
		contents.isLast = choices.length === 0 && contents.usage !== undefined;
	} else if (Array.isArray(candidates) || promptFeedback) {
		const all = (Array.isArray(candidates) ? candidates : []).map(fieldsOf);
		for (const { content } of all.length > 0 ? all : [{}]) addMessage(contents, content ?? {});
		const { blockReason, blockReasonMessage } = fieldsOf(promptFeedback);
		const [{ finishReason, finishMessage } = {}] = all;
		contents.isBlocked = blockReason !== undefined;
		contents.reason = textOf(blockReason ?? finishReason);
		contents.explanation = textOf(blockReasonMessage ?? finishMessage);
	} else if (isObject(message)) {
		// https://docs.ollama.com/api/chat
		addMessage(contents, message);
		contents.reason = textOf(rest['done_reason']) ?? (rest['done'] === true ? 'stop' : undefined);
	} else {
		const list = picturesIn(value);
		if (list) contents.form = 'images';
		for (const entry of list ?? []) contents.pictures.push({ ...heldBy(entry), entry });
	}
	return contents;
}

/** Returns the chat completion that a gateway has wrapped, or the answer itself. */
function unwrapped(answer: unknown): unknown {
	const { data, result, output } = fieldsOf(answer);
	return [data, result, output].find((one) => Array.isArray(fieldsOf(one)['choices'])) ?? answer;
}

/** Keys under which services and their proxies have pictures: one, a list, or an object with these keys. */
const LISTS = ['data', 'images', 'artifacts', 'predictions', 'output', 'outputs', 'result', 'results', 'image'];

/** Returns what stands where pictures should be: texts, and objects with a text. */
function picturesIn(value: unknown, depth = 2): readonly unknown[] | undefined {
	if (Array.isArray(value)) return value;
	const fields = fieldsOf(value);
	for (const held of LISTS.map((key) => fields[key])) {
		if (Array.isArray(held)) return held;
		if (isObject(held)) return (depth > 1 ? picturesIn(held, depth - 1) : undefined) ?? [held];
		if (textOf(held)) return [held];
	}
	return undefined;
}

/**
 * Reads what a call has used: tokens, for pictures (`input_tokens`), for chat (`prompt_tokens`) or in Gemini's `usageMetadata`; those of text
 * among its input; and what it costs in USD where the service says so.
 * https://github.com/openai/openai-openapi (ImagesResponse) · https://openrouter.ai/docs/use-cases/usage-accounting
 */
function readUsage(usage: unknown): ServiceUsage | undefined {
	const { input_tokens, output_tokens, prompt_tokens, completion_tokens, cost, ...rest } = fieldsOf(usage);
	const input = input_tokens ?? prompt_tokens ?? rest['promptTokenCount'];
	const output = output_tokens ?? completion_tokens ?? Number(rest['totalTokenCount']) - Number(input);
	const tokens = isCount(input) && isCount(output) ? { input, output } : undefined;
	const { text_tokens: text } = fieldsOf(rest['input_tokens_details']);
	const isCost = typeof cost === 'number' && cost >= 0 && cost < MAX_COST_USD;
	if (!tokens && !isCost) return undefined;
	return {
		...(tokens && { tokens }),
		...(isCount(text) && { textTokens: text }),
		// Rounded up, but for what the arithmetic of floating point adds.
		...(isCost && { cost: Math.ceil(Math.round(cost * 1e9) / 1e3) }),
	};
}

/** More than any call costs. */
const MAX_COST_USD = 10_000;

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
/** Returns a text that is not empty. */
export const textOf = (value: unknown): string | undefined =>
	typeof value === 'string' && value !== '' ? value : undefined;

/**
 * Fields of a message that have parts, with what these are when they do not say it. The last two repeat the others, for AiHubMix and those
 * that follow it. https://docs.aihubmix.com/en/api/Gemini-Guides
 */
const PARTS_IN: Readonly<Record<string, string>> = {
	...{ content: 'text', refusal: 'text', parts: 'text', images: 'image', audio: 'audio' },
	...{ multi_mod_content: 'text', multi_modal_content: 'text' },
};

/**
 * Reads a message, or what a stream adds to one, part by part: as OpenAI, Gemini and Claude have them.
 * https://ai.google.dev/api/caching#Part · https://platform.claude.com/docs/en/api/messages
 */
function addMessage(contents: Contents, message: unknown): void {
	if (message === undefined) return;
	contents.form = 'chat';
	const { tool_calls, ...fields } = fieldsOf(typeof message === 'string' ? { content: message } : message);
	if (Array.isArray(tool_calls)) contents.calls.push(...tool_calls);
	for (const [field, assumed] of Object.entries(PARTS_IN)) {
		const isRepeated = field.startsWith('multi_') && contents.words !== '';
		const content = fields[field] ?? [];
		for (const part of Array.isArray(content) ? content : [content]) addPart(contents, part, assumed, isRepeated);
	}
}

function addPart(contents: Contents, part: unknown, assumed: string, isRepeated: boolean): void {
	const { thought, type = assumed } = fieldsOf(part);
	// Also a draft of a picture.
	if (thought === true || /think|reason/i.test(String(type))) return;
	const words = assumed === 'image' ? undefined : wordsOf(part);
	if (words !== undefined && !isRepeated) contents.words += words;
	const { types, texts, addresses } = heldBy(words === undefined ? part : fieldsOf(part));
	const held = [...texts, ...addresses];
	const named = [...types, ...held.flatMap((text) => MEDIA_TYPE.exec(text)?.[1] ?? [])].join(' ');
	if (held.length > 0 && /image|^$/i.test(named) && assumed !== 'audio')
		contents.pictures.push({ texts, addresses, entry: part });
	else if (/audio|video|file|document|application|^$/i.test(named) && held.length > 0) contents.hasMedia = true;
	else if (words === undefined && part !== null) contents.hasUnknown = true;
}

/** What a data URL says that it is. */
const MEDIA_TYPE = /^data:([\w/+.-]{1,100})/i;

/** Returns the words of a part in whatever they are wrapped; undefined for what has none. */
function wordsOf(part: unknown): string | undefined {
	if (typeof part === 'string') return part;
	const { type = 'text', text, value, refusal, transcript } = fieldsOf(part);
	const inner = text ?? value ?? refusal ?? transcript;
	return inner !== undefined && inner !== null && /text|refusal|audio/.test(String(type)) ? wordsOf(inner) : undefined;
}

/** Keys under which parts say what they are, and have their bytes, an address, or an object with these. */
const TYPES = ['type', 'mimeType', 'mime_type', 'media_type', 'mediaType'];
const BYTES = [
	...['b64_json', 'base64', 'b64', 'image_base64', 'bytesBase64Encoded', 'result', 'image', 'data', 'file_data'],
];
const ADDRESSES = ['url', 'uri', 'fileUri', 'file_uri', 'image_url', 'video_url'];
const HOLDERS = [
	...['image_url', 'video_url', 'input_audio', 'inlineData', 'inline_data'],
	...['fileData', 'file', 'source', 'image'],
];

/** Returns what a part says of its type, and the texts that may be its content, base64 before addresses. A text is its own. */
function heldBy(part: unknown, depth = 3): { types: string[]; texts: string[]; addresses: string[] } {
	if (typeof part === 'string') return { types: [], texts: [part], addresses: [] };
	const fields = fieldsOf(part);
	const under = (keys: readonly string[]) => keys.flatMap((key) => textOf(fields[key]) ?? []);
	const within =
		depth > 1 ? HOLDERS.flatMap((key) => (isObject(fields[key]) ? heldBy(fields[key], depth - 1) : [])) : [];
	return {
		types: [...under(TYPES), ...within.flatMap(({ types }) => types)],
		texts: [...under(BYTES), ...within.flatMap(({ texts }) => texts)],
		addresses: [...under(ADDRESSES), ...within.flatMap(({ addresses }) => addresses)],
	};
}
