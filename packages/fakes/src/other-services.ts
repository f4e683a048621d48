import sharp from 'sharp';
import { type FormPart, readForm } from './openai/form.ts';
import {
	answers,
	type Behaviour,
	type FaultyService,
	imageResult,
	type RecordedRequest,
	smallPng,
	startFaultyService,
} from './service.ts';

/** Refuses a request with this status; undefined when the service would do the work. */
type Check = (request: RecordedRequest) => Promise<number | undefined> | number | undefined;

/** The key that those which look at it take. */
export const KEY = 'test-key';

const json = ({ body }: RecordedRequest) => JSON.parse(String(body)) as Record<string, unknown>;
const isJson = ({ headers }: RecordedRequest) => headers['content-type'] === 'application/json';
const pathOf = ({ path }: RecordedRequest) => path.split('?')[0];
const filesOf = ({ body, headers }: RecordedRequest): FormPart[] =>
	readForm(body, headers['content-type'] ?? '').filter(({ filename }) => filename !== undefined);

async function isPicture(base64: unknown): Promise<boolean> {
	try {
		await sharp(Buffer.from(String(base64), 'base64'), { failOn: 'error' }).stats();
		return /^[\w+/]+=*$/.test(String(base64));
	} catch {
		return false;
	}
}

const isDataUrl = async (url: unknown) => isPicture(/^data:image\/(?:png|jpeg);base64,(.*)$/s.exec(String(url))?.[1]);

/** Accepts only the fields that are named. */
const hasOnly = (fields: object, ...names: string[]) => Object.keys(fields).every((name) => names.includes(name));

// https://ai.google.dev/gemini-api/docs/openai#function-calling
// https://openrouter.ai/docs/guides/features/tool-calling
const CHAT_FIELDS = ['model', 'messages', 'stream', 'max_tokens', 'tools'];

const isRatio = (ratio: unknown, all: string) => ratio === undefined || all.split(' ').includes(String(ratio));

/** With a large K. https://ai.google.dev/gemini-api/docs/image-generation */
const isResolution = (name: unknown) => name === undefined || ['512', '1K', '2K', '4K'].includes(String(name));

/** https://ai.google.dev/api/generate-content */
type GeminiRequest = {
	contents?: { role?: string; parts?: { text?: string; inlineData?: { mimeType?: string; data?: string } }[] }[];
	generationConfig?: { responseModalities?: string[]; imageConfig?: { aspectRatio?: string; imageSize?: string } };
};

/** Makes an answer of Gemini with a draft among its thoughts, and the long signatures that it adds. */
function geminiResult(...pngs: Uint8Array[]): string {
	const inline = (bytes: Uint8Array) => ({ mimeType: 'image/png', data: Buffer.from(bytes).toString('base64') });
	const signature = 'c2ln'.repeat(400_000);
	const drafts = pngs.slice(0, 1).map((png) => ({ thought: true, inlineData: inline(png) }));
	const parts = pngs.map((png) => ({ inlineData: inline(png), thoughtSignature: signature }));
	const all = [{ text: 'Let me think.', thought: true }, ...drafts, { text: 'Here it is.' }, ...parts];
	const candidates = [{ content: { role: 'model', parts: all }, finishReason: 'STOP', index: 0 }];
	const usageMetadata = { promptTokenCount: 12, candidatesTokenCount: 1290, totalTokenCount: 1402 };
	return JSON.stringify({ candidates, usageMetadata, modelVersion: 'some-image-model' });
}

/** Makes an answer of OpenRouter, which says what it costs. https://openrouter.ai/docs/guides/overview/multimodal/image-generation */
function openrouterResult(png: Uint8Array): string {
	const usage = { prompt_tokens: 0, completion_tokens: 4175, total_tokens: 4175, cost: 0.04 };
	return JSON.stringify({ ...JSON.parse(imageResult(png)), usage });
}

const isSize = (size: unknown) => size === undefined || /^\d+x\d+$/.test(String(size));

/** Gemini's models by the API that is widely used. https://ai.google.dev/gemini-api/docs/openai */
const google: Check = (request) => {
	if (request.headers.authorization !== `Bearer ${KEY}`) return 401;
	if (pathOf(request) === '/v1beta/openai/chat/completions')
		return hasOnly(json(request), ...CHAT_FIELDS) ? undefined : 400;
	if (pathOf(request) !== '/v1beta/openai/images/generations') return 404;
	return json(request)['response_format'] === 'b64_json' ? undefined : 400;
};

/**
 * Services whose images API differs from OpenAI's, each with the rules that a client meets: which addresses, key, fields and pictures it
 * takes. docs/services.md names their sources.
 */
