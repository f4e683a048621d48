import sharp from 'sharp';
import { expect, it } from 'vitest';
import { sceneOf } from './scene/scene.fixture.ts';
import type { Job } from './worker.ts';
import { Workers } from './workers.ts';

const job: Job = { do: 'draw', scene: sceneOf({}), width: 64, height: 64 };

it('rejects with the reason when a job is aborted, before and meanwhile, and leaves other jobs alone', async () => {
	const workers = new Workers(1);
	const reason = new Error('enough');
	await expect(workers.run(job, AbortSignal.abort(reason))).rejects.toBe(reason);
	const controller = new AbortController();
	const [aborted, other] = [workers.run(job, controller.signal), workers.run(job)];
	controller.abort(reason);
	await expect(aborted).rejects.toBe(reason);
	expect(await sharp(await other).metadata()).toMatchObject({ format: 'png', width: 64, height: 64 });
});

it('rejects a job that fails and goes on', async () => {
	const workers = new Workers(1);
	const none = new Uint8Array([1, 2, 3]);
	const manner = { seed: '', variation: 0, sharpText: false };
	await expect(workers.run({ do: 'operate', picture: none, operations: [], manner })).rejects.toThrow(/unsupported/i);
	expect(none.length).toBe(3);
	expect(await workers.run(job)).toBeInstanceOf(Uint8Array);
});

it('rejects only the jobs of a thread that crashes', async () => {
	const workers = new Workers(2);
	const broken = { ...job, scene: { ...sceneOf({}), place: 'nowhere' } } as unknown as Job;
	const [failed, drawn] = await Promise.allSettled([workers.run(broken), workers.run(job)]);
	expect([failed.status, drawn.status]).toEqual(['rejected', 'fulfilled']);
	expect(await workers.run(job)).toBeInstanceOf(Uint8Array);
});
