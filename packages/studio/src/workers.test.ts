import sharp from 'sharp';
import { expect, it, vi } from 'vitest';
import { sceneOf } from '../test/scene.fixture.ts';
import { refusalOf, startStudio } from '../test/studio.fixture.ts';
import { artist, type Run, Workers } from './workers.ts';

// Mocks hold for this thread alone: workers load the modules themselves.
vi.mock('./operations/operate.ts', () => ({ draw: onMainThread, edit: onMainThread }));
function onMainThread() {
	throw new Error('Drawn on the main thread.');
}

const size = { width: 64, height: 64 };
const scene = sceneOf({});
const draw = (workers: Workers, signal?: AbortSignal) => workers.run('draw', [{ scene, ...size }], signal);

it('rejects with the reason when a job is aborted, before and meanwhile, and leaves other jobs alone', async () => {
	const workers = new Workers(1);
	const reason = new Error('enough');
	await expect(draw(workers, AbortSignal.abort(reason))).rejects.toBe(reason);
	const controller = new AbortController();
	const [aborted, other] = [draw(workers, controller.signal), draw(workers)];
	controller.abort(reason);
	await expect(aborted).rejects.toBe(reason);
	expect(await sharp(await other).metadata()).toMatchObject({ format: 'png', width: 64, height: 64 });
});

it('rejects a job that fails and goes on', async () => {
	const workers = new Workers(1);
	const none = new Uint8Array([1, 2, 3]);
	const edit = { pictures: [none], operations: [], variation: 0, sharpText: false };
	await expect(workers.run('edit', [edit])).rejects.toThrow(/unsupported/i);
	expect(none.length).toBe(3);
	expect(await draw(workers)).toBeInstanceOf(Uint8Array);
});

const { signal } = new AbortController();
/** 4 MB of words that differ, which take seconds. */
const words = Array.from({ length: 400_000 }, (_, index) => `w${(index * 7919) % 1_000_003}`).join(' ');
const LIMIT_MS = 1000;

it('ends a thread that a reading holds, and does its other jobs in another one', async () => {
	const workers = new Workers(1, LIMIT_MS);
	const drawn = draw(workers);
	const held = workers.run('embeddings', [[words], 256], signal);
	const waiting = workers.run('prompt', ['a fox', 0], signal);
	await expect(held).rejects.toMatchObject({ status: 400, details: { code: 'too_complex' } });
	expect(await sharp(await drawn).metadata()).toMatchObject({ format: 'png', width: 64, height: 64 });
	expect((await waiting).scene.subjects).toMatchObject([{ figure: 'fox' }]);
});

it('ends a thread that an aborted reading holds, and does no aborted job again', async () => {
	const workers = new Workers(1, LIMIT_MS);
	const controller = new AbortController();
	const aborted = [workers.run('embeddings', [[words], 256], controller.signal), draw(workers, controller.signal)].map(
		(one) => expect(one).rejects.toBe('enough'),
	);
	const waiting = workers.run('chat', [[{ role: 'user', text: 'my name is Ada', images: 0 }]], signal);
	controller.abort('enough');
	await Promise.all(aborted);
	expect((await waiting).text).toContain('Nice to meet you, Ada');
});

it('refuses jobs while too many wait', async () => {
	const workers = new Workers(1);
	const all = Array.from({ length: 257 }, () => workers.run('prompt', ['a fox', 0], signal));
	const results = await Promise.allSettled(all);
	expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(256);
	expect(results.at(-1)).toMatchObject({ reason: { status: 429 } });
});

it('answers other requests while words are read, and refuses those that take too long', async () => {
	const slow = new Workers(1, 500);
	const begun = vi.fn();
	const read: Run = (...job) => {
		begun();
		return slow.run(...job);
	};
	const { call, post } = await startStudio({ artist: { ...artist, read } });
	const messages = Array(300).fill({ role: 'user', content: 'a '.repeat(50_000) });
	const order: string[] = [];
	const long = post('/v1/chat/completions', { messages }).finally(() => order.push('long'));
	await expect.poll(() => begun.mock.calls.length).toBe(1);
	await call('/v1/models');
	order.push('short');
	expect(await refusalOf(await long)).toMatchObject({ status: 400, code: 'too_complex' });
	expect(order).toEqual(['short', 'long']);
});

it('rejects only the jobs of a thread that crashes', async () => {
	const workers = new Workers(2);
	const broken = { ...scene, place: 'nowhere' as never };
	const [failed, drawn] = await Promise.allSettled([workers.run('draw', [{ scene: broken, ...size }]), draw(workers)]);
	expect([failed.status, drawn.status]).toEqual(['rejected', 'fulfilled']);
	expect(await draw(workers)).toBeInstanceOf(Uint8Array);
});

it('draws and edits in worker threads alone', async () => {
	const signal = AbortSignal.timeout(60_000);
	const pictures = [await artist.draw({ scene, ...size }, signal)];
	const operations = [{ do: 'resize', width: 32, height: 48 }] as const;
	const resized = await artist.edit({ pictures, operations, variation: 0, sharpText: false }, signal);
	expect(await sharp(resized).metadata()).toMatchObject({ width: 32, height: 48 });
});