export const SERVICES = {
	/** The key has a header of its own. */
	azure(request) {
		if (request.headers['api-key'] !== KEY) return 401;
		if (!/^\/openai\/v1\/images\/(generations|edits)$/.test(request.path)) return 404;
		if (request.path.endsWith('generations')) return isJson(request) ? undefined : 400;
		const names = filesOf(request).map(({ name }) => name);
		return names.length === 1 || names.every((name) => name === 'image[]') ? undefined : 400;
	},
	/** The deployment is a part of the path. */
	'azure-deployments'(request) {
		if (request.headers['api-key'] !== KEY) return 401;
		const query = '?api-version=2025-04-01-preview';
		const operation = /^\/openai\/deployments\/some-image-model\/images\/(generations|edits)$/.exec(
			request.path.replace(query, ''),
		)?.[1];
		if (!operation || !request.path.endsWith(query)) return 404;
		if (operation === 'generations') return isJson(request) ? undefined : 400;
		const names = filesOf(request).map(({ name }) => name);
		return names.length === 1 || names.every((name) => name === 'image[]') ? undefined : 400;
	},
	/** Some versions refuse `image[]`. */
	litellm(request) {
		if (request.path === '/v1/images/generations') return isJson(request) ? undefined : 422;
		if (request.path !== '/v1/images/edits') return 404;
		return filesOf(request).every(({ name }) => name === 'image') ? undefined : 400;
	},
	/** It has no edits; pictures are bare base64, and what cannot be decoded would be left out silently. */
	async localai(request) {
		if (request.path !== '/v1/images/generations') return 404;
		const { ref_images: pictures = [], response_format: format, size, prompt } = json(request);
		if (format !== 'b64_json' || !isSize(size) || String(prompt).includes('|')) return 400;
		const sound = await Promise.all((pictures as unknown[]).map(isPicture));
		return sound.every(Boolean) ? undefined : 400;
	},
	/** Every picture but the first `image` would be dropped silently; settings in the prompt are obeyed. */
	'sd-server'(request) {
		if (request.path === '/v1/images/generations')
			return String(json(request)['prompt']).includes('sd_cpp_extra_args') ? 400 : undefined;
		if (request.path !== '/v1/images/edits') return 404;
		return filesOf(request).every(({ name }) => name === 'image[]') ? undefined : 400;
	},
	sglang(request) {
		if (request.path === '/v1/images/generations')
			return json(request)['response_format'] === 'b64_json' ? undefined : 400;
		return request.path === '/v1/images/edits' && filesOf(request).length > 0 ? undefined : 404;
	},
	/** Edits are JSON, sizes are ratios. */
	async xai(request) {
		if (!isJson(request)) return 415;
		const fields = json(request);
		const common = ['model', 'prompt', 'n', 'aspect_ratio', 'resolution', 'response_format'];
		if (!hasOnly(fields, ...common, 'image', 'images')) return 400;
		const { aspect_ratio: ratio, resolution = '1k' } = fields;
		if (resolution !== '1k' && resolution !== '2k') return 400;
		if (ratio !== undefined && !/^\d+:\d+$/.test(String(ratio))) return 400;
		if (request.path === '/v1/images/generations') return undefined;
		if (request.path !== '/v1/images/edits') return 404;
		const pictures = (fields['images'] ?? [fields['image']]) as { url?: string; type?: string }[];
		const sound = await Promise.all(
			pictures.map(async ({ url, type }) => type === 'image_url' && (await isDataUrl(url))),
		);
		return sound.length <= 3 && sound.every(Boolean) ? undefined : 400;
	},
	/** It takes width and height apart, and makes pictures from text alone. */
	together(request) {
		if (request.path !== '/v1/images/generations') return 404;
		const { size, width, height, response_format: format } = json(request);
		const isWhole = [width, height].every((side) => side === undefined || Number.isInteger(side));
		return size === undefined && isWhole && format === 'base64' ? undefined : 400;
	},
	/** One picture a call. */
	deepinfra(request) {
		if (request.path === '/v1/openai/images/generations')
			return Number(json(request)['n'] ?? 1) === 1 ? undefined : 422;
		if (request.path !== '/v1/openai/images/edits') return 404;
		return filesOf(request).every(({ name }) => name === 'image') ? undefined : 422;
	},
	/** Generations and edits have one address. It refuses fields that it does not know. */
	async openrouter(request) {
		if (request.headers.authorization !== `Bearer ${KEY}`) return 401;
		if (!isJson(request)) return 415;
		const fields = json(request);
		if (request.path === '/api/v1/chat/completions')
			return hasOnly(fields, ...CHAT_FIELDS, 'modalities', 'stream_options', 'max_completion_tokens') ? undefined : 400;
		if (request.path !== '/api/v1/images') return 404;
		const common = ['model', 'prompt', 'n', 'aspect_ratio', 'resolution', 'size', 'quality', 'background'];
		if (!hasOnly(fields, ...common, 'output_format', 'seed', 'stream', 'provider', 'input_references')) return 400;
		const { n, aspect_ratio: ratio, resolution, input_references: references = [] } = fields;
		if (
			n === 1 ||
			!isResolution(resolution) ||
			!isRatio(ratio, '1:2 2:1 9:21 21:9 1:1 16:9 9:16 4:3 3:4 3:2 2:3 4:5 5:4')
		)
			return 400;
		const sound = await Promise.all(
			(references as { type?: string; image_url?: { url?: string } }[]).map(
				async ({ type, image_url }) => type === 'image_url' && (await isDataUrl(image_url?.url)),
			),
		);
		return sound.length <= 14 && sound.every(Boolean) ? undefined : 400;
	},
	/** The native API: its own header for the key, contents in place of a prompt, one picture an answer. */
	async gemini(request): Promise<number | undefined> {
		if (request.path.startsWith('/v1beta/openai/')) return google(request);
		if (request.headers['x-goog-api-key'] !== KEY || request.headers.authorization !== undefined) return 401;
		if (request.path !== '/v1beta/models/some-image-model:generateContent') return 404;
		const { contents, generationConfig, ...others } = json(request) as GeminiRequest;
		if (!hasOnly(others, 'safetySettings', 'systemInstruction') || contents?.length !== 1) return 400;
		const { responseModalities = [], imageConfig = {}, ...more } = generationConfig ?? {};
		if (!responseModalities.includes('IMAGE') || !hasOnly(more, 'temperature', 'seed')) return 400;
		const ratios = '1:1 2:3 3:2 3:4 4:3 4:5 5:4 9:16 16:9 21:9';
		const { aspectRatio, imageSize, ...unknown } = imageConfig;
		if (!isRatio(aspectRatio, ratios) || !isResolution(imageSize) || !hasOnly(unknown)) return 400;
		const [first, ...rest] = contents[0]?.parts ?? [];
		if (contents[0]?.role !== 'user' || typeof first?.text !== 'string') return 400;
		const sound = await Promise.all(
			rest.map(
				async ({ inlineData }) =>
					/^image\/(png|jpeg|webp)$/.test(String(inlineData?.mimeType)) && (await isPicture(inlineData?.data)),
			),
		);
		return sound.length <= 14 && sound.every(Boolean) ? undefined : 400;
	},
	google,
} satisfies Record<string, Check>;

