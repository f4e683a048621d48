import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { answers, type FaultyService, imageResult, smallPng, startFaultyService } from '../../test/fakes/service.ts';
import { ServiceClient } from './client.ts';
import { PictureMemory } from './picture-fetcher.ts';
import type { ImageResult } from './service.ts';

describe('the memory for pictures', () => {
	beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
	afterEach(() => void vi.useRealTimers());

	test('holds no more than its limit, or one answer; all are read in their order', () => {
		const answer = fc.record({ bytes: fc.integer({ min: 1, max: 150 }), releasesFirst: fc.boolean() });
		const property = fc.property(fc.array(answer), (all) => {
			const memory = new PictureMemory({ limitBytes: 100 });
			const waiting = new Set<number>();
			const started: number[] = [];
			const running = new Map<number, { bytes: number; release(): void }>();
			const releaseFirst = () => {
				const [[index, claim] = []] = running;
				if (index !== undefined) running.delete(index);
				claim?.release();
			};
			for (const [index, { bytes, releasesFirst }] of all.entries()) {
				const claim = memory.claim();
				const start = () => {
					started.push(index);
					running.set(index, { bytes, release: claim.release });
					const used = running.values().reduce((sum, each) => sum + each.bytes, 0);
					expect(used <= 100 || running.size === 1).toBe(true);
				};
				claim.take(bytes, { pause: () => waiting.add(index), resume: start });
				if (!waiting.has(index)) start();
				if (releasesFirst) releaseFirst();
			}
			while (running.size > 0) releaseFirst();
			expect(started).toEqual([...all.keys()]);
		});
		fc.assert(property);
	});

	test('is given to one that has waited for long', () => {
		const memory = new PictureMemory({ limitBytes: 100, waitMs: 5000 });
		memory.claim().take(80, { pause: expect.unreachable, resume: expect.unreachable });
		const flow = { pause: vi.fn(), resume: vi.fn() };
		const late = memory.claim();
		late.take(80, flow);
		vi.advanceTimersByTime(4999);
		expect(flow.resume).not.toHaveBeenCalled();
		vi.advanceTimersByTime(1);
		expect(flow.resume).toHaveBeenCalledOnce();
		late.release();
	});

	test('is not given to one that has ended while it waited', () => {
		const memory = new PictureMemory({ limitBytes: 100 });
		const first = memory.claim();
		first.take(80, { pause: expect.unreachable, resume: expect.unreachable });
		const aborted = memory.claim();
		aborted.take(80, { pause() {}, resume: expect.unreachable });
		const third = { pause: vi.fn(), resume: vi.fn() };
		memory.claim().take(20, third);
		expect(third.pause).toHaveBeenCalledOnce();
		aborted.release();
		expect(third.resume).toHaveBeenCalledOnce();
		first.release();
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
