import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
	answers,
	answersInPieces,
	type FaultyService,
	imageResult,
	smallPng,
	startFaultyService,
} from '../../packages/fakes/src/service.ts';
import { ServiceClient } from './client.ts';
import { PictureMemory } from './exchange.ts';
import { PROFILES } from './profiles.ts';
import type { ImageResult } from './service.ts';

describe('the memory for pictures', () => {
	beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
	afterEach(() => void vi.useRealTimers());

	test('holds no more than its limit, or one answer; all are read in their order', async () => {
		const answer = fc.record({ bytes: fc.integer({ min: 1, max: 150 }), releasesFirst: fc.boolean() });
		const property = fc.asyncProperty(fc.array(answer), async (all) => {
			const memory = new PictureMemory({ limitBytes: 100 });
			const started: number[] = [];
			const running = new Map<number, { bytes: number; release(): void }>();
			const releaseFirst = async () => {
				const [[index, first] = []] = running;
				if (index !== undefined) running.delete(index);
				first?.release();
				await Promise.resolve();
			};
			for (const [index, { bytes, releasesFirst }] of all.entries()) {
				void memory.take(bytes).then((release) => {
					started.push(index);
					running.set(index, { bytes, release });
					const used = running.values().reduce((sum, each) => sum + each.bytes, 0);
					expect(used <= 100 || running.size === 1).toBe(true);
				});
				await Promise.resolve();
				if (releasesFirst) await releaseFirst();
			}
			while (running.size > 0) await releaseFirst();
			expect(started).toEqual([...all.keys()]);
		});
		await fc.assert(property);
	});

	/** Tells whether it is there by now. */
	const has = (taken: Promise<unknown>) => Promise.race([taken.then(() => true), Promise.resolve().then(() => false)]);

	test('is given to one that has waited for long', async () => {
		const memory = new PictureMemory({ limitBytes: 100, waitMs: 5000 });
		await memory.take(80);
		const late = memory.take(80);
		vi.advanceTimersByTime(4999);
		expect(await has(late)).toBe(false);
		vi.advanceTimersByTime(1);
		expect(await has(late)).toBe(true);
	});

	test('is not held back for one that was aborted while it waited, and given back once', async () => {
		const memory = new PictureMemory({ limitBytes: 100 });
		const release = await memory.take(80);
		const aborted = new AbortController();
		const waiting = memory.take(80, aborted.signal);
		const third = memory.take(20);
		expect(await has(third)).toBe(false);
		aborted.abort();
		(await waiting)();
		expect(await has(third)).toBe(true);
		release();
		release();
		expect(await has(memory.take(90))).toBe(false);
		vi.runAllTimers();
	});
});

describe('a client with little memory for pictures', () => {
	const { signal } = new AbortController();
	let fake: FaultyService;
	let service: ServiceClient;
	let large: Buffer;
	beforeEach(async () => {
		fake = await startFaultyService({ embeds: false });
		const memory = new PictureMemory({ limitBytes: 1_500_000, waitMs: 60_000 });
		service = new ServiceClient({
			...{ baseUrl: fake.url, memory },
			models: { image: 'i', chat: 'c', embedding: 'e' },
		});
		large = Buffer.concat([await smallPng(), Buffer.alloc(1_000_000)]);
	});
	afterEach(async () => {
		await service.close();
		await fake.close();
	});

	test('reads one large answer after the other, as their pictures are handed on', async () => {
		fake.always(answers(200, imageResult(large)));
		const results: ImageResult[] = [];
		for (const _ of [1, 2, 3])
			void service.generate({ prompt: 'x' }, signal).then((result) => void results.push(result));
		for (const count of [1, 2, 3]) {
			await expect.poll(() => results).toHaveLength(count);
			// The others would have come by the end of another call.
			await service.models(signal).catch(() => {});
			expect(results).toHaveLength(count);
			results.at(-1)?.release?.();
		}
	});

	test('goes on after answers that are aborted or invalid', async () => {
		const body = imageResult(large);
		fake.next(answers(200, body.slice(0, -20)), answers(200, body.replace('iVBOR', '!!!!!')), answers(200, body));
		await expect(service.generate({ prompt: 'x' }, signal)).rejects.toThrow();
		await expect(service.generate({ prompt: 'x' }, signal)).rejects.toThrow();
		expect((await service.generate({ prompt: 'x' }, signal)).images).toHaveLength(1);

		// That one holds the memory, so that the next one waits.
		fake.always(answers(200, body));
		const aborted = new AbortController();
		const waiting = service.generate({ prompt: 'x' }, aborted.signal);
		await fake.arrived(4);
		aborted.abort();
		await expect(waiting).rejects.toMatchObject({ code: 'ABORTED' });
	});

	describe('counts the pictures that come', () => {
		const event = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
		const delta = (value: object) => event({ choices: [{ delta: value }] });
		const url = () => `data:image/png;base64,${large.toString('base64')}`;
		const shapes: Record<string, () => string[]> = {
			'in one event of a chat': () => [
				delta({ content: 'A', images: [{ image_url: { url: url() } }] }),
				'data: [DONE]',
			],
			'in many pieces of its text': () => [
				...(`![](${url()})`.match(/.{1,9000}/g) ?? []).map((content) => delta({ content })),
				'data: [DONE]',
			],
			'in a whole answer': () => [JSON.stringify({ choices: [{ message: { content: `![](${url()})` } }] })],
		};
		const listen = async (released: Promise<void>, seen: string[]) => {
			for await (const part of service.chat({ messages: [] }, signal)) {
				if (typeof part === 'string' || !('pictures' in part)) continue;
				seen.push(`${part.pictures.length}`);
				await released;
				part.release();
			}
		};

		test.each(Object.keys(shapes))('%s', async (shape) => {
			fake.next(
				answersInPieces(shapes[shape]!()),
				answersInPieces(shapes[shape]!()),
				answersInPieces(['data: [DONE]']),
			);
			const seen: string[] = [];
			const { promise, resolve } = Promise.withResolvers<void>();
			const [first, second] = [listen(promise, seen), listen(Promise.resolve(), seen)];
			await fake.arrived(2);
			await expect.poll(() => seen).toEqual(['1']);
			await listen(Promise.resolve(), seen);
			expect(seen).toEqual(['1']);
			resolve();
			await Promise.all([first, second]);
			expect(seen).toEqual(['1', '1']);
		});

		test('as a stream with previews', async () => {
			await service.close();
			const memory = new PictureMemory({ limitBytes: 1_500_000, waitMs: 60_000 });
			service = new ServiceClient({
				...{ baseUrl: fake.url, memory, profile: PROFILES.openai, previews: 1 },
				models: { image: 'gpt-image-2', chat: 'c', embedding: 'e' },
			});
			const body = event({ type: 'image_generation.completed', b64_json: large.toString('base64') });
			fake.always(answers(200, body, { 'content-type': 'text/event-stream' }));
			const results: ImageResult[] = [];
			for (const _ of [1, 2])
				void service.generate({ prompt: 'x' }, signal, () => {}).then((result) => void results.push(result));
			await expect.poll(() => results).toHaveLength(1);
			await service.models(signal).catch(() => {});
			expect(results).toHaveLength(1);
			results[0]!.release?.();
			await expect.poll(() => results).toHaveLength(2);
		});
	});
});
