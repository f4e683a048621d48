import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import {
	answers,
	answersInPieces,
	type FaultyService,
	imageResult,
	smallPng,
	startFaultyService,
} from '../../packages/fakes/src/service.ts';
import { ServiceClient, type ServiceOptions } from './client.ts';
import { PROFILES } from './profiles.ts';
import type { Service } from './service.ts';

let fake: FaultyService;
let service: Service;
const { signal } = new AbortController();

const options: Omit<ServiceOptions, 'baseUrl'> = {
	apiKey: 'key-123',
	timeoutMs: 10_000,
	models: { image: 'alpha-image', chat: 'alpha-chat', embedding: 'alpha-embedding' },
};

beforeEach(async () => {
	fake = await startFaultyService({ embeds: false });
	service = new ServiceClient({ ...options, baseUrl: fake.url });
});

afterEach(async () => {
	await service.close();
	await fake.close();
});

async function input(colour: string) {
	return { bytes: await smallPng(colour), type: 'image/png' };
}

/** Returns the last request's multipart fields, read by Node's own parser. */
async function form() {
	const { headers, body } = fake.requests.at(-1)!;
	expect(headers['content-length']).toBe(String(body.length));
	const fields = await new Response(new Uint8Array(body), {
		headers: { 'content-type': headers['content-type']! },
	}).formData();
	const entries = [...fields].map(async ([name, value]) => {
		if (typeof value === 'string') return [name, value];
		return [name, { name: value.name, type: value.type, bytes: new Uint8Array(await value.arrayBuffer()) }];
	});
	return Promise.all(entries);
}

function json() {
	const { headers, body } = fake.requests.at(-1)!;
	expect(headers['content-type']).toBe('application/json');
	expect(headers['content-length']).toBe(String(body.length));
	return JSON.parse(body.toString());
}

