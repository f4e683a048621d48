import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
	answers,
	type FaultyService,
	imageResult,
	smallPng,
	startFaultyService,
} from '../../packages/fakes/src/service.ts';
import { certificate, certificateKey } from '../../test/harness/certificate.ts';
import { ServiceClient, type ServiceOptions } from './client.ts';
import { findProfile } from './find-profile.ts';

const { signal } = new AbortController();
const models = { image: 'i', chat: 'c', embedding: 'e' };

let fake: FaultyService;
let proxy: Server;
let passed: string[];
const opened: { close(): unknown }[] = [];
const portOf = (server: Server) => (server.address() as AddressInfo).port;

/** A proxy that knows every name as this machine, and the port 80 as the fake service's. */
beforeEach(async () => {
	fake = await startFaultyService({ embeds: false });
	passed = [];
	proxy = createServer((incoming, response) => {
		const { method = '', url = '', headers } = incoming;
		passed.push([method, url, headers['proxy-authorization'], headers.connection].filter(Boolean).join(' '));
		const { port } = new URL(fake.url);
		const { pathname } = new URL(url);
		const forwarded = request({ port, method, path: pathname, headers }, (answer) => {
			response.writeHead(answer.statusCode ?? 0, answer.headers);
			answer.pipe(response);
		});
		incoming.pipe(forwarded);
	});
	proxy.on('connect', ({ url = '', headers }, socket, head) => {
		passed.push(['CONNECT', url, headers['proxy-authorization']].filter(Boolean).join(' '));
		if (url.startsWith('refused')) {
			socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
			return;
		}
		const target = connect(Number(url.split(':')[1]), '127.0.0.1', () => {
			socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
			target.write(head);
			socket.pipe(target).pipe(socket);
		});
		target.on('error', () => socket.destroy());
		socket.on('error', () => target.destroy());
	});
	await once(proxy.listen(0, '127.0.0.1'), 'listening');
	opened.push(fake, { close: () => [proxy.close(), proxy.closeAllConnections()] });
});
afterEach(async () => {
	for (const one of opened.splice(0).reverse()) await one.close();
});

function client(options: Partial<ServiceOptions>): ServiceClient {
	const http = `http://ada:pass%20word@127.0.0.1:${portOf(proxy)}`;
	const service = new ServiceClient({
		...{ baseUrl: 'http://service.test', apiKey: 'key', timeoutMs: 5000, models },
		...{ proxies: { http, https: http }, ...options },
	});
	opened.push(service);
	return service;
}

const BASIC = `Basic ${Buffer.from('ada:pass word').toString('base64')}`;

describe('a proxy', () => {
	test('passes plain requests on, each on a connection of its own', async () => {
		const service = client({});
		for (const _ of [1, 2]) expect((await service.generate({ prompt: 'a fox' }, signal)).images).toHaveLength(1);
		expect(passed).toEqual(Array(2).fill(`POST http://service.test/v1/images/generations ${BASIC} close`));
		expect(fake.requests.map(({ headers }) => headers.host)).toEqual(['service.test', 'service.test']);
	});

	test('carries encrypted requests without reading them', async () => {
		const before = getCACertificates();
		setDefaultCACertificates([...before, certificate]);
		try {
			const body = imageResult(await smallPng());
			const secure = createTlsServer({ key: certificateKey, cert: certificate }, (incoming, response) => {
				incoming.resume().on('end', () => response.end(body));
			});
			await once(secure.listen(0, '127.0.0.1'), 'listening');
			opened.push({ close: () => secure.close() });
			const baseUrl = `https://localhost:${portOf(secure)}`;
			expect((await client({ baseUrl }).generate({ prompt: 'a fox' }, signal)).images).toHaveLength(1);
			expect(passed).toEqual([`CONNECT localhost:${portOf(secure)} ${BASIC}`]);
		} finally {
			setDefaultCACertificates(before);
		}
	});

	test.each([
		['refuses', (port: number) => [`https://refused.test`, `http://127.0.0.1:${port}`]],
		['is not there', () => ['https://service.test', 'http://127.0.0.1:1']],
		['is not there for plain requests', () => ['http://service.test', 'http://127.0.0.1:1']],
	])('that %s leaves the request unsent', async (_, addresses) => {
		const [baseUrl = '', http = ''] = addresses(portOf(proxy));
		const service = client({ baseUrl, proxies: { http, https: http } });
		await expect(service.generate({ prompt: 'a fox' }, signal)).rejects.toMatchObject({ kind: 'unreachable' });
		expect(fake.requests).toHaveLength(0);
	});

	test.each([
		['https://refused.test', { https: true }, 'HTTPS_PROXY'],
		['https://refused.test', { https: false }, 'HTTP_PROXY'],
		['http://refused.test', { https: true }, 'HTTP_PROXY'],
	])('that refuses %s, with %j, is named: %s', async (baseUrl, { https }, variable) => {
		const http = `http://127.0.0.1:${portOf(proxy)}`;
		fake.always(answers(407));
		const service = client({ baseUrl, proxies: { http, ...(https && { https: http }) } });
		const failed = { kind: 'unreachable', status: 407, variable };
		await expect(service.generate({ prompt: 'a fox' }, signal)).rejects.toMatchObject(failed);
	});

	test('is not used for addresses that are named', async () => {
		const proxies = { http: 'http://127.0.0.1:1', none: '.internal.test,127.0.0.1' };
		await client({ baseUrl: fake.url, proxies }).generate({ prompt: 'a fox' }, signal);
		expect(fake.requests).toHaveLength(1);
	});

	test('is also used to find the profile', async () => {
		const http = `http://127.0.0.1:${portOf(proxy)}`;
		const settings = { baseUrl: 'http://service.test', apiKey: 'key', profile: 'auto', imageModels: [] } as const;
		await findProfile({ ...settings, proxies: { http } }, new Map());
		expect(passed[0]).toMatch(/^GET http:\/\/service\.test\/v1\/models/);
	});
});
