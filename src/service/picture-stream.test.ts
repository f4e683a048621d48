import { afterEach, beforeEach, expect, test } from 'vitest';
import { type OpenaiService, startOpenaiService } from '../../packages/fakes/src/openai/openai-service.ts';
import { answers, answersPictures, type Behaviour, smallPng } from '../../packages/fakes/src/service.ts';
import { ServiceClient } from './client.ts';
import { PROFILES } from './profiles.ts';
import type { OutputImage } from './service.ts';

const { signal } = new AbortController();
let service: OpenaiService;
let client: ServiceClient;
let previews: OutputImage[];
let png: Buffer;
const keep = (preview: OutputImage) => void previews.push(preview);
const connect = (options = {}) =>
	new ServiceClient({
		...{ baseUrl: service.url, apiKey: 'test-key', timeoutMs: 5000, previews: 2, profile: PROFILES.openai },
		models: { image: 'gpt-image-2', chat: 'chat', embedding: 'embedding' },
		...options,
	});
beforeEach(async () => {
	service = await startOpenaiService();
	client = connect();
	previews = [];
	png = await smallPng();
});
afterEach(() => Promise.all([client.close(), service.close()]));

/** Answers with events as a stream. */
const streams = (...events: object[]): Behaviour =>
	answers(200, events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''), {
		'content-type': 'text/event-stream; charset=utf-8',
	});

test('gives previews, then the picture, of one call', async () => {
	const image = { bytes: png, type: 'image/png' };
	const made = [
		await client.generate({ prompt: 'a fox' }, signal, keep),
		await client.edit({ prompt: 'at night', image, n: 1 }, signal, keep),
		await client.compose({ prompt: 'blend', images: [image, image], size: 'wide' }, signal, keep),
	];
	expect(made.map(({ images, usage }) => [images.length, usage?.tokens])).toEqual(
		Array.from({ length: 3 }, () => [1, { input: 12, output: 100 }]),
	);
	expect(previews).toHaveLength(6);
	expect([service.refusals, service.accepted()]).toEqual([[], 3]);
});

test('does not ask for a stream of several pictures, without a reader, or of another model', async () => {
	await client.generate({ prompt: 'a fox', n: 2 }, signal, keep);
	await client.generate({ prompt: 'a fox' }, signal);
	await client.close();
	client = connect({ previews: 0 });
	await client.generate({ prompt: 'a fox' }, signal, keep);
	expect(service.requests.map(({ body }) => String(body).includes('stream'))).toEqual([false, false, false]);
	expect(PROFILES.openai.streamsPictures('some-image-model')).toBe(false);
});

test('takes the answer of a service that does not stream', async () => {
	service.next(answersPictures(png));
	const { images } = await client.generate({ prompt: 'a fox' }, signal, keep);
	expect([images.map(({ bytes }) => Buffer.from(bytes)), previews]).toEqual([[png], []]);
});

test.each([
	[
		'the parameter',
		400,
		{ error: { message: 'Unknown parameter', param: 'partial_images', code: 'unknown_parameter' } },
	],
	['some field', 422, { detail: [{ loc: ['body', 'stream'], msg: 'Extra inputs are not permitted' }] }],
	['streams of this organization', 403, { error: { message: 'Must be verified to stream', param: 'stream' } }],
])('asks a service that refuses %s again, and never for a stream after that', async (_, status, body) => {
	service.next(answers(status, JSON.stringify(body), { 'content-type': 'application/json' }), answersPictures(png));
	for (let times = 0; times < 2; times++) {
		const { images } = await client.generate({ prompt: 'a fox' }, signal, keep);
		expect(images).toHaveLength(1);
	}
	expect(service.requests.map(({ body: sent }) => String(sent).includes('stream'))).toEqual([true, false, false]);
});

test('reports what the service refuses all the same', async () => {
	const refused = answers(400, '{"error":{"message":"No such thing"}}', { 'content-type': 'application/json' });
	service.next(refused, refused);
	await expect(client.generate({ prompt: 'a fox' }, signal, keep)).rejects.toMatchObject({
		kind: 'request',
		status: 400,
	});
});

test('does not know what a stream has cost that ends without a picture', async () => {
	service.next(streams({ type: 'image_generation.in_progress' }));
	await expect(client.generate({ prompt: 'a fox' }, signal, keep)).rejects.toMatchObject({
		...{ kind: 'cut-off', code: 'NO_PICTURE' },
	});
	expect(service.requests).toHaveLength(1);
});

test.each<[object, object]>([
	[
		{ type: 'error', error: { code: 'moderation_blocked', message: 'No' } },
		{ kind: 'content', status: 400, code: 'moderation_blocked', detail: 'No' },
	],
	[{ error: { code: 429, message: 'Slow' } }, { kind: 'busy', status: 429 }],
	[{ error: { type: 'invalid_request_error', message: 'No' } }, { kind: 'failure', status: 500 }],
	[{ error: { code: 'invalid_value', message: 'No' } }, { kind: 'request', status: 400 }],
])('a stream that ends in the error %j is asked for once', async (event, expected) => {
	service.next(streams(event));
	await expect(client.generate({ prompt: 'a fox' }, signal, keep)).rejects.toMatchObject(expected);
	expect(service.requests).toHaveLength(1);
});

test('keeps the picture beside one that failed', async () => {
	const failed = { type: 'image_generation.partial_failed', error: { code: 'x', message: 'Blocked.' } };
	const made = { type: 'image_generation.partial_succeeded', url: `data:image/png;base64,${png.toString('base64')}` };
	service.next(streams(failed, made, { type: 'image_generation.completed', usage: {} }));
	const { images, refusal } = await client.generate({ prompt: 'a fox', n: 2 }, signal);
	expect([images.length, refusal]).toMatchObject([1, { detail: 'Blocked.' }]);
});

test('refuses a picture that is none', async () => {
	service.next(streams({ type: 'image_generation.completed', b64_json: 'bm8gcGljdHVyZQ==' }));
	await expect(client.generate({ prompt: 'a fox' }, signal, keep)).rejects.toMatchObject({ kind: 'invalid' });
});

test('takes the picture beside a damaged preview, signs of life, and without a blank line at the end', async () => {
	const b64_json = png.toString('base64');
	const lines = [
		'data: : PROCESSING\n',
		'data: {"type":"image_generation.partial_image","b64_json":"???"}\n',
		`data: data: ${JSON.stringify({ type: 'image_generation.completed', b64_json })}\n`,
	];
	service.next(answers(200, lines.join('\n'), { 'content-type': 'text/event-stream' }));
	const { images } = await client.generate({ prompt: 'a fox' }, signal, keep);
	expect([images.map(({ bytes }) => Buffer.from(bytes)), previews]).toEqual([[png], []]);
});

test('ignores previews that come after the picture', async () => {
	const b64_json = png.toString('base64');
	const completed = { type: 'image_generation.completed', b64_json, created_at: 7 };
	service.next(
		streams({ type: 'image_generation.partial_image', b64_json }, completed, {
			...completed,
			type: 'image_generation.partial_image',
		}),
	);
	const { images } = await client.generate({ prompt: 'a fox' }, signal, keep);
	expect([images.length, previews.length]).toEqual([1, 1]);
});
