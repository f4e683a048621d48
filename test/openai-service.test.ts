import OpenAI, { toFile } from 'openai';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
	answersBlocked,
	answersError,
	type OpenaiService,
	startOpenaiService,
} from '../packages/fakes/src/openai/openai-service.ts';
import { answers, smallPng } from '../packages/fakes/src/service.ts';
import { ServiceClient } from '../src/service/client.ts';
import { PROFILES } from '../src/service/profiles.ts';

let service: OpenaiService;
let png: Buffer;
const { signal } = new AbortController();

beforeEach(async () => {
	service = await startOpenaiService();
	png = await smallPng('#2980b9', 16, 16);
});

afterEach(() => service.close());

describe('the openai SDK, unmodified', () => {
	test('generates, edits and lists models', async () => {
		const client = new OpenAI({ apiKey: 'test-key', baseURL: `${service.url}/v1`, maxRetries: 0 });
		const file = () => toFile(png, 'a.png', { type: 'image/png' });
		const made = await client.images.generate({
			...{ model: 'gpt-image-2', prompt: 'a pond', n: 2, size: '1536x864' },
			...{ quality: 'high', output_format: 'png', background: 'opaque', moderation: 'low' },
		});
		expect(made.data).toHaveLength(2);
		await client.images.edit({ model: 'gpt-image-2', image: await file(), prompt: 'at night' });
		await client.images.edit({ model: 'gpt-image-2', image: [await file(), await file()], prompt: 'blend' });
		expect((await client.models.list()).data.map(({ id }) => id)).toContain('gpt-image-2');
		expect([service.refusals, service.accepted()]).toEqual([[], 3]);
	});

	test('gets the format that it asks for, and streams with partial pictures', async () => {
		const client = new OpenAI({ apiKey: 'test-key', baseURL: `${service.url}/v1`, maxRetries: 0 });
		const request = { model: 'gpt-image-2', prompt: 'a pond' };
		const { data, output_format: format } = await client.images.generate({ ...request, output_format: 'webp' });
		const bytes = Buffer.from(data?.[0]?.b64_json ?? '', 'base64');
		expect([format, (await sharp(bytes).metadata()).format]).toEqual(['webp', 'webp']);
		const stream = await client.images.generate({ ...request, stream: true, partial_images: 2 });
		const events = await Array.fromAsync(stream);
		expect(events.map((event) => [event.type, 'usage' in event])).toEqual([
			['image_generation.partial_image', false],
			['image_generation.partial_image', false],
			['image_generation.completed', true],
		]);
		const image = await toFile(png, 'a.png', { type: 'image/png' });
		const edited = await client.images.edit({ ...request, image, stream: true });
		expect((await Array.fromAsync(edited)).map(({ type }) => type)).toEqual(['image_edit.completed']);
		expect(service.refusals).toEqual([]);
	});

	test('chats at once and as a stream, with a picture', async () => {
		const client = new OpenAI({ apiKey: 'test-key', baseURL: `${service.url}/v1`, maxRetries: 0 });
		const url = `data:image/png;base64,${png.toString('base64')}`;
		const content = [
			{ type: 'text' as const, text: 'What is this?' },
			{ type: 'image_url' as const, image_url: { url } },
		];
		const request = { model: 'gpt-5-mini', messages: [{ role: 'user' as const, content }] };
		const { choices, usage } = await client.chat.completions.create(request);
		expect([choices[0]?.message.content, usage?.total_tokens]).toEqual(['Indeed.', 37]);
		const stream = await client.chat.completions.create({
			...{ ...request, stream: true, stream_options: { include_usage: true } },
		});
		const chunks = await Array.fromAsync(stream);
		expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')).toBe('Indeed.');
		expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 30, completion_tokens: 7 } });
		expect(service.refusals).toEqual([]);
	});
});

