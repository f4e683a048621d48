import { AzureOpenAI, toFile } from 'openai';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { KEY, SERVICES, startOtherService } from '../../packages/fakes/src/other-services.ts';
import {
	answers,
	type FaultyService,
	neverAnswers,
	smallPng,
	startFaultyService,
} from '../../packages/fakes/src/service.ts';
import { outcomeOfError } from '../jobs/outcome.ts';
import { ServiceClient, type ServiceOptions } from './client.ts';
import { findProfile } from './find-profile.ts';
import { PROFILES, type ProfileName } from './profiles.ts';

const NAMES = Object.keys(SERVICES) as (keyof typeof SERVICES)[];
/** The services that are known by their addresses. */
const HAS_ADDRESS: readonly string[] = [
	'azure',
	'azure-deployments',
	'xai',
	'deepinfra',
	'openrouter',
	'gemini',
	'google',
];
const { signal } = new AbortController();
let png: Buffer;
beforeEach(async () => {
	png = await smallPng();
});
const image = () => ({ bytes: png, type: 'image/png' });

describe.each(NAMES)('the service %s', (name) => {
	let service: FaultyService;
	let client: ServiceClient;
	const connect = (profile: ProfileName) =>
		new ServiceClient({
			...{ baseUrl: service.url, apiKey: KEY, timeoutMs: 5000, profile: PROFILES[profile] },
			models: { image: 'some-image-model', chat: 'chat', embedding: 'embedding' },
		});

	beforeEach(async () => {
		service = await startOtherService(name);
		client = connect(name);
	});
	afterEach(() => Promise.all([client.close(), service.close()]));

	test('is found by documents alone, unless its address tells', async () => {
		const found = await findProfile({ baseUrl: service.url, apiKey: KEY, profile: 'auto', imageModels: [] }, new Map());
		if (HAS_ADDRESS.includes(name)) expect(found).not.toBe(name);
		else expect([found, service.requests.every(({ method }) => method === 'GET')]).toEqual([name, true]);
	});

	test('makes pictures in every size, also for prompts that would be instructions to it', async () => {
		const n = Math.min(4, client.capabilities.maxPictures);
		for (const size of ['square', 'portrait', 'wide', '512x512', undefined])
			expect((await client.generate({ prompt: 'a fox', size, n }, signal)).images).toHaveLength(1);
		const tricky = 'a fox | <sd_cpp_extra_args>{"steps":500}</sd_cpp_extra_args>';
		await client.generate({ prompt: tricky }, signal);
		expect(service.requests).toHaveLength(6);
	});

	test('edits and composes, or says that it does not', async () => {
		const { edit, compose } = client.capabilities;
		const work = [
			() => client.edit({ image: image(), prompt: 'at night', n: 1 }, signal),
			() => client.compose({ images: [image(), image()], prompt: 'image 1 on image 2', size: 'wide' }, signal),
			() => client.compose({ images: [image(), image(), image()], prompt: 'blend' }, signal),
		];
		for (const call of work)
			if (edit && compose) expect((await call()).images).toHaveLength(1);
			else await expect(call()).rejects.toMatchObject({ kind: 'request' });
		expect(service.requests).toHaveLength(edit ? 3 : 0);
	});

	test('is asked once, also when it does not answer', async () => {
		service.next(neverAnswers);
		const stopped = new AbortController();
		void service.arrived(1).then(() => stopped.abort());
		await expect(client.generate({ prompt: 'a fox' }, stopped.signal)).rejects.toMatchObject({ kind: 'no-answer' });
		expect(service.requests).toHaveLength(1);
	});
});

test('deployments of Azure are asked at the paths of its SDK', async () => {
	const service = await startOtherService('azure-deployments');
	const endpoint = service.url;
	const azure = new AzureOpenAI({ endpoint, apiKey: KEY, apiVersion: '2025-04-01-preview', maxRetries: 0 });
	const client = new ServiceClient({
		...{ baseUrl: service.url, apiKey: KEY, timeoutMs: 5000, profile: PROFILES['azure-deployments'] },
		models: { image: 'some-image-model', chat: 'a chat', embedding: 'b' },
	});
	const file = () => toFile(png, 'a.png', { type: 'image/png' });
	const model = 'some-image-model';
	const messages = [{ role: 'user' as const, content: 'hi' }];
	await azure.images.generate({ model, prompt: 'a pond' });
	await azure.images.edit({ model, prompt: 'blend', image: [await file(), await file()] });
	await azure.chat.completions.create({ model: 'a chat', messages }).catch(() => {});
	await azure.embeddings.create({ model: 'b', input: 'x' }).catch(() => {});
	await azure.models.list().catch(() => {});
	const expected = service.requests.map(({ method, path }) => `${method} ${path}`);
	await client.generate({ prompt: 'a pond' }, signal);
	await client.compose({ prompt: 'blend', images: [image(), image()] }, signal);
	await Array.fromAsync(client.chat({ messages }, signal)).catch(() => {});
	await client.embed({ input: ['x'] }, signal).catch(() => {});
	await client.models(signal).catch(() => {});
	expect(service.requests.slice(5).map(({ method, path }) => `${method} ${path}`)).toEqual(expected);
	await Promise.all([client.close(), service.close()]);
});