describe('requests', () => {
	test('generation', async () => {
		const png = await smallPng('#27ae60', 6, 4);
		fake.next(answers(200, imageResult(png)));
		expect(await service.generate({ prompt: 'a red fox', size: '1024x1024', n: 2 }, signal)).toEqual({
			images: [{ bytes: new Uint8Array(png), width: 6, height: 4 }],
			refusal: expect.objectContaining({ kind: 'invalid' }),
			release: expect.any(Function),
		});
		const [request] = fake.requests;
		expect(request).toMatchObject({ method: 'POST', path: '/v1/images/generations' });
		expect(request!.headers.authorization).toBe('Bearer key-123');
		expect(json()).toEqual({ model: 'alpha-image', prompt: 'a red fox', size: '1024x1024', n: 2 });
		await service.generate({ prompt: 'x', model: 'beta' }, signal);
		expect(json()).toEqual({ model: 'beta', prompt: 'x' });
	});

	test('editing in multipart', async () => {
		const image = await input('red');
		await service.edit({ image, prompt: 'é\r\n--"😀', n: 3 }, signal);
		expect(fake.requests[0]!.path).toBe('/v1/images/edits');
		expect(await form()).toEqual([
			['model', 'alpha-image'],
			['prompt', 'é\r\n--"😀'],
			['n', '3'],
			['image', { name: 'image-1.png', type: 'image/png', bytes: new Uint8Array(image.bytes) }],
		]);
	});

	test('editing in JSON, with base64 over many slices', async () => {
		const other = new ServiceClient({ ...options, baseUrl: fake.url, profile: PROFILES.xai });
		const bytes = new Uint8Array(100_000).map((_, at) => at * 7);
		await other.edit({ image: { bytes, type: 'image/jpeg' }, prompt: 'p', model: 'beta' }, signal);
		const url = `data:image/jpeg;base64,${Buffer.from(bytes).toString('base64')}`;
		expect(json()).toMatchObject({ model: 'beta', prompt: 'p', image: { url } });
		await other.close();
	});

	test('composing in multipart: the pictures in order, no model', async () => {
		const images = [await input('red'), await input('green'), await input('blue')];
		await service.compose({ images, prompt: 'side by side', size: '512x512' }, signal);
		expect(fake.requests[0]!.path).toBe('/v1/images/compose');
		const file = (at: number) => ({
			name: `image-${at + 1}.png`,
			type: 'image/png',
			bytes: new Uint8Array(images[at]!.bytes),
		});
		expect(await form()).toEqual([
			['prompt', 'side by side'],
			['size', '512x512'],
			['image', file(0)],
			['image', file(1)],
			['image', file(2)],
		]);
	});

	test.each(['easel', 'xai'] as const)('pictures that are read when they are sent, to %s', async (name) => {
		const other = new ServiceClient({ ...options, baseUrl: fake.url, profile: PROFILES[name] });
		const { bytes, type } = await input('red');
		const size = bytes.length;
		const order: string[] = [];
		const images = ['first', 'second'].map((name) => ({
			...{ type, size },
			async read() {
				order.push(name);
				return bytes;
			},
		}));
		await other.compose({ images, prompt: 'p' }, signal);
		await other.close();
		expect(order).toEqual(['first', 'second']);
		const { body, headers } = fake.requests[0]!;
		expect(Number(headers['content-length'])).toBe(body.length);
		const sent = name === 'xai' ? Buffer.from(bytes).toString('base64') : Buffer.from(bytes);
		expect(body.indexOf(sent)).toBeGreaterThan(0);
	});

	test('composing in JSON', async () => {
		const other = new ServiceClient({ ...options, baseUrl: fake.url, profile: PROFILES.xai });
		const images = [await input('red'), { bytes: Buffer.from('RIFF'), type: 'text/html"\r\nx: y' }];
		await other.compose({ images, prompt: 'p' }, signal);
		expect(json()).toMatchObject({
			prompt: 'p',
			images: [
				{ url: `data:image/png;base64,${Buffer.from(images[0]!.bytes).toString('base64')}` },
				{ url: 'data:application/octet-stream;base64,UklGRg==' },
			],
		});
		await other.close();
	});

	test('to a base address with a path and a slash', async () => {
		const other = new ServiceClient({ ...options, baseUrl: `${fake.url}/some/proxy/` });
		await other.generate({ prompt: 'x' }, signal);
		expect(fake.requests[0]!.path).toBe('/some/proxy/v1/images/generations');
		await other.close();
	});

	test('without a key have no header for it', async () => {
		const other = new ServiceClient({ ...options, apiKey: undefined, baseUrl: fake.url });
		await other.generate({ prompt: 'x' }, signal);
		expect(fake.requests[0]!.headers).not.toHaveProperty('authorization');
		await other.close();
	});

	test.each([
		'ftp://example.com',
		'example.com',
		'',
		'http://a:b@example.com',
		'http://example.com/?x',
		'http://example.com/#x',
	])('%j is no address', (baseUrl) => {
		expect(() => new ServiceClient({ ...options, baseUrl })).toThrow(TypeError);
	});

	test('refuse a key with a line break, without repeating it', () => {
		const make = () => new ServiceClient({ ...options, baseUrl: fake.url, apiKey: 'se\ncret' });
		expect(make).toThrow(TypeError);
		expect(make).not.toThrow(/cret/);
	});
});

