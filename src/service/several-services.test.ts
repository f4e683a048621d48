import { afterEach, beforeEach, expect, test } from 'vitest';
import { answers, type FaultyService, startFaultyService } from '../../packages/fakes/src/service.ts';
import { ServiceClient, type ServiceOptions } from './client.ts';
import { PROFILES } from './profiles.ts';

const { signal } = new AbortController();
const models = { image: 'image-model', chat: 'chat-model', embedding: 'embedding-model' };
const CHAT = JSON.stringify({ choices: [{ message: { content: 'Hi' }, finish_reason: 'stop' }] });
const EMBEDDINGS = JSON.stringify({ data: [{ embedding: [1, 2] }] });

let fakes: FaultyService[];
let clients: ServiceClient[];
beforeEach(async () => {
	clients = [];
	fakes = await Promise.all([1, 2, 3].map(() => startFaultyService({ embeds: false })));
});
afterEach(() => Promise.all([...clients, ...fakes].map((one) => one.close())));

function client(options: Partial<ServiceOptions> = {}) {
	const made = new ServiceClient({ baseUrl: fakes[0]!.url, apiKey: 'key-0', timeoutMs: 5000, models, ...options });
	clients.push(made);
	return made;
}
const chat = (service: ServiceClient) =>
	Array.fromAsync(service.chat({ messages: [{ role: 'user', content: 'Hi' }] }, signal));
const requestsOf = ({ requests }: FaultyService) =>
	requests.map(({ path, headers }) => `${path} ${headers.authorization ?? headers['api-key']}`);
const bodyOf = ({ requests }: FaultyService) => JSON.parse(String(requests.at(-1)?.body));

test('pictures, chats and embeddings go to their own services, each with its own key', async () => {
	const [, chats, embeddings] = fakes as [FaultyService, FaultyService, FaultyService];
	const service = client({
		headers: { 'x-team': 'art' },
		chat: { baseUrl: chats.url, apiKey: 'key-1' },
		embedding: { baseUrl: `${embeddings.url}/api/v3`, apiKey: 'key-2' },
	});
	chats.always(answers(200, CHAT));
	embeddings.always(answers(200, EMBEDDINGS));
	await service.generate({ prompt: 'a fox' }, signal);
	expect(await chat(service)).toEqual(['Hi']);
	expect(await service.embed({ input: ['a fox'] }, signal)).toEqual([[1, 2]]);
	expect(fakes.map(requestsOf)).toEqual([
		['/v1/images/generations Bearer key-0'],
		['/v1/chat/completions Bearer key-1'],
		['/api/v3/embeddings Bearer key-2'],
	]);
	expect(fakes.map(({ requests }) => requests[0]?.headers['x-team'])).toEqual(['art', undefined, undefined]);
});

test('a key of its own goes to the same service, with its headers', async () => {
	const service = client({ headers: { 'x-team': 'art' }, chat: { apiKey: 'key-1' }, profile: PROFILES.azure });
	fakes[0]!.always(answers(200, CHAT));
	await chat(service);
	expect(fakes.map(requestsOf)).toEqual([['/openai/v1/chat/completions key-1'], [], []]);
	expect(fakes[0]!.requests[0]?.headers['x-team']).toBe('art');
});

test("an authorization among the operator's headers replaces the key", async () => {
	await client({ headers: { authorization: 'Basic YTpi' } }).generate({ prompt: 'a fox' }, signal);
	expect(fakes[0]!.requests[0]?.headers.authorization).toBe('Basic YTpi');
});

test('the models of both services are listed, also when one of them has no list', async () => {
	const [pictures, chats] = fakes as [FaultyService, FaultyService];
	const service = client({ chat: { baseUrl: chats.url, apiKey: 'key-1' } });
	const list = (...ids: string[]) => answers(200, JSON.stringify({ data: ids.map((id) => ({ id })) }));
	pictures.next(list('draw', 'both'), answers(404), answers(404), answers(404));
	chats.next(list('talk', 'both'), list('talk'), answers(404), answers(500));
	expect(await service.models(signal)).toEqual(['draw', 'both', 'talk']);
	expect(await service.models(signal)).toEqual(['talk']);
	expect(await service.models(signal)).toEqual([]);
	await expect(service.models(signal)).rejects.toMatchObject({ status: 500 });
});

