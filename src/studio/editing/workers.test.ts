import { performance } from 'node:perf_hooks';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { flat, landscape } from '../operations/pictures.fixture.ts';
import { compose } from './compose.ts';
import { edit } from './edit.ts';
import { createWorkers } from './workers.ts';

const image = await landscape();

describe('off the main thread', () => {
	it('edits and composes', async () => {
		const [edited, composed] = await Promise.all([
			edit({ image, instruction: 'rotate left', variation: 0, sharpText: false }),
			compose({ images: [image, await flat('#123456')], prompt: 'side by side', width: 64, height: 32, variation: 0 }),
		]);
		expect(await sharp(edited).metadata()).toMatchObject({ format: 'png', width: 72, height: 96 });
		expect(await sharp(composed).metadata()).toMatchObject({ format: 'png', width: 64, height: 32 });
	});

	it('composes to 1024 × 1024 unless told otherwise, and leaves the given bytes whole', async () => {
		const images = [await flat('#a00', 8, 8), await flat('#00a', 8, 8)];
		expect(await sharp(await compose({ images, prompt: 'blend', variation: 0 })).metadata()).toMatchObject({
			width: 1024,
			height: 1024,
		});
		expect(images.map(({ length }) => length > 0)).toEqual([true, true]);
	});

	it('keeps the main thread free', async () => {
		const large = await landscape(1024, 1024);
		const before = performance.eventLoopUtilization();
		await edit({ image: large, instruction: 'make it winter, as an oil painting', variation: 0, sharpText: true });
		expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5);
	});

	it('rejects what is no picture, and goes on', async () => {
		const none = { image: new Uint8Array([1, 2, 3]), instruction: 'brighter', variation: 0, sharpText: false };
		await expect(edit(none)).rejects.toThrow(/unsupported/i);
		expect(await edit({ ...none, image })).toBeInstanceOf(Uint8Array);
	});
});

describe('abort', () => {
	const job = { do: 'edit', image, instruction: 'make it night', variation: 0, sharp: false } as const;

	it('rejects with the reason, before and meanwhile', async () => {
		const workers = createWorkers(1);
		const reason = new Error('enough');
		await expect(workers.run(job, AbortSignal.abort(reason))).rejects.toBe(reason);
		const controller = new AbortController();
		const running = workers.run(job, controller.signal);
		controller.abort(reason);
		await expect(running).rejects.toBe(reason);
		expect(await workers.run(job)).toBeInstanceOf(Uint8Array);
	});

	it('leaves other jobs alone', async () => {
		const workers = createWorkers(1);
		const controller = new AbortController();
		const [aborted, other] = [workers.run(job, controller.signal), workers.run(job)];
		controller.abort();
		await expect(aborted).rejects.toThrow();
		expect(await other).toBeInstanceOf(Uint8Array);
	});
});
