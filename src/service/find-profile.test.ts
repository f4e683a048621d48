import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findProfile, type ServiceSettings } from './find-profile.ts';
import { PROFILES, profileNamed } from './profiles.ts';

type Answers = Readonly<Record<string, [status: number, body?: unknown, headers?: Record<string, string>]>>;

let server: Server;
let answers: Answers;
let requests: string[];
let memory: Map<string, unknown>;

const MODELS = { object: 'list', data: [{ id: 'some-model', object: 'model' }] };

beforeEach(async () => {
	requests = [];
	memory = new Map();
	server = createServer(async (request, response) => {
		let body = '';
		for await (const chunk of request) body += chunk;
		const line = `${request.method} ${request.url}`;
		requests.push(body ? `${line} ${body}` : line);
		const [status, answer, headers] = answers[line] ?? [404, { error: { message: 'Not found' } }];
		response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(answer));
	}).listen(0, '127.0.0.1');
	await new Promise((resolve) => server.once('listening', resolve));
});

afterEach(() => new Promise((resolve) => server.close(resolve)));

const find = (settings: Partial<ServiceSettings> = {}) => {
	const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return findProfile({ baseUrl, apiKey: 'key-1', profile: 'auto', imageModels: [], ...settings }, memory);
};

describe('the profile of a service', () => {
	test.each<[string, Answers]>([
		['easel', { 'GET /v1/models': [200, MODELS], 'POST /v1/images/compose': [400, { error: {} }] }],
		['easel', { 'GET /v1/models': [200, MODELS], 'POST /v1/images/compose': [415] }],
		['easel', { 'GET /v1/models': [200, { data: [{ id: 'alpha-image' }] }] }],
		['openai', { 'GET /v1/models': [200, MODELS], 'POST /v1/images/edits': [400, { error: {} }] }],
		['openai', { 'POST /v1/images/compose': [405], 'POST /v1/images/edits': [422, { detail: [] }] }],
		['openai-generations', { 'GET /v1/models': [200, MODELS] }],
		['litellm', { 'GET /v1/models': [200, MODELS, { 'x-litellm-version': '1.102' }] }],
		['together', { 'GET /v1/models': [200, []] }],
		['sd-server', { 'GET /v1/models': [200, { data: [{ id: 'sd-cpp-local' }] }] }],
		['localai', { 'GET /v1/models': [401], 'GET /.well-known/localai.json': [200, { version: '3' }] }],
		// LM Studio answers so to every address that it does not know.
		[
			'openai-generations',
			{
				'GET /v1/models': [200, MODELS],
				'GET /.well-known/localai.json': [
					200,
					{ error: 'Unexpected endpoint or method. (GET /.well-known/localai.json)' },
				],
				'POST /v1/images/compose': [200, { error: 'Unexpected endpoint or method. (POST /v1/images/compose)' }],
			},
		],
		['openai-generations', { 'POST /v1/images/compose': [400, { error: { message: 'Invalid URL (POST /v1/x)' } }] }],
		['sglang', { 'GET /models': [200, { data: [{ id: 'x', pipeline_name: 'FluxPipeline' }] }] }],
	])('is found without a prompt: %s', async (name, given) => {
		answers = given;
		expect(await find()).toBe(name);
		for (const request of requests) expect(request).toMatch(/^GET \S+$|^POST \/v1\/images\/(compose|edits) \{\}$/);
	});

	test('is asked for at every start, and remembered for one at which the service does not answer', async () => {
		answers = { 'POST /v1/images/edits': [400, {}] };
		expect(await find()).toBe('openai');
		answers = { 'POST /v1/images/compose': [502] };
		expect(await find()).toBe('openai');
		// A gateway, while the service starts.
		answers = {};
		expect(await find()).toBe('openai');
		answers = { 'POST /v1/images/compose': [400, {}] };
		expect(await find()).toBe('easel');
	});

	test('is not remembered when only absent addresses suggest it', async () => {
		answers = {};
		expect(await find()).toBe('openai-generations');
		expect(memory.size).toBe(0);
		answers = { 'POST /v1/images/edits': [400, {}] };
		expect(await find()).toBe('openai');
	});

	test.each<[string, Answers]>([
		['refuses the key', { 'GET /v1/models': [401], 'POST /v1/images/compose': [401] }],
		['is broken', { 'POST /v1/images/compose': [502] }],
		['accepts an empty request', { 'POST /v1/images/compose': [200, {}] }],
		['limits the rate', { 'POST /v1/images/edits': [429] }],
	])('stays unknown, and is not remembered, when the service %s', async (_, given) => {
		answers = given;
		expect(await find()).toBeUndefined();
		expect(memory.size).toBe(0);
	});

	test('stays unknown when the service cannot be reached', async () => {
		expect(await find({ baseUrl: 'http://127.0.0.1:1' })).toBeUndefined();
	});

	test.each([
		[{ profile: 'xai' as const }, 'xai'],
		[{ baseUrl: undefined }, 'easel'],
		[{ baseUrl: undefined, profile: 'openai' as const }, 'openai'],
		[{ baseUrl: 'https://api.openai.com' }, 'openai'],
		[{ baseUrl: 'https://eu.api.openai.com/v1' }, 'openai'],
		[{ baseUrl: 'https://contoso.openai.azure.com' }, 'azure'],
		[{ baseUrl: 'https://contoso.cognitiveservices.azure.com' }, 'azure'],
		[{ baseUrl: 'https://api.x.ai/' }, 'xai'],
	])('of %j is %s without a request', async (settings, name) => {
		expect(await find(settings)).toBe(name);
		expect(requests).toEqual([]);
	});

	test('has a longest wait for a call of its own', () => {
		const seconds = (['easel', 'openai', 'localai', 'sd-server'] as const).map(
			(name) => PROFILES[name].timeoutMs / 1000,
		);
		expect(seconds).toEqual([180, 300, 600, 600]);
	});

	test('suggests the configured models first', () => {
		const suggested = (name: 'easel' | 'openai', imageModels: string[]) =>
			profileNamed(name, { imageModels }).capabilities.models.map(({ id }) => id);
		expect(suggested('easel', ['beta', 'gamma'])).toEqual(['beta', 'gamma', 'alpha-image']);
		expect(suggested('openai', ['gpt-image-2'])).toEqual(['gpt-image-2']);
		expect(PROFILES.openai.capabilities.models).toEqual([]);
	});
});