describe('Easel, with the profile openai', () => {
	let client: ServiceClient;
	beforeEach(() => {
		client = new ServiceClient({
			...{ baseUrl: service.url, apiKey: 'test-key', timeoutMs: 5000, profile: PROFILES.openai },
			models: { image: 'gpt-image-2', chat: 'chat', embedding: 'embedding' },
		});
	});
	afterEach(() => client.close());
	const image = () => ({ bytes: png, type: 'image/png' });

	test('is accepted in all it asks for', async () => {
		expect((await client.generate({ prompt: 'a pond', size: 'tall', n: 4 }, signal)).images).toHaveLength(4);
		await client.generate({ prompt: 'a pond', size: '64x4096', model: 'gpt-image-1.5' }, signal);
		await client.edit({ image: image(), prompt: 'at night', n: 2 }, signal);
		await client.compose({ images: [image(), image()], prompt: 'image 1 on image 2' }, signal);
		const three = await client.compose({ images: [image(), image(), image()], prompt: 'blend', size: 'wide' }, signal);
		expect(three.images).toHaveLength(1);
		expect(await client.models(signal)).toContain('gpt-image-2');
		expect([service.refusals, service.accepted()]).toEqual([[], 5]);
		expect(String(service.requests[3]?.body)).toContain('image 1 on image 2');
	});

	test('is told the tokens of pictures and of streamed chat answers', async () => {
		const { usage } = await client.generate({ prompt: 'a pond' }, signal);
		expect(usage?.tokens).toEqual({ input: 12, output: 100 });
		const counted: unknown[] = [];
		const request = { messages: [{ role: 'user' as const, content: 'Are foxes red?' }] };
		const text = await Array.fromAsync(client.chat(request, signal, (one) => counted.push(one)));
		expect([text.join(''), counted]).toEqual(['Indeed.', [{ input: 30, output: 7 }]]);
		expect(service.refusals).toEqual([]);
	});

	test.each<[{ code: string; type: string; status?: number }, string]>([
		[{ code: 'moderation_blocked', type: 'image_generation_user_error' }, 'content'],
		[{ code: 'billing_hard_limit_reached', type: 'invalid_request_error' }, 'balance'],
		[{ code: 'model_not_found', status: 404, type: 'invalid_request_error' }, 'request'],
		[{ code: 'insufficient_quota', status: 429, type: 'insufficient_quota' }, 'balance'],
		[{ code: 'rate_limit_exceeded', status: 429, type: 'images' }, 'busy'],
		[{ code: 'invalid_api_key', status: 401, type: 'invalid_request_error' }, 'key'],
	])('sorts the error %j as %s', async ({ code, type, status = 400 }, kind) => {
		service.next(answersError({ status, code, param: null, message: 'No.' }, type));
		await expect(client.generate({ prompt: 'x' }, signal)).rejects.toMatchObject({ kind, status, code });
	});

	test('takes blocked content as refused, at whatever stage', async () => {
		service.next(answersBlocked(), answersBlocked('input'), answersBlocked('output'));
		for (let requests = 0; requests < 3; requests++)
			await expect(client.generate({ prompt: 'x' }, signal)).rejects.toMatchObject({
				...{ kind: 'content', code: 'moderation_blocked' },
			});
	});

	test.each([
		[{ 'retry-after-ms': '1500', 'retry-after': '20' }, 1.5],
		[{ 'x-ratelimit-remaining-images': '0', 'x-ratelimit-reset-images': '1m30s' }, 90],
		[{ 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '850ms' }, 0.85],
		[{ 'ratelimit-remaining': '0', 'ratelimit-reset': '44' }, 44],
		[{ 'x-ratelimit-remaining-images': '3', 'x-ratelimit-reset-images': '1m30s' }, undefined],
	])('waits as the headers %j say', async (headers, seconds) => {
		const limited = { status: 429, code: 'rate_limit_exceeded', param: null, message: 'Slow down.' };
		service.next(answersError(limited, 'images', headers));
		const error = await client.generate({ prompt: 'x' }, signal).catch((reason: unknown) => reason);
		expect(error).toMatchObject({ kind: 'busy' });
		expect((error as { retryAfterSeconds?: number }).retryAfterSeconds).toBe(seconds);
	});

	test('never takes an empty list, and sends nothing again', async () => {
		service.next(answers(200, '{"created":1,"data":[]}'));
		await expect(client.generate({ prompt: 'x' }, signal)).rejects.toMatchObject({ kind: 'invalid' });
		expect(service.accepted()).toBe(1);
	});
});