test("an error of the chats' service hides their key", async () => {
	const service = client({ chat: { baseUrl: fakes[1]!.url, apiKey: 'key-1-secret' } });
	fakes[1]!.always(answers(401, '{"error":{"message":"Incorrect API key provided: key-1-secret"}}'));
	await expect(chat(service)).rejects.toMatchObject({ kind: 'key', detail: 'Incorrect API key provided: …' });
});

test.each([
	['', '/v1/images/generations'],
	['/', '/v1/images/generations'],
	['/v1', '/v1/images/generations'],
	['/v1/', '/v1/images/generations'],
	['/some/proxy', '/some/proxy/v1/images/generations'],
	['/api/v3', '/api/v3/images/generations'],
	['/api/paas/v4', '/api/paas/v4/images/generations'],
	['/v1beta', '/v1beta/images/generations'],
	['/v1/images/generations/', '/v1/images/generations'],
	['/api/v1/chat/completions', '/api/v1/images/generations'],
	['/v1/models', '/v1/images/generations'],
	['/gateway/openai/chat/completions', '/gateway/openai/images/generations'],
	['/v1/embeddings', '/v1/images/generations'],
	['/images', '/images/v1/images/generations'],
	['/my/embeddings', '/my/embeddings/v1/images/generations'],
])('the address %s is asked at %s', async (path, expected) => {
	await client({ baseUrl: fakes[0]!.url + path }).generate({ prompt: 'a fox' }, signal);
	expect(fakes[0]!.requests.map((request) => request.path)).toEqual([expected]);
});

test('an address may already have what the profile adds', async () => {
	const google = client({ baseUrl: `${fakes[0]!.url}/v1beta/openai/`, profile: PROFILES.google });
	await google.generate({ prompt: 'a fox' }, signal);
	const azure = client({ baseUrl: `${fakes[0]!.url}/openai/v1`, profile: PROFILES.azure });
	await azure.generate({ prompt: 'a fox' }, signal);
	const path = '/openai/deployments/other/images/generations';
	await client({ baseUrl: fakes[0]!.url + path, profile: PROFILES.azure }).generate({ prompt: 'a fox' }, signal);
	expect(fakes[0]!.requests.map(({ path }) => path)).toEqual([
		'/v1beta/openai/images/generations',
		'/openai/v1/images/generations',
		'/openai/v1/images/generations',
	]);
});

test.each<[bound: number | undefined, field: object, asked: number | undefined, sent: object]>([
	[undefined, {}, undefined, {}],
	[50, {}, undefined, { max_tokens: 50 }],
	[50, {}, 9, { max_tokens: 9 }],
	[50, {}, 99, { max_tokens: 50 }],
	[50, { max_completion_tokens: 30 }, 99, { max_completion_tokens: 30 }],
	[undefined, { max_completion_tokens: 30 }, 9, { max_completion_tokens: 9 }],
])(
	'of the bounds %j, %j and %j on the tokens of an answer, %j is sent',
	async (chatMaxTokens, chatFields, maxTokens, sent) => {
		const service = client({ chatMaxTokens, chatFields: { ...chatFields } });
		fakes[0]!.next(answers(200, CHAT));
		await Array.fromAsync(service.chat({ messages: [{ role: 'user', content: 'hi' }], maxTokens }, signal));
		const { max_tokens, max_completion_tokens } = bodyOf(fakes[0]!);
		expect({ max_tokens, max_completion_tokens }).toEqual(sent);
	},
);

test("the operator's fields are added, after those that a request has itself", async () => {
	const extra = { quality: 'low', size: '512x512', provider: { order: ['a'] } };
	const service = client({ imageFields: extra, chatFields: { max_tokens: 9, temperature: 0 } });
	await service.generate({ prompt: 'a fox' }, signal);
	expect(bodyOf(fakes[0]!)).toEqual({ model: 'image-model', prompt: 'a fox', ...extra });
	await service.generate({ prompt: 'a fox', size: '1024x1024' }, signal);
	expect(bodyOf(fakes[0]!)).toMatchObject({ size: '1024x1024', quality: 'low' });
	const image = { bytes: Buffer.from('bytes'), type: 'image/png' };
	await service.edit({ prompt: 'a fox', image }, signal);
	expect(String(fakes[0]!.requests.at(-1)?.body)).toContain('name="provider"\r\n\r\n{"order":["a"]}\r\n');
	fakes[0]!.next(answers(200, CHAT));
	await chat(service);
	expect(bodyOf(fakes[0]!)).toMatchObject({ max_tokens: 9, temperature: 0, model: 'chat-model', stream: true });
});