describe('answers', () => {
	test('a picture in many small chunks of one packet, and in large ones', async () => {
		const png = Buffer.concat([await smallPng(), Buffer.alloc(700_000, 0x5a)]);
		const body = imageResult(png, png);
		for (const size of [7_001, 65_536, 1_000_000]) {
			const pieces = Array.from({ length: Math.ceil(body.length / size) }, (_, i) =>
				body.slice(i * size, (i + 1) * size),
			);
			fake.next(answersInPieces(pieces));
			const { images } = await service.generate({ prompt: 'x', n: 2 }, signal);
			expect(images.map(({ bytes }) => Buffer.from(bytes).equals(png))).toEqual([true, true]);
		}
		fake.next(async ({ response, read }) => {
			await read();
			response.writeHead(200, { trailer: 'x-done' });
			response.cork();
			for (let at = 0; at < body.length; at += 997) response.write(body.slice(at, at + 997));
			response.addTrailers({ 'x-done': 'yes' });
			response.end();
		});
		const { images } = await service.generate({ prompt: 'x', n: 2 }, signal);
		expect(images.map(({ bytes }) => Buffer.from(bytes).equals(png))).toEqual([true, true]);
	});

	test('to concurrent calls are not mixed up', async () => {
		const pngs = await Promise.all(Array.from({ length: 24 }, (_, i) => smallPng(`rgb(${i * 10}, 0, 0)`, 50 + i, 50)));
		fake.always(async (exchange) => {
			const index = Number(JSON.parse((await exchange.read()).toString()).prompt);
			const png = Buffer.concat([pngs[index]!, Buffer.alloc(200_000, index)]);
			exchange.response.end(imageResult(png));
		});
		const results = await Promise.all(pngs.map((_, i) => service.generate({ prompt: String(i) }, signal)));
		for (const [i, { images }] of results.entries()) {
			const expected = Buffer.concat([pngs[i]!, Buffer.alloc(200_000, i)]);
			expect(images[0]!.width).toBe(50 + i);
			expect(Buffer.from(images[0]!.bytes).equals(expected)).toBe(true);
		}
	});

	test('an embedding in all forms, models', async () => {
		fake.next(answers(200, JSON.stringify({ data: [{ embedding: [0.5, -0.25] }] })));
		expect(await service.embed({ input: ['fox'] }, signal)).toEqual([[0.5, -0.25]]);
		expect(json()).toEqual({ model: 'alpha-embedding', input: 'fox', encoding_format: 'float' });
		const floats = Buffer.from(new Float32Array([0.5, -0.25]).buffer).toString('base64');
		fake.next(answers(200, JSON.stringify({ data: [{ embedding: floats }] })));
		expect(await service.embed({ input: ['fox'] }, signal)).toEqual([[0.5, -0.25]]);
		fake.next(answers(200, JSON.stringify({ data: [{ embedding: [[0.5, -0.25]] }] })));
		expect(await service.embed({ input: ['fox'] }, signal)).toEqual([[0.5, -0.25]]);
		const several = [2, 1].map((index) => ({ index, embedding: [index, 0.5] }));
		fake.next(answers(200, JSON.stringify({ data: several })));
		expect(await service.embed({ input: ['fox', 'owl'] }, signal)).toEqual([
			[1, 0.5],
			[2, 0.5],
		]);
		expect(json()).toMatchObject({ input: ['fox', 'owl'] });

		fake.next(
			answers(
				200,
				JSON.stringify({
					object: 'list',
					data: [{ id: 'alpha-image', object: 'model' }, null, { id: 7 }, { id: 'beta' }],
				}),
			),
		);
		expect(await service.models(signal)).toEqual(['alpha-image', 'beta']);
		expect(fake.requests.at(-1)).toMatchObject({ method: 'GET', path: '/v1/models' });
	});

	test.each([
		[{ flagged: true, categories: { violence: true, hate: null, sexual: false } }, ['violence']],
		[{ categories: { violence: true, sexual: false } }, ['violence']],
		[{ categories: { violence: false } }, []],
		[{ flagged: true }, ['flagged']],
		[{ flagged: true, categories: { violence: false } }, ['flagged']],
		[{ flagged: false }, []],
		[{}, undefined],
		[{ flagged: 'no' }, undefined],
	])('a moderation may be %j', async (result, flags) => {
		const client = new ServiceClient({
			...{ ...options, baseUrl: fake.url },
			models: { ...options.models, moderation: 'm' },
		});
		onTestFinished(() => client.close());
		fake.next(answers(200, JSON.stringify({ results: [result] })));
		const found = await client.moderate!({ text: 'x' }, signal).catch(() => undefined);
		expect(found).toEqual(flags);
	});

	test.each([
		[{ data: [{ id: 'one' }], has_more: true, last_id: 'one/x' }, 'after_id=one%2Fx'],
		[{ models: [{ name: 'models/one' }], nextPageToken: 't' }, 'pageToken=t'],
	])('lists of models come in pages: %j', async (page, query) => {
		const before = fake.requests.length;
		fake.next(answers(200, JSON.stringify(page)), answers(200, '{"data":[{"id":"two"}],"has_more":false}'));
		expect(await service.models(signal)).toEqual(['one', 'two']);
		expect(fake.requests.at(-1)).toMatchObject({ path: `/v1/models?${query}` });
		fake.next(answers(200, JSON.stringify(page)), answers(500, ''));
		expect(await service.models(signal)).toEqual(['one']);
		fake.always(answers(200, JSON.stringify(page)));
		expect(await service.models(signal)).toEqual(['one']);
		expect(fake.requests.length - before).toBe(14);
	});

	test.each([
		'',
		'<html>',
		'{}',
		'{"data":[{}]}',
		'{"data":[{"embedding":"???"}]}',
		'{"data":[{"embedding":"QUJD"}]}',
		'{"data":[{"embedding":[0,0,0]}]}',
		'{"data":[{"embedding":[1,null]}]}',
		'{"choices":[]}',
		'null',
	])('%j is invalid', async (body) => {
		fake.always(answers(200, body, { 'x-request-id': 'r' }));
		const invalid = { name: 'ServiceError', kind: 'invalid', status: 200, requestId: 'r' };
		await expect(service.generate({ prompt: 'x' }, signal)).rejects.toMatchObject(invalid);
		if (/^[{[]/.test(body))
			await expect(Array.fromAsync(service.chat({ messages: [] }, signal))).rejects.toMatchObject(invalid);
		await expect(service.embed({ input: [''] }, signal)).rejects.toMatchObject(invalid);
		if (body.includes('data')) expect(await service.models(signal)).toEqual([]);
		else await expect(service.models(signal)).rejects.toMatchObject(invalid);
	});

	test('may have status 201', async () => {
		fake.next(answers(201, imageResult(await smallPng())));
		expect((await service.generate({ prompt: 'x' }, signal)).images).toHaveLength(1);
		expect(fake.requests[0]!.headers['accept-encoding']).toBe('identity');
	});

	test.each<[string, (text: string) => Buffer]>([
		['gzip', gzipSync],
		['GZIP', gzipSync],
		['deflate', deflateSync],
		['br', brotliCompressSync],
		['zstd', zstdCompressSync],
	])('are read though they are compressed unasked: %s', async (encoding, compress) => {
		const compressed = (status: number, text: string) =>
			answers(status, compress(text), { 'content-encoding': encoding });
		const large = Buffer.concat([await smallPng(), Buffer.alloc(300_000, 7)]);
		fake.next(compressed(200, imageResult(large)));
		const { images } = await service.generate({ prompt: 'x' }, signal);
		expect(images.map(({ bytes }) => large.equals(bytes))).toEqual([true]);
		fake.next(compressed(200, 'data: {"choices":[{"delta":{"content":"A fox."}}]}\n\ndata: [DONE]\n\n'));
		expect(await Array.fromAsync(service.chat({ messages: [] }, signal))).toEqual(['A fox.']);
		fake.next(compressed(200, '{"data":[{"id":"one"}]}'));
		expect(await service.models(signal)).toEqual(['one']);
		fake.next(compressed(400, '{"error":{"message":"Too long."}}'));
		await expect(service.generate({ prompt: 'x' }, signal)).rejects.toMatchObject({
			kind: 'request',
			detail: 'Too long.',
		});
	});

	test.each([
		['gzip', 'x', 'cut-off'],
		['gzip', gzipSync('x'.repeat(1000)).subarray(0, 20), 'cut-off'],
		['compress', 'x', 'invalid'],
	])('that are compressed and damaged, or in another way, are none: %s', async (encoding, body, kind) => {
		fake.always(answers(200, body, { 'content-encoding': encoding }));
		await expect(service.generate({ prompt: 'x' }, signal)).rejects.toMatchObject({ kind });
		await expect(service.models(signal)).rejects.toMatchObject({ kind });
	});
});

describe('an optional field that the service refuses', () => {
	const invalid = (status: number, error: object) => answers(status, JSON.stringify(error));
	const fields = () => fake.requests.map(({ body }) => Object.keys(JSON.parse(body.toString())));
	const openai = () => new ServiceClient({ ...options, baseUrl: fake.url, profile: PROFILES.openai });

	test('is left out of a chat, from then on', async () => {
		const other = openai();
		const completion = answers(200, '{"choices":[{"message":{"content":"A fox."}}]}');
		fake.next(
			invalid(422, { detail: [{ type: 'extra_forbidden', loc: ['body', 'stream_options'] }] }),
			...[completion, completion],
		);
		for (let times = 0; times < 2; times++)
			expect(await Array.fromAsync(other.chat({ messages: [] }, signal))).toEqual(['A fox.']);
		expect(fields().map((names) => names.includes('stream_options'))).toEqual([true, false, false]);
		await other.close();
	});

	test('is left out of embeddings and of requests for pictures, and no other one is', async () => {
		const embedding = answers(200, JSON.stringify({ data: [{ embedding: [1, 2] }] }));
		fake.next(invalid(400, { error: { message: 'No such argument', param: 'encoding_format' } }), embedding);
		expect(await service.embed({ input: ['fox'] }, signal)).toEqual([[1, 2]]);
		const other = new ServiceClient({ ...options, baseUrl: fake.url, profile: PROFILES.xai });
		fake.next(
			invalid(400, { error: { message: 'Unknown parameter', param: 'response_format' } }),
			answers(200, imageResult(await smallPng())),
		);
		expect((await other.generate({ prompt: 'a fox' }, signal)).images).toHaveLength(1);
		const names = fields().map((all) => all.filter((name) => /_format$/.test(name)));
		expect(names).toEqual([['encoding_format'], [], ['response_format'], []]);
		await other.close();
	});

	test('is not the reason of another refusal, nor of one that comes after the field was taken', async () => {
		const other = openai();
		const chat = () => Array.fromAsync(other.chat({ messages: [] }, signal)).catch(({ kind }) => kind);
		fake.next(invalid(404, { error: { code: 'model_not_found' } }), answers(401), answers(500));
		expect([await chat(), await chat(), await chat()]).toEqual(['request', 'key', 'failure']);
		fake.next(answers(200, 'data: [DONE]\n\n'), invalid(400, { error: { message: 'Too long' } }));
		expect([await chat(), await chat()]).toEqual([[], 'request']);
		expect(fake.requests).toHaveLength(5);
		await other.close();
	});

	test('is left out for the model that refuses it by name, though another one takes it', async () => {
		const other = openai();
		const chat = (model: string) => Array.fromAsync(other.chat({ messages: [], model }, signal));
		const refusal = invalid(422, { detail: [{ msg: 'Extra', loc: ['body', 'stream_options'] }] });
		const done = answers(200, 'data: [DONE]\n\n');
		fake.next(done, refusal, done, done);
		for (const model of ['one', 'other', 'one']) expect(await chat(model)).toEqual([]);
		expect(fields().map((names) => names.includes('stream_options'))).toEqual([true, true, false, true]);
		await other.close();
	});
});

describe('errors', () => {
	test('hold everything that the service says', async () => {
		const body = JSON.stringify({ error: { message: 'Slow down', code: 'rate_limit_exceeded' } });
		fake.next(answers(429, body, { 'retry-after': '12', 'x-request-id': 'req-9' }));
		await expect(service.generate({ prompt: 'x' }, signal)).rejects.toMatchObject({
			kind: 'busy',
			status: 429,
			code: 'rate_limit_exceeded',
			requestId: 'req-9',
			retryAfterSeconds: 12,
			detail: 'Slow down',
		});
		expect(fake.requests).toHaveLength(1);
	});

	test('never repeat the key', async () => {
		fake.next(answers(401, JSON.stringify({ error: { message: 'Incorrect key: key-123', code: 'key-123' } })));
		const error = await service.models(signal).catch((caught) => caught);
		expect(error).toMatchObject({ kind: 'key', detail: 'Incorrect key: …' });
		expect(error.code).toBeUndefined();
		const local = new ServiceClient({ ...options, apiKey: 'x', baseUrl: fake.url });
		onTestFinished(() => local.close());
		fake.next(answers(400, JSON.stringify({ error: 'exact' })));
		await expect(local.models(signal)).rejects.toMatchObject({ detail: 'exact' });
	});

	test('of a large body are parsed in part; an endless one counts as cut off', async () => {
		fake.next(answersInPieces([]), answers(400, `{"error":"${'x'.repeat(10_000_000)}`), async ({ response, read }) => {
			await read();
			response.writeHead(402);
			const more = () => void (response.destroyed || response.write('x'.repeat(10_000), () => setImmediate(more)));
			more();
		});
		await expect(service.generate({ prompt: 'x' }, signal)).rejects.toMatchObject({ kind: 'invalid' });
		await expect(service.generate({ prompt: 'x' }, signal)).rejects.toMatchObject({ kind: 'request', status: 400 });
		await expect(service.generate({ prompt: 'x' }, signal)).rejects.toMatchObject({
			kind: 'cut-off',
			status: 402,
			code: 'TOO_LONG',
		});
	});

	test.each([301, 302, 303, 307, 308])(
		'a %d is not followed, since the key is for the service alone',
		async (status) => {
			const stranger = await startFaultyService();
			fake.always(answers(status, '', { location: `${stranger.url}/v1/images/generations` }));
			await expect(service.generate({ prompt: 'x' }, signal)).rejects.toMatchObject({ name: 'ServiceError', status });
			await expect(service.models(signal)).rejects.toMatchObject({ status });
			expect(stranger.requests).toHaveLength(0);
			await stranger.close();
		},
	);
});

describe('an operation that the service does not know', () => {
	const absent = (status: number, body: string) => answers(status, body);
	const paths = () => fake.requests.map(({ path }) => path);
	const INVALID_URL =
		'{"error":{"message":"Invalid URL (POST /v1/images/compose)","type":"invalid_request_error","code":null}}';

	test.each([
		[404, '{"detail":"Not Found"}'],
		[404, INVALID_URL],
		[400, INVALID_URL],
		[405, ''],
	])('is replaced once: a composition is an edit after %d %s', async (status, body) => {
		const images = [await input('red'), await input('green')];
		const png = await smallPng();
		fake.next(absent(status, body), answers(200, imageResult(png)), answers(200, imageResult(png)));
		expect((await service.compose({ images, prompt: 'both', model: 'm' }, signal)).images).toHaveLength(1);
		expect(await form()).toEqual([
			['model', 'm'],
			['prompt', 'both'],
			['image[]', expect.anything()],
			['image[]', expect.anything()],
		]);
		expect(paths()).toEqual(['/v1/images/compose', '/v1/images/edits']);
		expect(service.capabilities).toMatchObject({ edit: true, compose: true });
		// It is known from now on.
		await service.compose({ images, prompt: 'both' }, signal);
		expect(paths().slice(2)).toEqual(['/v1/images/edits']);
	});

	test('is not offered for a while, and the service is asked for its profile', async () => {
		vi.useFakeTimers({ toFake: ['performance'] });
		onTestFinished(() => void vi.useRealTimers());
		const findProfile = vi.fn(async () => undefined);
		const other = new ServiceClient({ ...options, baseUrl: fake.url, profile: PROFILES.openai, findProfile });
		onTestFinished(() => other.close());
		const image = await input('red');
		fake.next(absent(404, ''));
		const failed = expect.objectContaining({ kind: 'request', code: 'NOT_OFFERED' });
		await expect(other.edit({ image, prompt: 'x' }, signal)).rejects.toEqual(failed);
		await expect(other.compose({ images: [image, image], prompt: 'x' }, signal)).rejects.toEqual(failed);
		expect([paths(), findProfile.mock.calls.length]).toEqual([['/v1/images/edits'], 1]);
		expect(other.capabilities).toMatchObject({ edit: false, compose: false });
		vi.advanceTimersByTime(600_001);
		expect(other.capabilities).toMatchObject({ edit: true, compose: true });
		expect((await other.edit({ image, prompt: 'x' }, signal)).images).toHaveLength(1);
	});

	test('is there where pictures are made at the same address', async () => {
		const other = new ServiceClient({ ...options, baseUrl: fake.url, profile: PROFILES.openrouter });
		onTestFinished(() => other.close());
		const detail = 'No endpoints found for some/model.';
		fake.next(absent(404, JSON.stringify({ error: { message: detail, code: 404 } })));
		const image = await input('red');
		await expect(other.edit({ image, prompt: 'x' }, signal)).rejects.toMatchObject({ kind: 'request', detail });
		expect(other.capabilities.edit).toBe(true);
	});

	test('is used as the profile has it that the service shows by then', async () => {
		const findProfile = async () => PROFILES.localai;
		const other = new ServiceClient({ ...options, baseUrl: fake.url, profile: PROFILES['openai'], findProfile });
		onTestFinished(() => other.close());
		const image = await input('red');
		fake.next(absent(404, ''));
		await other.edit({ image, prompt: 'x' }, signal).catch(() => {});
		await other.edit({ image, prompt: 'x' }, signal);
		expect(paths()).toEqual(['/v1/images/edits', '/v1/images/generations']);
		expect(json()).toHaveProperty('ref_images');
	});

	test.each([
		[404, '{"error":{"code":"model_not_found","message":"No.","param":"model"}}'],
		[404, '{"error":{"message":"The model `m` does not exist"}}'],
		[404, '{"error":{"code":"DeploymentNotFound"}}'],
		[400, '{"error":{"message":"Bad prompt"}}'],
	])('is told from another refusal: %d %s', async (status, body) => {
		fake.next(absent(status, body));
		const images = [await input('red'), await input('green')];
		await expect(service.compose({ images, prompt: 'x' }, signal)).rejects.toMatchObject({ kind: 'request', status });
		expect(paths()).toEqual(['/v1/images/compose']);
		expect(service.capabilities).toMatchObject({ edit: true, compose: true });
	});
});

describe('who asks', () => {
	const by = { platform: 'discord', id: '1234567' };
	const identify = vi.fn(async ({ platform, id }: typeof by) => `code of ${platform.length + id.length}`);
	const identifierOf = ({ body }: { body: Buffer }) => JSON.parse(String(body)).safety_identifier;

	test.each(['openai', 'litellm'] as const)('is sent as a code, where the service takes one: %s', async (name) => {
		const other = new ServiceClient({ ...options, baseUrl: fake.url, profile: PROFILES[name], identify });
		onTestFinished(() => other.close());
		await other.generate({ prompt: 'a fox', by }, signal);
		fake.next(answers(200, 'data: {"choices":[{"delta":{"content":"Hi"}}]}\n\ndata: [DONE]\n\n'));
		await Array.fromAsync(other.chat({ messages: [{ role: 'user', content: 'Hi' }], by }, signal));
		await other.generate({ prompt: 'a fox' }, signal);
		const code = name === 'openai' ? 'code of 14' : undefined;
		expect(fake.requests.map(identifierOf)).toEqual([code, code, undefined]);
		expect(String(fake.requests.map(({ body }) => body))).not.toContain(by.id);
	});

	test('is left out where the service refuses it, or the store does not answer', async () => {
		const other = new ServiceClient({ ...options, baseUrl: fake.url, profile: PROFILES.openai, identify });
		onTestFinished(() => other.close());
		fake.next(answers(400, '{"error":{"code":"unknown_parameter","param":"safety_identifier","message":"No."}}'));
		await other.generate({ prompt: 'a fox', by }, signal);
		await other.generate({ prompt: 'a fox', by }, signal);
		expect(fake.requests.map(identifierOf)).toEqual(['code of 14', undefined, undefined]);
		identify.mockRejectedValueOnce(new Error('no store'));
		const third = new ServiceClient({ ...options, baseUrl: fake.url, profile: PROFILES.openai, identify });
		onTestFinished(() => third.close());
		await third.generate({ prompt: 'a fox', by }, signal);
		expect(identifierOf(fake.requests.at(-1)!)).toBeUndefined();
	});
});
