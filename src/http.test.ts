import { Hono } from 'hono';
import { beforeEach, describe, expect, test } from 'vitest';
import { createOperatorRoutes } from './http.ts';
import type { Store } from './store/store.ts';

let routes: Hono;
/** The checks of the store so far. */
let checks: number;
let check: () => Promise<void>;

beforeEach(() => {
	checks = 0;
	check = async () => {};
	const ping = () => {
		checks++;
		return check();
	};
	const store = { ping } as Partial<Store> as Store;
	const operator = createOperatorRoutes({ platforms: [], store, metrics: async () => 'easel 1\n', host: '127.0.0.1' });
	routes = new Hono().route('/', operator);
});

describe('/healthz', () => {
	test('checks the store once for everybody who asks within a second', async () => {
		const asked = await Promise.all(Array.from({ length: 500 }, () => routes.request('/healthz')));
		expect(asked.every(({ status }) => status === 200)).toBe(true);
		expect((await routes.request('/healthz')).headers.get('cache-control')).toBe('no-store');
		expect(checks).toBe(1);
		await expect.poll(async () => (await routes.request('/healthz')) && checks, { timeout: 5000 }).toBe(2);
	});

	test('is 503 while the store fails, and 200 after that', async () => {
		check = () => Promise.reject(new Error('gone'));
		expect((await routes.request('/healthz')).status).toBe(503);
		check = async () => {};
		await expect.poll(async () => (await routes.request('/healthz')).status, { timeout: 5000 }).toBe(200);
	});
});

test('/livez is 200 whatever the store does, without a look at it', async () => {
	check = () => new Promise(() => {});
	const answer = await routes.request('/livez');
	expect([answer.status, answer.headers.get('cache-control'), checks]).toEqual([200, 'no-store', 0]);
});

describe('/metrics', () => {
	const statusOf = async (host: string, headers: Record<string, string> = {}) =>
		(await routes.request('/metrics', { headers: { host, ...headers } })).status;

	test('under a name without a dot is for programs, not for pages in a browser', async () => {
		expect(await statusOf('easel:3000', { 'user-agent': 'Prometheus/3.5.0', accept: 'text/plain' })).toBe(200);
		expect(await statusOf('intranet', { 'accept-language': 'de' })).toBe(403);
		expect(await statusOf('127.0.0.1:3000', { 'accept-language': 'de' })).toBe(200);
		expect(await statusOf('evil.test')).toBe(403);
	});

	test('is stored nowhere', async () => {
		const answer = await routes.request('/metrics', { headers: { host: 'localhost' } });
		expect([await answer.text(), answer.headers.get('cache-control')]).toEqual(['easel 1\n', 'no-store']);
	});
});
