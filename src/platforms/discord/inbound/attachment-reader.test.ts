import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createUploadOf } from './message-reader.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
	for (const close of closers.splice(0)) await close();
});

/** Starts a file server at an allowed origin. */
async function serve(answer: RequestListener) {
	const server = createServer(answer).listen(0, '127.0.0.1');
	await new Promise((resolve) => server.once('listening', resolve));
	const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const uploadOf = createUploadOf([origin]);
	closers.push(() => {
		server.closeAllConnections();
		return new Promise((resolve) => server.close(resolve));
	});
	return (path: string) => uploadOf({ url: origin + path, filename: 'fox.png', size: 3, content_type: 'image/png' });
}

const soon = () => AbortSignal.timeout(5000);

test('reads a file without the bot’s token in the request', async () => {
	let headers: object = {};
	const uploadOf = await serve((request, response) => {
		headers = request.headers;
		response.end('fox');
	});
	expect(uploadOf('/fox.png')).toMatchObject({ name: 'fox.png', size: 3, type: 'image/png' });
	expect(Buffer.from(await uploadOf('/fox.png').read(soon(), 10_000_000)).toString()).toBe('fox');
	expect(headers).not.toHaveProperty('authorization');
});

test.each([
	['another origin', 'https://example.com/fox.png'],
	['Discord without TLS', 'http://cdn.discordapp.com/fox.png'],
	['a domain that begins like Discord’s', 'https://cdn.discordapp.com.example.com/fox.png'],
	['a URL without an origin', 'fox.png'],
])('sends no request to %s', async (_, url) => {
	const upload = createUploadOf([])({ url, filename: 'fox.png', size: 3 });
	await expect(upload.read(soon(), 10_000_000)).rejects.toThrow('not allowed');
});

test('does not follow redirects', async () => {
	const paths: (string | undefined)[] = [];
	const uploadOf = await serve((request, response) => {
		paths.push(request.url);
		response.writeHead(302, { location: '/elsewhere' }).end();
	});
	await expect(uploadOf('/fox.png').read(soon(), 10_000_000)).rejects.toThrow('status 302');
	expect(paths).toEqual(['/fox.png']);
});

test('refuses a file that is too large, whatever length it claims', async () => {
	const uploadOf = await serve((request, response) => {
		if (request.url === '/claims') response.writeHead(200, { 'content-length': String(2 ** 40) });
		const writeMore = () => {
			while (response.write(Buffer.alloc(2 ** 20)));
			response.once('drain', writeMore);
		};
		writeMore();
	});
	await expect(uploadOf('/endless').read(soon(), 10_000_000)).rejects.toThrow('too large');
	await expect(uploadOf('/claims').read(soon(), 10_000_000)).rejects.toThrow('too large');
});
