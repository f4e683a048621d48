import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
	answers,
	answersInPieces,
	answersWithoutEnd,
	type Behaviour,
	diesAfterReading,
	diesUnread,
	diesWithinAnswer,
	type FaultyService,
	held,
	imageResult,
	neverAnswers,
	smallPng,
	startFaultyService,
} from '../../packages/fakes/src/service.ts';
import { ServiceClient, type ServiceOptions } from './client.ts';
import { ServiceError, type ServiceErrorKind } from './errors.ts';
import { PictureMemory } from './exchange.ts';
import { PROFILES } from './profiles.ts';
import type { Service } from './service.ts';

let fake: FaultyService;
const opened: { close(): unknown }[] = [];
const { signal } = new AbortController();
const models = { image: 'i', chat: 'c', embedding: 'e' };

beforeEach(async () => {
	fake = await startFaultyService({ embeds: false });
	opened.push(fake);
});

afterEach(async () => {
	for (const one of opened.splice(0).reverse()) await one.close();
});

function client(options: Partial<ServiceOptions> = {}): Service {
	const service = new ServiceClient({ baseUrl: fake.url, apiKey: 'key', timeoutMs: 10_000, models, ...options });
	opened.push(service);
	return service;
}

async function listen(server: Server): Promise<string> {
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Starts a server that handles each connection by `welcome`. */
async function tcp(welcome: (socket: Socket) => void): Promise<string> {
	const sockets = new Set<Socket>();
	const server = createTcpServer((socket) => {
		sockets.add(socket.on('error', () => {}));
		welcome(socket);
	});
	opened.push({
		close() {
			for (const socket of sockets) socket.destroy();
			server.close();
		},
	});
	return listen(server);
}

/** Returns an address at which nothing listens. */
async function nowhere(): Promise<string> {
	const server = createTcpServer();
	const address = await listen(server);
	await new Promise((resolve) => server.close(resolve));
	return address;
}

function failure(promise: Promise<unknown>): Promise<unknown> {
	return promise.then(
		() => expect.fail('it should have failed'),
		(error) => error,
	);
}

const picture = { bytes: new Uint8Array(3_000_000), type: 'image/png' };

test('sends nothing after it was closed, also when it was never used before', async () => {
	for (const isUsed of [true, false]) {
		const service = client();
		if (isUsed) await service.generate({ prompt: 'a fox' }, signal);
		const requests = fake.requests.length;
		await service.close();
		await expect(service.generate({ prompt: 'an owl' }, signal)).rejects.toMatchObject({ kind: 'unreachable' });
		expect(fake.requests).toHaveLength(requests);
	}
});

describe('a request that could not be sent is unreachable', () => {
	const addresses: Record<string, () => Promise<string> | string> = {
		'nothing listens': async () => `http://${await nowhere()}`,
		'no such name': () => 'http://nowhere.invalid',
		'no answer to TLS': async () => `https://${await tcp(() => {})}`,
		'no TLS there': async () => `https://${await tcp((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))}`,
		'gone during the handshake': async () =>
			`https://${await tcp((socket) => socket.once('data', () => socket.destroy()))}`,
		'an untrusted certificate': async () => `https://${await tls(() => {})}`,
	};

	test.each(Object.entries(addresses))('%s', async (_, address) => {
		const baseUrl = await address();
		const service = client({ baseUrl, connectTimeoutMs: 100 });
		const calls = [
			failure(service.generate({ prompt: 'x' }, signal)),
			failure(service.edit({ image: picture, prompt: 'x' }, signal)),
			failure(service.models(signal)),
		];
		for (const error of await Promise.all(calls)) {
			expect(error).toMatchObject({ name: 'ServiceError', kind: 'unreachable' });
			expect((error as ServiceError).code).toMatch(/^[\w-]+$/);
			expect((error as ServiceError).message).not.toContain(new URL(baseUrl).hostname);
		}
	});

	test('a time-out before the connection', async () => {
		const service = client({ baseUrl: `https://${await tcp(() => {})}`, timeoutMs: 50 });
		expect(await failure(service.models(signal))).toMatchObject({ kind: 'unreachable', code: 'TIMEOUT' });
	});

	test('unless the caller aborts it before the connection', async () => {
		const controller = new AbortController();
		const address = await tcp(() => controller.abort(new Error('changed my mind')));
		const service = client({ baseUrl: `https://${address}`, altBaseUrl: fake.url });
		expect(await failure(service.generate({ prompt: 'x' }, controller.signal))).toBe(controller.signal.reason);
		expect(await failure(service.generate({ prompt: 'x' }, AbortSignal.abort('never began')))).toBe('never began');
		expect(fake.requests).toHaveLength(0);
	});
});

describe('the alternative address', () => {
	test.each(
		Object.entries({
			'nothing listens': async () => `http://${await nowhere()}`,
			'gone during the handshake': async () =>
				`https://${await tcp((socket) => socket.once('data', () => socket.destroy()))}`,
		}),
	)('takes generation when nothing was sent to the first: %s', async (_, address) => {
		const service = client({ baseUrl: await address(), altBaseUrl: `${fake.url}/alt/` });
		expect((await service.generate({ prompt: 'x', n: 2 }, signal)).images).toHaveLength(1);
		expect(fake.requests).toHaveLength(1);
		expect(fake.requests[0]).toMatchObject({ method: 'POST', path: '/alt/api/v1/images/generations' });
		expect(JSON.parse(fake.requests[0]!.body.toString())).toEqual({ model: 'i', prompt: 'x', n: 2 });
		expect(fake.requests[0]!.headers.authorization).toBe('Bearer key');
	});

	test('takes no other calls', async () => {
		const service = client({ baseUrl: `http://${await nowhere()}`, altBaseUrl: fake.url });
		const calls = [
			() => service.edit({ image: picture, prompt: 'x' }, signal),
			() => service.compose({ images: [picture, picture], prompt: 'x' }, signal),
			() => Array.fromAsync(service.chat({ messages: [] }, signal)),
			() => service.embed({ input: ['x'] }, signal),
			() => service.models(signal),
		];
		for (const call of calls) expect(await failure(call())).toMatchObject({ kind: 'unreachable' });
		expect(fake.requests).toHaveLength(0);
	});

	test('may be unreachable too', async () => {
		const service = client({ baseUrl: `http://${await nowhere()}`, altBaseUrl: `http://${await nowhere()}` });
		expect(await failure(service.generate({ prompt: 'x' }, signal))).toMatchObject({ kind: 'unreachable' });
	});

	test.each(
		Object.entries({
			'dies before it reads': diesUnread,
			'dies after it has read': diesAfterReading,
			fails: answers(500),
			'is busy': answers(503, '', { 'retry-after': '1' }),
			'answers nonsense': answers(200, 'x'),
			'points elsewhere': answers(308),
		}),
	)('stays unused when the first %s', async (_, behaviour) => {
		const second = await startFaultyService();
		opened.push(second);
		fake.always(behaviour);
		const service = client({ altBaseUrl: second.url });
		expect(await failure(service.generate({ prompt: 'x' }, signal))).toBeInstanceOf(ServiceError);
		expect(fake.requests).toHaveLength(1);
		expect(second.requests).toHaveLength(0);
	});
});

test('an answer may have a head of 60 kB', async () => {
	const heads = { 'x-passed-on': 'x'.repeat(30_000), 'x-too': 'x'.repeat(30_000) };
	fake.next(answers(200, imageResult(await smallPng()), heads));
	expect((await client().generate({ prompt: 'x' }, signal)).images).toHaveLength(1);
});

describe('a request that was sent, without a complete answer', () => {
	const body = '{"created":1,"data":[{"b64_json":"iVBORw0KGgo';

	test.each(
		Object.entries({
			'dies before it reads': [diesUnread, 'no-answer'],
			'dies after it has read': [diesAfterReading, 'no-answer'],
			'dies within the answer': [diesWithinAnswer(body), 'cut-off'],
			'dies after the head': [diesWithinAnswer(''), 'cut-off'],
			'ends an answer without length too early': [answersInPieces([body]), 'invalid'],
		} satisfies Record<string, [Behaviour, ServiceErrorKind]>),
	)('%s: one request, never a second', async (_, [behaviour, kind]) => {
		fake.always(behaviour);
		const service = client();
		const calls = [
			() => service.generate({ prompt: 'x' }, signal),
			() => service.edit({ image: picture, prompt: 'x' }, signal),
			() => service.compose({ images: [picture, picture], prompt: 'x' }, signal),
			() => service.models(signal),
		];
		for (const [index, call] of calls.entries()) {
			expect(await failure(call())).toMatchObject({ name: 'ServiceError', kind });
			expect(fake.requests).toHaveLength(index + 1);
		}
	});

	test('a connection that is reset before any answer', async () => {
		let connections = 0;
		const address = await tcp((socket) => {
			connections++;
			socket.once('data', () => socket.resetAndDestroy());
		});
		const service = client({ baseUrl: `http://${address}` });
		expect(await failure(service.generate({ prompt: 'x' }, signal))).toMatchObject({
			kind: 'no-answer',
			code: 'ECONNRESET',
		});
		expect(await failure(service.models(signal))).toMatchObject({ kind: 'no-answer' });
		expect(connections).toBe(2);
	});

	test.each([
		'not HTTP at all\r\n\r\n',
		'HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\n',
		'HTTP/1.1 100 Continue\r\n\r\n',
		'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
	])('an answer that is not HTTP: %j', async (text) => {
		const service = client({ baseUrl: `http://${await tcp((socket) => socket.once('data', () => socket.end(text)))}` });
		expect(await failure(service.generate({ prompt: 'x' }, signal))).toMatchObject({ kind: 'no-answer' });
	});

	test('no answer in time, silence within the body', async () => {
		// The library is loaded for the first call.
		await client()
			.models(signal)
			.catch(() => {});
		fake.always(neverAnswers);
		const late = await failure(client({ timeoutMs: 200 }).generate({ prompt: 'x' }, signal));
		expect(late).toMatchObject({ kind: 'no-answer', code: 'TIMEOUT' });
		fake.always(({ response }) => void response.write(body));
		const silent = await failure(client({ timeoutMs: 200 }).generate({ prompt: 'x' }, signal));
		expect(silent).toMatchObject({ kind: 'cut-off', code: 'TIMEOUT' });
	});

	test('the caller aborts: the error has the reason as its cause', async () => {
		const controller = new AbortController();
		fake.always(neverAnswers);
		const call = failure(client({ altBaseUrl: fake.url }).generate({ prompt: 'x' }, controller.signal));
		await fake.arrived(1);
		controller.abort(new Error('changed my mind'));
		expect(await call).toMatchObject({ kind: 'no-answer', code: 'ABORTED', cause: controller.signal.reason });
		expect(fake.requests).toHaveLength(1);
	});

	test('a client that is closed meanwhile', async () => {
		fake.always(neverAnswers);
		const service = client();
		const call = failure(service.generate({ prompt: 'x' }, signal));
		await fake.arrived(1);
		await service.close();
		expect(await call).toMatchObject({ kind: 'no-answer' });
		expect(await failure(service.models(signal))).toMatchObject({ kind: 'unreachable' });
	});

	test('an endless answer', async () => {
		const patient = () => client({ timeoutMs: 60_000 });
		fake.always(answersWithoutEnd('{"data":[{"b64_json":"', 'AAAA'.repeat(10_000)));
		expect(await failure(patient().generate({ prompt: 'x' }, signal))).toMatchObject({ kind: 'invalid' });
		fake.always(answersWithoutEnd('', ' '.repeat(100_000)));
		expect(await failure(patient().generate({ prompt: 'x' }, signal))).toMatchObject({ kind: 'invalid' });
		expect(await failure(patient().models(signal))).toMatchObject({ kind: 'invalid' });
	});
});

describe('silence is limited by the time of the call alone', () => {
	/** Lets an hour pass for the library, whose own limits would end an answer after 30 seconds or five minutes. */
	const anHour = () => {
		const clock = createRequire(import.meta.url)('undici/lib/util/timers.js');
		// Its timers start with the next tick.
		clock.tick();
		clock.tick(3_600_000);
	};
	/** Answers in two parts, between which `silence` goes on. */
	const inTwo =
		(first: string, silence: Promise<void>, second: string, type = 'application/json'): Behaviour =>
		async ({ response, read }) => {
			await read();
			response.writeHead(200, { 'content-type': type }).write(first);
			await silence;
			response.end(second);
		};
	let silence: PromiseWithResolvers<void>;
	beforeEach(() => {
		silence = Promise.withResolvers();
	});

	test('before an answer', async () => {
		const { behaviour, release } = held(answers(200, imageResult(await smallPng())));
		fake.next(behaviour);
		const made = client().generate({ prompt: 'x' }, signal);
		await fake.arrived(1);
		anHour();
		release();
		expect((await made).images).toHaveLength(1);
	});

	test('within one', async () => {
		const begun = Promise.withResolvers<void>();
		const memory = new (class extends PictureMemory {
			override take(...request: Parameters<PictureMemory['take']>) {
				begun.resolve();
				return super.take(...request);
			}
		})();
		fake.next(inTwo('  ', silence.promise, imageResult(await smallPng())));
		const made = client({ memory }).generate({ prompt: 'x' }, signal);
		await begun.promise;
		anHour();
		silence.resolve();
		expect((await made).images).toHaveLength(1);
	});

	test('after a preview', async () => {
		const event = (type: string, b64_json: string) => `data: ${JSON.stringify({ type, b64_json })}\n\n`;
		const picture = (await smallPng()).toString('base64');
		const [first, second] = ['partial_image', 'completed'].map((type) => event(`image_generation.${type}`, picture));
		fake.next(inTwo(first!, silence.promise, second!, 'text/event-stream'));
		const service = client({ profile: PROFILES.openai, models: { ...models, image: 'gpt-image-2' }, previews: 1 });
		const { images } = await service.generate({ prompt: 'x' }, signal, () => {
			anHour();
			silence.resolve();
		});
		expect(images).toHaveLength(1);
	});

	test('while a chat model thinks', async () => {
		const delta = (content: string) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`;
		fake.next(inTwo(delta('A'), silence.promise, `${delta('B')}data: [DONE]\n\n`, 'text/event-stream'));
		const parts: unknown[] = [];
		for await (const part of client().chat({ messages: [] }, signal)) {
			parts.push(part);
			anHour();
			silence.resolve();
		}
		expect(parts).toEqual(['A', 'B']);
	});
});

describe('an error answer', () => {
	test('that is cut off differs from a complete one', async () => {
		fake.next(diesWithinAnswer('{"error":{"message":"too lar', 413));
		expect(await failure(client().generate({ prompt: 'x' }, signal))).toMatchObject({ kind: 'cut-off', status: 413 });
		fake.next(({ response }) => void response.writeHead(402, { 'content-length': 9 }).flushHeaders());
		expect(await failure(client({ timeoutMs: 300 }).generate({ prompt: 'x' }, signal))).toMatchObject({
			kind: 'cut-off',
			status: 402,
			code: 'TIMEOUT',
		});
	});

	test('is complete when it comes while the pictures are still being sent', async () => {
		fake.next(({ response }) => void response.writeHead(413).end('{"error":"too large"}'));
		const error = await failure(client().edit({ image: picture, prompt: 'x' }, signal));
		expect(error).toMatchObject({ kind: 'request', status: 413, detail: 'too large' });
	});
});

test('waits for a slow answer', async () => {
	const waiting = held(answers(200, imageResult(await smallPng())));
	fake.next(waiting.behaviour);
	const call = client().generate({ prompt: 'x' }, signal);
	await fake.arrived(1);
	waiting.release();
	expect((await call).images).toHaveLength(1);
});

test('reads pictures over TLS', async () => {
	const before = getCACertificates();
	setDefaultCACertificates([...before, CERTIFICATE]);
	try {
		const png = Buffer.concat([await smallPng(), Buffer.alloc(1_000_000, 7)]);
		const body = imageResult(png, png);
		const address = await tls((socket) => {
			socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`));
		});
		const service = client({ baseUrl: `https://${address}` });
		const results = await Promise.all([1, 2, 3].map(() => service.generate({ prompt: 'x', n: 2 }, signal)));
		for (const { images } of results) {
			expect(images.map(({ bytes }) => Buffer.from(bytes).equals(png))).toEqual([true, true]);
		}
	} finally {
		setDefaultCACertificates(before);
	}
});