test('the pictures of a composition are sent in their order', async () => {
	const pictures = await Promise.all(['#ff0000', '#00ff00', '#0000ff'].map((colour) => smallPng(colour)));
	for (const name of NAMES.filter((one) => PROFILES[one].capabilities.compose)) {
		const service = await startOtherService(name);
		const client = new ServiceClient({
			...{ baseUrl: service.url, apiKey: KEY, timeoutMs: 5000, profile: PROFILES[name] },
			models: { image: 'some-image-model', chat: 'chat', embedding: 'embedding' },
		});
		const images = pictures.map((bytes) => ({ bytes, type: 'image/png' }));
		await client.compose({ images, prompt: 'side by side' }, signal);
		const { body, headers } = service.requests[0]!;
		const sent =
			headers['content-type'] === 'application/json' ? (one: Buffer) => one.toString('base64') : (one: Buffer) => one;
		const indexes = pictures.map((one) => body.indexOf(sent(one)));
		expect(indexes.every((index) => index > 0)).toBe(true);
		expect(indexes).toEqual(indexes.toSorted((one, other) => one - other));
		await Promise.all([client.close(), service.close()]);
	}
});

const connectTo = (baseUrl: string, name: ProfileName, options: Partial<ServiceOptions> = {}) => {
	const models = { image: 'some-image-model', chat: 'chat', embedding: 'embedding' };
	const client = new ServiceClient({
		baseUrl,
		apiKey: KEY,
		timeoutMs: 5000,
		profile: PROFILES[name],
		models,
		...options,
	});
	onTestFinished(() => client.close());
	return client;
};

describe('Gemini', () => {
	let service: FaultyService;
	beforeEach(async () => {
		service = await startOtherService('gemini');
	});
	afterEach(() => service.close());

	test('gives its picture without drafts and long signatures, and its tokens', async () => {
		const result = await connectTo(service.url, 'gemini').generate({ prompt: 'a fox' }, signal);
		expect(result.images.map(({ bytes }) => Buffer.from(bytes))).toEqual([png]);
		expect(result.usage?.tokens).toEqual({ input: 12, output: 1390 });
	});

	test.each<[object, string, string?]>([
		[{ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } }, 'content'],
		[{ promptFeedback: { blockReason: 'OTHER', blockReasonMessage: 'Not this.' } }, 'content', 'Not this.'],
		...['IMAGE_SAFETY', 'SAFETY', 'IMAGE_PROHIBITED_CONTENT', 'RECITATION', 'SPII', 'BLOCKLIST'].map(
			(finishReason) => [{ candidates: [{ finishReason, content: {} }] }, 'content'] as [object, string],
		),
		[{ candidates: [{ finishReason: 'NO_IMAGE' }] }, 'request'],
		[
			{ candidates: [{ finishReason: 'STOP', content: { parts: [{ text: 'I only write.' }] } }] },
			'request',
			'I only write.',
		],
	])('refuses with %j, at no cost: %s', async (answer, kind, detail) => {
		service.next(answers(200, JSON.stringify(answer)));
		const error = await connectTo(service.url, 'gemini')
			.generate({ prompt: 'a fox' }, signal)
			.catch((one) => one);
		expect([error, outcomeOfError(error, true)]).toEqual([expect.objectContaining({ kind, status: 400 }), 'failed']);
		expect(error.detail).toBe(detail);
		expect(service.requests).toHaveLength(1);
	});

	test('names a key that it does not know', async () => {
		const error = {
			...{ code: 400, message: 'API key not valid. Please pass a valid API key.', status: 'INVALID_ARGUMENT' },
			details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }],
		};
		service.next(answers(400, JSON.stringify({ error })));
		const failed = connectTo(service.url, 'gemini').generate({ prompt: 'a fox' }, signal);
		await expect(failed).rejects.toMatchObject({ kind: 'key', code: 'API_KEY_INVALID' });
	});

	test.each(['', '/v1beta', '/v1beta/openai/'])(
		'is one service with two APIs, at its address with "%s"',
		async (path) => {
			const client = connectTo(`${service.url}${path}`, 'gemini', {
				imageFields: { generationConfig: { imageConfig: { imageSize: '2K' } } },
			});
			expect(await client.models(signal)).toEqual(['some-image-model']);
			await client.generate({ prompt: 'a fox', size: 'wide' }, signal);
			expect(JSON.parse(String(service.requests.at(-1)?.body)).generationConfig).toEqual({
				responseModalities: ['TEXT', 'IMAGE'],
				imageConfig: { aspectRatio: '16:9', imageSize: '2K' },
			});
			await Array.fromAsync(client.chat({ messages: [{ role: 'user', content: 'hi' }] }, signal)).catch(() => {});
			await client.embed({ input: ['x'] }, signal).catch(() => {});
			const compatible = service.requests.filter(({ headers }) => headers.authorization === `Bearer ${KEY}`);
			expect(compatible.map((one) => one.path)).toEqual(
				['/models', '/chat/completions', '/embeddings'].map((path) => `/v1beta/openai${path}`),
			);
		},
	);
});

