import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { answers, type FaultyService, smallPng, startFaultyService } from '../../packages/fakes/src/service.ts';
import { ServiceClient } from './client.ts';
import { PROFILES } from './profiles.ts';

let service: FaultyService;
let storage: FaultyService;
let client: ServiceClient;
let png: Buffer;
const { signal } = new AbortController();

beforeEach(async () => {
	[service, storage] = await Promise.all([startFaultyService(), startFaultyService()]);
	png = await smallPng('#27ae60', 6, 4);
	client = createClient([storage.url]);
});

afterEach(() => Promise.all([client.close(), service.close(), storage.close()]));

function createClient(pictureOrigins: string[], profile = PROFILES.openai) {
	const models = { image: 'gpt-image-2', chat: 'chat', embedding: 'embedding' };
	return new ServiceClient({
		...{ baseUrl: service.url, apiKey: 'key-1', timeoutMs: 5000, models },
		...{ profile, pictureOrigins },
	});
}

const answersAddresses = (...urls: string[]) =>
	answers(200, JSON.stringify({ created: 1, data: urls.map((url) => ({ url, revised_prompt: 'A green field' })) }));

async function generate() {
	const { images, ...rest } = await client.generate({ prompt: 'a field', n: 2 }, signal);
	return { ...rest, images: images.map(({ bytes, width, height }) => [Buffer.from(bytes).equals(png), width, height]) };
}

describe('a service that answers with addresses', () => {
	test('pictures are fetched from its own origin with the key, and from a configured one without', async () => {
		service.next(answersAddresses('/v1/files/1.png?sig=2', `${storage.url}/a.png`), answers(200, png));
		storage.next(answers(200, png));
		const one = [true, 6, 4];
		const { release: _, ...result } = await generate();
		expect(result).toEqual({ revisedPrompt: 'A green field', images: [one, one] });
		expect(service.requests[1]).toMatchObject({ method: 'GET', path: '/v1/files/1.png?sig=2' });
		expect(service.requests[1]!.headers.authorization).toBe('Bearer key-1');
		expect(storage.requests[0]).toMatchObject({ method: 'GET', path: '/a.png' });
		expect(storage.requests[0]!.headers.authorization).toBeUndefined();
	});

	test('a wildcard stands for every name below a domain, with its scheme and port', async () => {
		const port = new URL(storage.url).port;
		for (const [origins, count] of [
			[[`http://*.0.0.1:${port}`], 1],
			[[`https://*.0.0.1:${port}`, 'http://*.0.0.1', `http://*.0.0.2:${port}`], 0],
		] as const) {
			const other = createClient([...origins]);
			service.next(answersAddresses(`data:image/png;base64,${png.toString('base64')}`, `${storage.url}/a.png`));
			storage.next(answers(200, png));
			const { images } = await other.generate({ prompt: 'a field', n: 2 }, signal);
			expect(images).toHaveLength(1 + count);
			await other.close();
		}
		expect(storage.requests).toHaveLength(1);
	});

	test('a data URL is decoded, also a long one', async () => {
		const noise = await sharp({
			create: {
				width: 900,
				height: 900,
				channels: 3,
				background: 'red',
				noise: { type: 'gaussian', mean: 99, sigma: 50 },
			},
		})
			.jpeg({ quality: 100 })
			.toBuffer();
		expect(noise.length).toBeGreaterThan(1_000_000);
		service.next(answersAddresses(`data:image/jpeg;base64,${noise.toString('base64')}`));
		const { images } = await client.generate({ prompt: 'noise' }, signal);
		expect(images.map(({ bytes, width }) => [noise.equals(bytes), width])).toEqual([[true, 900]]);
	});

	test('a redirect is followed to allowed origins only, and without the key elsewhere', async () => {
		service.next(answersAddresses('/1.png'), answers(302, '', { location: `${storage.url}/2.png` }));
		storage.next(answers(307, '', { location: '/3.png' }), answers(200, png));
		expect((await generate()).images).toEqual([[true, 6, 4]]);
		expect(storage.requests.map(({ path, headers }) => [path, headers.authorization])).toEqual([
			['/2.png', undefined],
			['/3.png', undefined],
		]);
	});

	test.each<[string, () => string]>([
		['at another origin', () => 'http://169.254.169.254/latest/meta-data'],
		['at the same host under another port', () => 'http://127.0.0.1:1/x.png'],
		['with a password', () => service.url.replace('http://', 'http://a:b@')],
		['that is a file', () => 'file:///etc/passwd'],
		['that is a data URL without base64', () => 'data:image/png,abc'],
		['that is no address', () => 'http://'],
	])('an address %s is never requested, and the picture counts as paid for', async (_, address) => {
		service.next(answersAddresses(address()));
		await expect(client.generate({ prompt: 'x' }, signal)).rejects.toMatchObject({
			...{ kind: 'address', message: 'The pictures were made, but could not be fetched.' },
			addresses: [address()],
		});
		expect(service.requests).toHaveLength(1);
		expect(storage.requests).toHaveLength(0);
	});

	test.each<[string, Parameters<typeof answers>]>([
		['is gone', [404]],
		['is HTML', [200, '<html>not a picture, although the status says so</html>']],
		['is redirected elsewhere', [302, '', { location: 'http://localhost:1/' }]],
	])('a picture that %s cannot be fetched; the others are returned', async (_, answer) => {
		service.next(answersAddresses(`${storage.url}/1`, `${storage.url}/2`));
		storage.next(answers(...answer), answers(200, png));
		expect((await generate()).images).toEqual([[true, 6, 4]]);
		storage.next(answers(...answer));
		const { reason, unfetched } = await client.fetchPictures([`${storage.url}/3`], signal);
		expect(unfetched).toEqual([`${storage.url}/3`]);
		expect((reason as Error).message).toMatch(/can't be fetched/);
	});

	test('no more are fetched than were asked for, two at a time', async () => {
		service.next(answersAddresses(...Array.from({ length: 5000 }, (_, index) => `${storage.url}/${index}`)));
		let [running, most] = [0, 0];
		const pair = Promise.withResolvers<void>();
		storage.always(async (exchange) => {
			running += 1;
			most = Math.max(most, running);
			if (running % 2 === 0) pair.resolve();
			await pair.promise;
			await answers(200, png)(exchange);
			running -= 1;
		});
		const { images, dropped, unfetched } = await client.generate({ prompt: 'a field', n: 4 }, signal);
		expect(images).toHaveLength(4);
		expect({ dropped, unfetched }).toEqual({ dropped: 4996, unfetched: undefined });
		expect(storage.requests).toHaveLength(4);
		expect(most).toBe(2);
	});

	test('the end of the request ends what is fetched', async () => {
		service.next(answersAddresses(...Array.from({ length: 4 }, (_, index) => `${storage.url}/${index}`)));
		const request = new AbortController();
		storage.always(async ({ read }) => {
			await read();
			request.abort();
		});
		const generated = client.generate({ prompt: 'a field', n: 4 }, request.signal);
		await expect(generated).rejects.toMatchObject({ kind: 'address' });
		expect(storage.requests.length).toBeLessThanOrEqual(2);
	});

	test('may have any profile', async () => {
		await client.close();
		client = createClient([], PROFILES.easel);
		service.next(answersAddresses('/a.png'), answers(200, png));
		expect((await generate()).images).toEqual([[true, 6, 4]]);
	});

	test('and too long ones gives none, which would be stored for a second try', async () => {
		service.next(answersAddresses(`/${'a'.repeat(9000)}`));
		await expect(client.generate({ prompt: 'x' }, signal)).rejects.toMatchObject({ kind: 'invalid' });
	});
});