export type OtherService = keyof typeof SERVICES;

/** What services answer to a GET by which they can be told apart. Those with an address of their own are known by that. */
const DOCUMENTS: Partial<Record<OtherService, [path: string, body: unknown, headers?: Record<string, string>]>> = {
	litellm: ['/v1/models', { object: 'list', data: [{ id: 'fast' }] }, { 'x-litellm-version': '1.102.0' }],
	localai: ['/.well-known/localai.json', { version: 'v3.0.0' }],
	'sd-server': ['/v1/models', { data: [{ id: 'sd-cpp-local' }] }],
	sglang: ['/models', { data: [{ id: 'flux', pipeline_name: 'FluxPipeline' }] }],
	openrouter: ['/api/v1/models', { data: [{ id: 'some/model', architecture: { output_modalities: ['text'] } }] }],
	gemini: ['/v1beta/openai/models', { object: 'list', data: [{ id: 'models/some-image-model', object: 'model' }] }],
	together: ['/v1/models', [{ id: 'black-forest-labs/FLUX.1-schnell', type: 'image' }]],
};

/** Starts one of these services. What it refuses has its status; behaviours apply to the rest. */
export async function startOtherService(name: OtherService): Promise<FaultyService> {
	const check = async (request: RecordedRequest): Promise<Behaviour | undefined> => {
		const [path, body, headers] = DOCUMENTS[name] ?? [];
		if (request.method === 'GET')
			return request.path === path ? answers(200, JSON.stringify(body), headers) : answers(404);
		const status = await SERVICES[name](request);
		return status === undefined ? undefined : answers(status, '{"error":{"message":"Refused."}}');
	};
	const service = await startFaultyService({ check, embeds: false });
	if (name === 'gemini') service.always(answers(200, geminiResult(await smallPng())));
	if (name === 'openrouter') service.always(answers(200, openrouterResult(await smallPng())));
	return service;
}