describe('the service refuses', () => {
	const post = async (path: string, body: FormData | string | object, headers: Record<string, string> = {}) => {
		const isJson = !(body instanceof FormData);
		const response = await fetch(service.url + path, {
			method: 'POST',
			headers: { authorization: 'Bearer test-key', ...(isJson && { 'content-type': 'application/json' }), ...headers },
			body: isJson ? (typeof body === 'string' ? body : JSON.stringify(body)) : body,
		});
		const { error } = (await response.json()) as { error?: Record<string, unknown> };
		expect(Object.keys(error ?? {}).sort()).toEqual(['code', 'message', 'param', 'type']);
		expect(service.accepted()).toBe(0);
		return [response.status, error?.['code'] ?? null, error?.['param'] ?? null];
	};
	const generation = (fields: object) =>
		post('/v1/images/generations', { model: 'gpt-image-2', prompt: 'a pond', ...fields });
	function form(...files: [name: string, file: Blob | string][]) {
		const body = new FormData();
		body.set('model', 'gpt-image-2');
		body.set('prompt', 'at night');
		for (const [name, file] of files)
			typeof file === 'string' ? body.append(name, file) : body.append(name, file, 'a.png');
		return post('/v1/images/edits', body);
	}
	const blob = (bytes: Uint8Array = png, type = 'image/png') => new Blob([new Uint8Array(bytes)], { type });

	test('a wrong key before all else, other addresses, other content types, JSON that is none', async () => {
		expect(await post('/v1/images/compose', '{', { authorization: 'Bearer other' })).toEqual([
			401,
			'invalid_api_key',
			null,
		]);
		expect(await post('/v1/images/compose', {})).toEqual([404, null, null]);
		expect((await post('/v1/images/generations', '{}', { 'content-type': 'text/plain' }))[0]).toBe(400);
		expect((await post('/v1/images/generations', '{"prompt":'))[0]).toBe(400);
	});

	test.each<[object, string, string]>([
		[{ model: 'dall-e-3' }, 'model_not_found', 'model'],
		[{ model: undefined }, 'model_not_found', 'model'],
		[{ response_format: 'b64_json' }, 'unknown_parameter', 'response_format'],
		[{ seed: 1 }, 'unknown_parameter', 'seed'],
		[{ style: 'vivid' }, 'unknown_parameter', 'style'],
		[{ prompt: '' }, 'invalid_value', 'prompt'],
		[{ prompt: 'x'.repeat(32_001) }, 'invalid_value', 'prompt'],
		[{ n: 0 }, 'invalid_value', 'n'],
		[{ n: 11 }, 'invalid_value', 'n'],
		[{ n: 1.5 }, 'invalid_value', 'n'],
		[{ size: '1000x1000' }, 'invalid_value', 'size'],
		[{ size: '3840x1024' }, 'invalid_value', 'size'],
		[{ size: '512x512' }, 'invalid_value', 'size'],
		[{ size: '1792x1024', model: 'gpt-image-1.5' }, 'invalid_value', 'size'],
		[{ quality: 'max' }, 'invalid_value', 'quality'],
		[{ complexity: 'low' }, 'unknown_parameter', 'complexity'],
		[{ background: 'transparent', output_format: 'jpeg' }, 'invalid_value', 'background'],
	])('a generation with %j', async (fields, code, param) => {
		expect((await generation(fields)).slice(1)).toEqual([code, param]);
	});

	test('the wrong fields, messages and pictures of a chat', async () => {
		const chat = (fields: object) =>
			post('/v1/chat/completions', { model: 'gpt-5-mini', messages: [{ role: 'user', content: 'hi' }], ...fields });
		const picture = (url: string, role = 'user') =>
			chat({ messages: [{ role, content: [{ type: 'image_url', image_url: { url } }] }] });
		const url = `data:image/png;base64,${png.toString('base64')}`;
		expect(await chat({ think: true })).toEqual([400, 'unknown_parameter', 'think']);
		expect((await chat({ stream_options: { include_usage: true } }))[2]).toBe('stream_options');
		expect(await chat({ max_tokens: 9 })).toEqual([400, 'unsupported_parameter', 'max_tokens']);
		expect((await chat({ max_completion_tokens: 0 }))[2]).toBe('max_completion_tokens');
		expect((await chat({ messages: [] }))[2]).toBe('messages');
		expect((await picture(url, 'system'))[2]).toBe('messages[0].content');
		expect((await picture(url.replace('png', 'jpeg')))[1]).toBe('invalid_image_url');
		expect((await picture('data:image/png;base64,AAAA'))[1]).toBe('invalid_image_url');
		expect((await picture(png.toString('base64')))[1]).toBe('invalid_image_url');
	});

	test('the wrong pictures of an edit', async () => {
		expect((await form())[1]).toBe('missing_required_parameter');
		expect((await form(['image', blob()], ['image', blob()]))[1]).toBe('duplicate_parameter');
		expect((await form(['image', blob()], ['image[]', blob()]))[1]).toBe('duplicate_parameter');
		expect((await form(...Array.from({ length: 17 }, () => ['image[]', blob()] as [string, Blob])))[1]).toBe(
			'too_many_images',
		);
		expect((await form(['image', blob(png, 'application/octet-stream')]))[1]).toBe('unsupported_file_mimetype');
		expect((await form(['image', blob(png.subarray(0, 60))]))[1]).toBe('invalid_image_file');
		expect((await form(['image', blob(await sharp(png).gif().toBuffer())]))[1]).toBe('invalid_image_file');
		expect((await form(['image[]', 'a text']))[1]).toBe('invalid_type');
		expect((await form(['image', blob()], ['moderation', 'low']))[1]).toBe('unknown_parameter');
		expect((await form(['image', blob()], ['input_fidelity', 'high']))[1]).toBe('invalid_input_fidelity_model');
		expect((await form(['image', blob()], ['n', 'x']))[1]).toBe('invalid_value');
	});

	test('the wrong mask', async () => {
		const mask = (width: number) => sharp(png).ensureAlpha(0.5).resize(width, 16).png().toBuffer();
		expect((await form(['image', blob()], ['mask', blob()]))[1]).toBe('invalid_mask_image_format');
		expect((await form(['image', blob()], ['mask', blob(await mask(8))]))[1]).toBe('invalid_mask_image_format');
		expect((await form(['image', blob()], ['mask', blob(png.subarray(0, 60))]))[1]).toBe('invalid_image_file');
		const sound = new FormData();
		for (const [name, value] of [
			['model', 'gpt-image-2'],
			['prompt', 'at night'],
		] as const)
			sound.set(name, value);
		sound.set('image', blob(), 'a.png');
		sound.set('mask', blob(await mask(16)), 'b.png');
		const headers = { authorization: 'Bearer test-key' };
		expect((await fetch(`${service.url}/v1/images/edits`, { method: 'POST', headers, body: sound })).status).toBe(200);
	});

	test('the wrong pictures of an edit in JSON', async () => {
		const fields = { model: 'gpt-image-2', prompt: 'at night' };
		const edit = (images: unknown) => post('/v1/images/edits', { ...fields, images });
		expect((await edit([]))[1]).toBe('missing_required_parameter');
		expect((await edit([{ image_url: 'data:image/png;base64,AAAA' }]))[1]).toBe('invalid_image_file');
		const url = `data:image/png;base64,${png.toString('base64')}`;
		expect((await edit([{ image_url: url, file_id: 'file-1' }]))[1]).toBe('invalid_image_file');
		expect((await post('/v1/images/edits', { ...fields, image: url }))[1]).toBe('unknown_parameter');
	});
});
