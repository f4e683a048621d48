import { describe, expect, it } from 'vitest';
import { flatPicture, picturesOf, plainArtist, refusalOf, startStudio } from '../../test/studio.fixture.ts';
import type { Scene } from '../scene/scene.ts';
import { imageResult } from './images.ts';

const picture = await flatPicture(30, 20);
const photo = await flatPicture(40, 40, 'jpeg');

describe('generation', () => {
	it.each(['/v1/images/generations', '/api/v1/images/generations'])('draws at %s', async (path) => {
		const plain = plainArtist();
		const { post } = await startStudio({ ...plain, now: () => new Date('2026-07-14T00:00:00Z') });
		const answer = await post(path, { prompt: 'a fox', model: 'beta', size: '256x128', n: 2 });
		expect(answer.headers.get('content-type')).toBe('application/json');
		const body = (await answer.json()) as { created: number; data: object[] };
		expect(Object.keys(body)).toEqual(['created', 'data']);
		expect(body.created).toBe(1_783_987_200);
		const b64_json = expect.any(String);
		const revised_prompt = expect.stringMatching(/^Drawn: a fox in a forest.*\.$/);
		expect(body.data).toEqual([
			{ b64_json, revised_prompt },
			{ b64_json, revised_prompt },
		]);
		const size = { width: 256, height: 128 };
		// The threads that read the words may finish in any order.
		const variationOf = ({ scene }: { scene?: unknown; do: string }) => (scene as Scene).variation;
		const asked = plain.asked.toSorted((a, b) => variationOf(a) - variationOf(b));
		expect(asked).toMatchObject([
			{ do: 'draw', ...size, scene: { subjects: [{ name: 'fox' }], variation: 0, sharpText: true } },
			{ do: 'draw', ...size, scene: { subjects: [{ name: 'fox' }], variation: 1, sharpText: true } },
		]);
	});

	it('has defaults, and lets pass what SDKs send beside', async () => {
		const plain = plainArtist();
		const { post } = await startStudio(plain);
		for (const extra of [
			{},
			{ model: null, size: null, n: null, response_format: null, stream: null },
			{ size: 'auto', response_format: 'b64_json', stream: false },
			{ user: 'u', quality: 'hd', background: 'opaque', style: 'vivid', seed: 1, anything: { deep: [1] } },
		]) {
			await picturesOf(await post('/v1/images/generations', { prompt: 'a fox', ...extra }));
		}
		expect(plain.asked).toHaveLength(4);
		for (const [variation, asked] of plain.asked.entries()) {
			expect(asked).toMatchObject({ width: 1024, height: 1024, scene: { variation, sharpText: false } });
		}
	});

	it('gives each of several simultaneous calls another variation of the same words', async () => {
		const plain = plainArtist();
		const { post } = await startStudio(plain);
		const calls = [1, 2, 1, 2].map((n) => post('/v1/images/generations', { prompt: 'an owl', n }));
		for (const answer of await Promise.all(calls)) await picturesOf(answer);
		const variations = plain.asked.map(({ scene }) => (scene as Scene).variation);
		expect(variations.toSorted()).toEqual([0, 1, 2, 3, 4, 5]);
	});

	it('writes a large answer byte for byte, with its length beforehand', async () => {
		const bytes = crypto.getRandomValues(new Uint8Array(65_536));
		const lengths = [0, 1, 2, 3, 196_607, 196_608, 196_609, 1_000_001];
		for (const length of lengths) {
			const large = new Uint8Array(length).map((_, index) => bytes[index % bytes.length] ?? 0);
			const made = { png: large, revisedPrompt: 'Drawn: “a” 🦊.' };
			const answer = imageResult([made, made], new Date());
			const text = await answer.clone().text();
			expect(answer.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
			expect((await picturesOf(answer)).map((one) => Buffer.compare(one, large))).toEqual([0, 0]);
		}
	});
});

describe('an edit', () => {
	const json = (image: unknown) => ({ prompt: 'make it night', image });
	const form = (field: string, file: Blob) => {
		const form = new FormData();
		form.set('prompt', 'make it night');
		form.set('n', '2');
		form.set('stream', 'false');
		form.set(field, file, 'picture.bin');
		return form;
	};
	const base64 = picture.toString('base64');

	it.each([
		['base64', json(base64)],
		['base64 without padding', json(base64.replace(/=+$/, ''))],
		['base64 in lines', json(base64.replaceAll(/.{76}/g, '$&\r\n'))],
		['a data URL', json(`data:image/png;base64,${base64}`)],
		['a data URL with parameters and a wrong type', json(`data:text/plain;charset=utf-8;base64,${base64}`)],
		['an array of one', json([base64])],
		['a file', form('image', new Blob([picture]))],
		['a file as SDKs name it among several', form('image[]', new Blob([picture], { type: 'text/plain' }))],
	])('takes %s', async (_, body) => {
		const plain = plainArtist();
		const { post } = await startStudio(plain);
		expect(await picturesOf(await post('/v1/images/edits', body))).toHaveLength(body instanceof FormData ? 2 : 1);
		expect(plain.asked[0]).toMatchObject({
			do: 'edit',
			operations: [{ do: 'look', name: 'night' }],
			variation: 0,
			sharpText: false,
		});
		const [got] = plain.asked[0]!['pictures'] as Uint8Array[];
		expect(Buffer.compare(got!, picture)).toBe(0);
	});

	it('composes several pictures in their order, whatever their parts are called', async () => {
		const plain = plainArtist();
		const { post } = await startStudio(plain);
		const url = (bytes: Uint8Array) => ({
			image_url: `data:image/png;base64,${Buffer.from(bytes).toString('base64')}`,
		});
		const bodies: (FormData | object)[] = ['image', 'image[]', 'images[]'].map((name) => {
			const body = form(name, new Blob([picture]));
			body.append(name, new Blob([photo]));
			return body;
		});
		bodies.push({ prompt: 'make it night', images: [url(picture), url(photo)] });
		for (const body of bodies) await picturesOf(await post('/v1/images/edits', body));
		for (const asked of plain.asked) {
			expect(asked).toMatchObject({ do: 'edit', operations: [{ do: 'look', name: 'night' }] });
			const got = asked['pictures'] as Uint8Array[];
			expect(got.map((one, index) => Buffer.compare(one, [picture, photo][index] ?? one))).toEqual([0, 0]);
		}
	});

	it('refuses none and more than three', async () => {
		const { post } = await startStudio(plainArtist());
		for (const images of [[], Array(4).fill(base64)]) {
			const { status, message } = await refusalOf(await post('/v1/images/edits', json(images)));
			expect([status, message]).toEqual([400, 'An edit takes one image, or two or three to compose.']);
		}
	});
});

describe('a picture of its own', () => {
	const ask = async (post: Awaited<ReturnType<typeof startStudio>>['post'], path: string, body: object) => {
		const answer = (await (await post(path, body)).json()) as { data: { b64_json: string; revised_prompt: string }[] };
		return answer.data[0] ?? { b64_json: '', revised_prompt: '' };
	};

	it('is edited in its scene, again and again, and counted only when something changes', async () => {
		const plain = plainArtist();
		const { post, used } = await startStudio(plain);
		const drawn = await ask(post, '/v1/images/generations', { prompt: 'a fox in a forest, rain, qwrtz' });
		expect(drawn.revised_prompt).toMatch(/^Drawn: a fox in a forest .*, rain\. Left out: qwrtz\.$/);
		const night = await ask(post, '/v1/images/edits', {
			prompt: 'make it night, add a full moon',
			image: drawn.b64_json,
		});
		expect(night.revised_prompt).toBe('Drawn: a fox in a forest at night, rain, a moon.');
		const owl = await ask(post, '/v1/images/edits', { prompt: 'replace the fox with an owl', image: night.b64_json });
		expect(owl.revised_prompt).toBe('Replaced the fox with an owl. Drawn: an owl in a forest at night, rain, a moon.');
		for (const prompt of ['remove the horse', 'qwrtz', 'keep it as it is']) {
			const refusal = await refusalOf(await post('/v1/images/edits', { prompt, image: owl.b64_json }));
			expect(refusal).toMatchObject({ status: 400, code: 'nothing_to_do', param: 'prompt' });
			expect(refusal.message.length).toBeLessThanOrEqual(300);
		}
		const foreign = await refusalOf(
			await post('/v1/images/edits', { prompt: 'remove the fox', image: picture.toBase64() }),
		);
		expect(foreign).toMatchObject({ status: 400, code: 'nothing_to_do' });
		expect(await used()).toBe(3);
	});

	it('is composed with others by their scenes', async () => {
		const { post } = await startStudio(plainArtist());
		const fox = await ask(post, '/v1/images/generations', { prompt: 'a fox in a forest' });
		const boat = await ask(post, '/v1/images/generations', { prompt: 'a boat at sea at sunset' });
		const prompt = 'put the fox from image 1 on the boat of image 2';
		const images = [fox.b64_json, boat.b64_json];
		const { revised_prompt } = await ask(post, '/v1/images/compose', { prompt, images });
		expect(revised_prompt).toContain('Drawn: a fox on a boat at sea at sunset.');
	});
});

describe('a composition', () => {
	it.each([2, 3])('takes %i pictures in their order, as files and as JSON', async (count) => {
		const pictures = [picture, photo, await flatPicture(5, 5, 'webp')].slice(0, count);
		const form = new FormData();
		for (const one of pictures) form.append('image', new Blob([one]), 'x');
		form.set('prompt', 'side by side');
		form.set('size', '512x256');
		const images = pictures.map((one, index) => (index ? 'data:;base64,' : '') + one.toString('base64'));
		const plain = plainArtist();
		const { post } = await startStudio(plain);
		await picturesOf(await post('/v1/images/compose', form));
		await picturesOf(await post('/v1/images/compose', { images, prompt: 'side by side', size: '512x256' }));
		expect(plain.asked).toHaveLength(2);
		for (const asked of plain.asked) {
			const order = pictures.map((_, index) => index);
			expect(asked).toMatchObject({ arranged: { layout: { layout: 'row', order }, width: 512, height: 256 } });
			const got = asked['pictures'] as Uint8Array[];
			expect(got.map((one, index) => Buffer.compare(one, pictures[index] ?? picture))).toEqual(pictures.map(() => 0));
		}
	});

	it('has 1024 × 1024 pixels when no size is asked for', async () => {
		const plain = plainArtist();
		const { post } = await startStudio(plain);
		const images = [picture.toBase64(), photo.toBase64()];
		await picturesOf(await post('/v1/images/compose', { images, prompt: 'blend', size: 'auto' }));
		expect(plain.asked[0]).toMatchObject({ arranged: { layout: { layout: 'blend' }, width: 1024, height: 1024 } });
	});
});

describe('a client that leaves', () => {
	it('stops its drawings and pays nothing', async () => {
		const started: AbortSignal[] = [];
		const begun = Promise.withResolvers<void>();
		const plain = plainArtist();
		const { post, used } = await startStudio({
			...plainArtist({
				draw: (drawn, signal) => {
					if (drawn.scene.seed !== 'slow') return plain.artist.draw(drawn, signal);
					if (started.push(signal) === 3) begun.resolve();
					return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));
				},
			}),
		});
		const leaving = new AbortController();
		const slow = post('/v1/images/generations', { prompt: 'slow', n: 3 }, { signal: leaving.signal });
		await begun.promise;
		expect(await used()).toBe(1);
		const next = post('/v1/images/generations', { prompt: 'next' });
		leaving.abort();
		await expect(slow).rejects.toThrow();
		await picturesOf(await next);
		expect(started.map(({ aborted }) => aborted)).toEqual([true, true, true]);
		expect(await used()).toBe(1);
	});
});

describe('too many drawings', () => {
	it('are refused with the time to wait, uncounted, while those before them go on', async () => {
		const gate = Promise.withResolvers<void>();
		const full = Promise.withResolvers<void>();
		let drawing = 0;
		const { post, used } = await startStudio({
			...plainArtist({
				draw: async () => {
					if (++drawing === 3) full.resolve();
					await gate.promise;
					return flatPicture(8, 8);
				},
			}),
			mostDrawings: 5,
		});
		const first = post('/v1/images/generations', { prompt: 'a', n: 3 });
		await full.promise;
		const refused = await post('/v1/images/generations', { prompt: 'b', n: 3 });
		expect(refused.headers.get('retry-after')).toBe('2');
		expect(await refusalOf(refused)).toMatchObject({ status: 429, code: 'rate_limit_exceeded' });
		const second = post('/v1/images/generations', { prompt: 'c', n: 2 });
		gate.resolve();
		expect(await picturesOf(await first)).toHaveLength(3);
		expect(await picturesOf(await second)).toHaveLength(2);
		expect(await used()).toBe(2);
	});
});