describe('OpenRouter', () => {
	const lists = (paths: Record<string, object[]>) =>
		startFaultyService({
			embeds: false,
			check: async ({ method, path }) =>
				method === 'GET' ? answers(paths[path] ? 200 : 404, JSON.stringify({ data: paths[path] })) : undefined,
		});

	test('takes the resolutions of a model by its list of image models', async () => {
		const resolution = { type: 'enum', values: ['1K', '2K'] };
		const service = await lists({
			'/api/v1/models': [{ id: 'some/flux', supported_parameters: ['seed'] }],
			'/api/v1/images/models': [
				{ id: 'some/flux', supported_parameters: { resolution } },
				{ id: 'small', supported_parameters: { seed: { type: 'boolean' } } },
			],
		});
		onTestFinished(() => service.close());
		const client = connectTo(service.url, 'openrouter');
		const found = await Promise.all(['some/flux', 'small', 'unlisted'].map((model) => client.resolutionsOf(model)));
		expect(found).toEqual([['2K'], [], ['2K', '4K']]);
	});

	test('is asked for pictures where a chat model gives them', async () => {
		const service = await lists({
			'/api/v1/models': [
				{ id: 'draws', architecture: { input_modalities: ['text', 'image'], output_modalities: ['image', 'text'] } },
				{ id: 'writes', architecture: { input_modalities: ['text'], output_modalities: ['text'] } },
			],
			'/api/v1/images/models': [{ id: 'flux' }],
		});
		onTestFinished(() => service.close());
		const client = connectTo(service.url, 'openrouter');
		expect(await client.models(signal)).toEqual(['draws', 'writes', 'flux']);
		const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${png.toString('base64')}` } };
		const drawn = JSON.stringify({ choices: [{ message: { content: 'A fox.', images: [image] } }] });
		service.always(answers(200, drawn));
		for (const model of ['draws', 'writes']) {
			const messages = [{ role: 'user' as const, content: 'a fox' }];
			expect(await Array.fromAsync(client.chat({ messages, model }, signal))).toHaveLength(2);
		}
		const sent = service.requests.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(String(body)));
		expect(sent.map(({ modalities }) => modalities)).toEqual([['image', 'text'], undefined]);
	});

	test.each<[number, object, string, string]>([
		[
			403,
			{ message: 'Moderation', metadata: { reasons: ['violence'], flagged_input: 'x', provider_name: 'a' } },
			'content',
			'Moderation',
		],
		[
			400,
			{
				message: 'Provider returned error',
				metadata: { raw: '{"error":{"code":"moderation_blocked","message":"No."}}' },
			},
			'content',
			'No.',
		],
		[402, { message: 'Insufficient credits' }, 'balance', 'Insufficient credits'],
		[429, { message: 'Provider returned error', metadata: { raw: 'slow down' } }, 'busy', 'slow down'],
	])('answers %d %j: %s', async (status, error, kind, detail) => {
		const service = await startOtherService('openrouter');
		onTestFinished(() => service.close());
		service.next(answers(status, JSON.stringify({ error: { code: status, ...error } })));
		const failed = connectTo(service.url, 'openrouter').generate({ prompt: 'a fox' }, signal);
		const caught = await failed.catch((one) => one);
		expect([caught.kind, caught.detail]).toEqual([kind, detail]);
	});
});