async function tls(welcome: (socket: Socket) => void): Promise<string> {
	const server = createTlsServer({ key: KEY, cert: CERTIFICATE }, (socket) => welcome(socket.on('error', () => {})));
	opened.push({ close: () => server.close() });
	return listen(server);
}

/** For 127.0.0.1, self-signed, valid until 2126; it protects nothing. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgyUlTkvCZLWeuThiY
dpuQYRxvb6XyAxPAgnid/5O+17ChRANCAARdU759o4RNjETaIFrJdA8Cl5DNHeDn
pX1y+UESdpo/liMEzs9+t4QmkMS5jDnsbGqzF1w9KrhrdZNRIXqNaEDp
-----END PRIVATE KEY-----`;
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUFnCipBPI8/VXgg7PydoXK768RkswCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMDE5NDExNloYDzIxMjYxMDI3
MTk0MTE2WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARdU759o4RNjETaIFrJdA8Cl5DNHeDnpX1y+UESdpo/liMEzs9+t4Qm
kMS5jDnsbGqzF1w9KrhrdZNRIXqNaEDpo28wbTAdBgNVHQ4EFgQU2hEvMimPTIyP
y4w4zeZmxx6Uy3EwHwYDVR0jBBgwFoAU2hEvMimPTIyPy4w4zeZmxx6Uy3EwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARhwR/AAABgglsb2NhbGhvc3QwCgYIKoZI
zj0EAwIDSAAwRQIhAIC0jKOW1uHol3GubDpkaR8xdVWvHmUTNN5PO5deVivVAiB/
/AISLmHp5BFU073PUv6OR8sly2nWg5Cyz9+Y/Zx7yg==
-----END CERTIFICATE-----`;
