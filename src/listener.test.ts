import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Hono } from 'hono';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Listener, listen } from './http.ts';

let listener: Listener;
let sockets: Socket[];
/** Requests that wait for their answer. */
let held: (() => void)[];

beforeEach(async () => {
	sockets = [];
	held = [];
	const app = new Hono();
	app.get('/now', (context) => context.text('now'));
	app.get('/held', async (context) => {
		await new Promise<void>((resolve) => held.push(resolve));
		return context.text('held');
	});
	app.post('/read', async (context) => context.text(String((await context.req.arrayBuffer()).byteLength)));
	app.onError((_, context) => context.text('cut off', 400));
	listener = await listen(app, { host: '127.0.0.1', port: 0 });
});
afterEach(async () => {
	for (const socket of sockets) socket.destroy();
	for (const answer of held) answer();
	await listener.close(0);
});

/** Opens a connection and sends bytes. */
async function open(bytes = '') {
	const socket = connect(Number(new URL(listener.address).port), '127.0.0.1');
	sockets.push(socket);
	let received = '';
	socket.on('data', (data) => (received += data)).on('error', () => {});
	const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(received)));
	await once(socket, 'connect');
	socket.write(bytes);
	return { socket, closed, received: () => received };
}

const post = (path: string, headers: string) => `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}\r\n\r\n`;
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;

describe('a body that nobody reads', () => {
	test.each([
		['of a length', 'Content-Length: 1000000000'],
		['in chunks', 'Transfer-Encoding: chunked'],
	])('%s is not read to its end: the request is answered and the connection closed', async (_, headers) => {
		const { socket, closed } = await open(post('/unknown', headers));
		const piece = Buffer.alloc(64 * 1024, headers.startsWith('T') ? '1\r\na\r\n' : 'a');
		const send = () => {
			while (!socket.destroyed && socket.write(piece));
		};
		socket.on('drain', send);
		send();
		const answer = await closed;
		expect(answer).toMatch(/^HTTP\/1\.1 404 /);
		expect(answer).toMatch(/^connection: close\r$/im);
		// What the kernels hold of both ends of a connection, and a little.
		expect(socket.bytesWritten - socket.writableLength).toBeLessThan(16 * 2 ** 20);
	});

	test('is left alone when all of it has arrived', async () => {
		const { socket, received } = await open(`${post('/unknown', 'Content-Length: 5')}hello${get('/now')}`);
		await expect.poll(received).toMatch(/404.*now$/s);
		expect(socket.destroyed).toBe(false);
	});
});

test('a body that is read may be large', async () => {
	const body = new Uint8Array(30 * 2 ** 20);
	expect(await (await fetch(`${listener.address}/read`, { method: 'POST', body })).text()).toBe(String(body.length));
});

describe('connections that do not send a whole request', () => {
	test.each([
		['silent', ''],
		['in the middle of the headers', 'GET /now HTTP/1.1\r\nHost: 127'],
		['in the middle of a body', `${post('/read', 'Content-Length: 1000')}half`],
		['idle after an answer', get('/now')],
	])('are bounded, and do not keep others out: %s', async (_, bytes) => {
		const running = await open(get('/held'));
		await expect.poll(() => held.length).toBe(1);
		const all: Awaited<ReturnType<typeof open>>[] = [];
		for (let count = 0; count < 700; count++) all.push(await open(bytes));
		const answer = await fetch(`${listener.address}/now`);
		expect(await answer.text()).toBe('now');
		await expect.poll(() => all.filter(({ socket }) => !socket.destroyed).length).toBeLessThanOrEqual(500);
		// The latest are still there, and so is the connection that an answer is under way on.
		expect(all.at(-1)?.socket.destroyed).toBe(false);
		held[0]?.();
		await expect.poll(running.received).toMatch(/held$/);
	});
});

test('a connection that sends many requests without reading the answers is closed', async () => {
	const { closed } = await open(get('/held').repeat(1000));
	await closed;
	expect(held.length).toBeLessThanOrEqual(32);
});
