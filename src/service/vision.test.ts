import { afterEach, beforeEach, expect, test } from 'vitest';
import { answers, type FaultyService, startFaultyService } from '../../packages/fakes/src/service.ts';
import { ServiceClient, type ServiceOptions } from './client.ts';
import { PROFILES } from './profiles.ts';

let service: FaultyService;
let client: ServiceClient;

const connect = (options: Partial<ServiceOptions> = {}) =>
	new ServiceClient({
		...{ baseUrl: service.url, apiKey: 'key', timeoutMs: 5000, profile: PROFILES.openai },
		models: { image: 'image', chat: 'gpt-5-mini', embedding: 'embedding' },
		...options,
	});

beforeEach(async () => {
	service = await startFaultyService();
	client = connect();
});
afterEach(() => Promise.all([client.close(), service.close()]));

const lists = (...models: object[]) => answers(200, JSON.stringify({ object: 'list', data: models }));
const takes = (...models: (string | undefined)[]) => Promise.all(models.map((model) => client.takesPictures(model)));

test('the list of models says which of them take pictures, and is read once', async () => {
	service.next(
		lists(
			{ id: 'sees', architecture: { input_modalities: ['text', 'image'] } },
			{ id: 'gpt-4o', architecture: { input_modalities: ['text'] } },
			{ id: 'mistral', capabilities: { vision: true } },
			{ id: 'gpt-5-mini', architecture: 7, capabilities: null },
			{ id: 'grok-4', input_modalities: ['text'] },
			{ id: 'labelled', tags: ['vision', 'reasoning'] },
			{ id: 'gemma-3-12b', capabilities: ['completion'] },
		),
	);
	expect(await takes('sees', 'gpt-4o', 'mistral', 'gpt-5-mini', undefined)).toEqual([true, false, true, true, true]);
	expect(await takes('grok-4', 'labelled', 'gemma-3-12b')).toEqual([false, true, true]);
	expect(service.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /v1/models']);
});

test.each([
	['gpt-4o-mini', true],
	['openai/gpt-4.1', true],
	['o3', true],
	['gemini-3-flash', true],
	['qwen2.5-vl-72b-instruct', true],
	['meta-llama/Llama-4-Scout', true],
	['gpt-4o-audio-preview', false],
	['o3-mini', false],
	['gpt-3.5-turbo', false],
	['deepseek-chat', false],
	['gpt-image-2', false],
])('where the list cannot be read, the name %s decides', async (model, expected) => {
	service.next(answers(500));
	expect(await client.takesPictures(model)).toBe(expected);
});

test('CHAT_PICTURES decides without a request, and models of the studio take none', async () => {
	for (const [chatPictures, expected] of [['on', true] as const, ['off', false] as const]) {
		const other = connect({ chatPictures });
		expect([await other.takesPictures('gpt-4o'), await other.takesPictures('other')]).toEqual([expected, expected]);
		await other.close();
	}
	expect(service.requests).toEqual([]);
	const studio = connect({ profile: PROFILES.easel });
	service.next(lists({ id: 'gpt-5-mini' }));
	expect(await studio.takesPictures(undefined)).toBe(false);
	await studio.close();
});

test('a list without anything around it is read as well', async () => {
	service.next(answers(200, '[{"id":"one"},{"id":"two"}]'));
	expect(await client.models(AbortSignal.timeout(5000))).toEqual(['one', 'two']);
});
