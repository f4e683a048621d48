import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
	answers,
	type FaultyService,
	imageResult,
	smallPng,
	startFaultyService,
} from '../../packages/fakes/src/service.ts';
import { ServiceClient } from './client.ts';
import { PictureMemory } from './picture-fetcher.ts';
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
			await Array.fromAsync(service.chat({ messages: [] }, signal)).catch(() => {});
			expect(results).toHaveLength(count);
			results.at(-1)?.release?.();
		}
	});

	test('goes on after answers that are aborted or invalid', async () => {
		const body = imageResult(large);
		fake.next(answers(200, body.slice(0, -2)), answers(200, body.replace('iVBOR', '!!!!!')), answers(200, body));
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
});
