import sharp from 'sharp';
import { expect, it, vi } from 'vitest';
import { artist } from './images/artist.ts';
import { sceneOf } from './scene/scene.fixture.ts';
import type { Job } from './worker.ts';
import { Workers } from './workers.ts';

// Mocks hold for this thread alone: workers load the modules themselves.
vi.mock('./drawing/paint-scene.ts', () => ({ paintScene: onMainThread }));
vi.mock('./operations/operate.ts', () => ({ operate: onMainThread, layOut: onMainThread }));
function onMainThread() {
	throw new Error('Drawn on the main thread.');
}

const job = { do: 'draw', scene: sceneOf({}), width: 64, height: 64 } as const satisfies Job;

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
	const broken = { ...job, scene: { ...job.scene, place: 'nowhere' } } as unknown as Job;
	const [failed, drawn] = await Promise.allSettled([workers.run(broken), workers.run(job)]);
	expect([failed.status, drawn.status]).toEqual(['rejected', 'fulfilled']);
	expect(await workers.run(job)).toBeInstanceOf(Uint8Array);
});

it('draws and edits in worker threads alone', async () => {
	const signal = AbortSignal.timeout(60_000);
	const drawn = await artist.draw(job.scene, job, signal);
	const manner = { seed: '', variation: 0, sharpText: false };
	const resized = await artist.operate(drawn, [{ do: 'resize', width: 32, height: 48 }], manner, signal);
	expect(await sharp(resized).metadata()).toMatchObject({ width: 32, height: 48 });
});
