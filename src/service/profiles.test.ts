import { AzureOpenAI, toFile } from 'openai';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SERVICES, startOtherService } from '../../packages/fakes/src/other-services.ts';
import { type FaultyService, neverAnswers, smallPng } from '../../packages/fakes/src/service.ts';
import { ServiceClient } from './client.ts';
import { findProfile } from './find-profile.ts';
import { PROFILES, type ProfileName } from './profiles.ts';

const NAMES = Object.keys(SERVICES) as (keyof typeof SERVICES)[];
/** The services that are known by their addresses. */
const HAS_ADDRESS: readonly string[] = ['azure', 'azure-deployments', 'xai', 'deepinfra', 'google'];
const { signal } = new AbortController();
let png: Buffer;
beforeEach(async () => {
	png = await smallPng();
});
const image = () => ({ bytes: png, type: 'image/png' });

describe.each(NAMES)('the service %s', (name) => {
	let service: FaultyService;
	let client: ServiceClient;
	const connect = (profile: ProfileName, timeoutMs = 5000) =>
		new ServiceClient({
			...{ baseUrl: service.url, apiKey: 'key', timeoutMs, profile: PROFILES[profile] },
			models: { image: 'some-image-model', chat: 'chat', embedding: 'embedding' },
		});

	beforeEach(async () => {
		service = await startOtherService(name);
		client = connect(name);
	});
	afterEach(() => Promise.all([client.close(), service.close()]));

	test('is found by documents alone, unless its address tells', async () => {
		const found = await findProfile(
			{ baseUrl: service.url, apiKey: 'key', profile: 'auto', imageModels: [] },
			new Map(),
		);
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
		await client.close();
		client = connect(name, 200);
		service.next(neverAnswers);
		await expect(client.generate({ prompt: 'a fox' }, signal)).rejects.toMatchObject({ kind: 'no-answer' });
		expect(service.requests).toHaveLength(1);
	});
});

test('deployments of Azure are asked at the paths of its SDK', async () => {
	const service = await startOtherService('azure-deployments');
	const endpoint = service.url;
	const azure = new AzureOpenAI({ endpoint, apiKey: 'key', apiVersion: '2025-04-01-preview', maxRetries: 0 });
	const client = new ServiceClient({
		...{ baseUrl: service.url, apiKey: 'key', timeoutMs: 5000, profile: PROFILES['azure-deployments'] },
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
			...{ baseUrl: service.url, apiKey: 'key', timeoutMs: 5000, profile: PROFILES[name] },
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
