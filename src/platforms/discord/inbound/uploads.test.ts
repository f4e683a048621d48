import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createUploads } from './uploads.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
	for (const close of closers.splice(0)) await close();
});

/** A place where files are, at an origin that is allowed unless told otherwise. */
async function files(answer: RequestListener, allow = true) {
	const server = createServer(answer).listen(0, '127.0.0.1');
	await new Promise((resolve) => server.once('listening', resolve));
	const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const uploads = createUploads(allow ? [origin] : []);
	closers.push(() => {
		server.closeAllConnections();
		return new Promise((resolve) => server.close(resolve));
	});
	const upload = (path: string) =>
		uploads.upload({ url: origin + path, filename: 'fox.png', size: 3, content_type: 'image/png' });
	return { upload, uploads };
}

const soon = () => AbortSignal.timeout(5000);

test('a file is read as it is, with nothing of the bot in the request', async () => {
	let headers: object = {};
	const { upload } = await files((request, response) => {
		headers = request.headers;
		response.end('fox');
	});
	expect(upload('/fox.png')).toMatchObject({ name: 'fox.png', size: 3, type: 'image/png' });
	expect(Buffer.from(await upload('/fox.png').read(soon())).toString()).toBe('fox');
	expect(headers).not.toHaveProperty('authorization');
});

test.each([
	['another origin', 'https://example.com/fox.png'],
	['Discord without TLS', 'http://cdn.discordapp.com/fox.png'],
	['a name that only begins like it', 'https://cdn.discordapp.com.example.com/fox.png'],
	['no address at all', 'fox.png'],
])('nothing is asked of %s', async (_, url) => {
	const uploads = createUploads([]);
	await expect(uploads.upload({ url, filename: 'fox.png', size: 3 }).read(soon())).rejects.toThrow('not allowed');
});

test('redirects are not followed', async () => {
	const asked: (string | undefined)[] = [];
	const { upload } = await files((request, response) => {
		asked.push(request.url);
		response.writeHead(302, { location: '/elsewhere' }).end();
	});
	await expect(upload('/fox.png').read(soon())).rejects.toThrow('status 302');
	expect(asked).toEqual(['/fox.png']);
});

test('what never ends is left, whatever length it claims', async () => {
	const { upload } = await files((request, response) => {
		if (request.url === '/claims') response.writeHead(200, { 'content-length': String(2 ** 40) });
		const pour = () => {
			while (response.write(Buffer.alloc(2 ** 20)));
			response.once('drain', pour);
		};
		pour();
	});
	await expect(upload('/pours').read(soon())).rejects.toThrow('too large');
	await expect(upload('/claims').read(soon())).rejects.toThrow('too large');
});
