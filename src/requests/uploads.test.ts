import { expect, test, vi } from 'vitest';
import { smallPng } from '../../packages/fakes/src/service.ts';
import { Consent } from '../bot/privacy/consent.ts';
import type { Upload } from '../domain/channel.ts';
import { platformsOf } from '../domain/platform.ts';
import type { Easel } from '../easel.ts';
import { createLog } from '../log.ts';
import { openStore } from '../store/open-store.ts';
import { SettingsRepository } from '../usage/settings.ts';
import { inputImages, keepInputs, PictureStore } from './picture-store.ts';
import { TemporaryUploads } from './uploads.ts';

const place = { platform: 'test', server: 'club', channel: 'general' };
const person = { id: 'ada' };

async function createInputs() {
	const store = await openStore('memory:');
	const space = store.space('pictures');
	const { files } = space;
	const log = await createLog({ level: 'silent', format: 'json', secrets: [] });
	const stopping = new AbortController().signal;
	const temporaryUploads = new TemporaryUploads(store.space('uploads'));
	const settings = new SettingsRepository(store.space('ledger'), Date.now);
	const features = { pictureStore: new PictureStore(space, 60_000), temporaryUploads, settings };
	const easel = {
		...features,
		store,
		log,
		stopping,
		platforms: platformsOf([]),
		now: Date.now,
	} as Partial<Easel> as Easel;
	easel.consent = new Consent(easel);
	return { files, easel };
}

test('are kept in the store, and read when they are sent', async () => {
	const { easel } = await createInputs();
	const png = await smallPng('#27ae60');
	const { names, shape } = await keepInputs(easel, place, person, [
		['image1', { name: 'a.png', read: async () => png }],
	]);
	expect(shape).toEqual({ width: 8, height: 8 });
	const { image1 } = await inputImages(easel, names);
	if (!image1 || !('read' in image1)) throw new Error('The picture is in memory');
	expect(image1).toMatchObject({ type: 'image/png', size: png.length });
	for (let times = 0; times < 2; times++) expect(Buffer.from(await image1.read()).equals(png)).toBe(true);
});

test('are missing before the call is made, not while it is', async () => {
	const { files, easel } = await createInputs();
	const png = await smallPng('#27ae60');
	const { names } = await keepInputs(easel, place, person, [['image', { name: 'a.png', read: async () => png }]]);
	for (const name of await files.names('')) await files.delete(name);
	await expect(inputImages(easel, names)).rejects.toThrow(/could not be downloaded/);
});

test('are not kept when one of them cannot be used, since such a request costs nothing', async () => {
	const { files, easel } = await createInputs();
	const png = await smallPng('#27ae60');
	const good: Upload = { name: 'a.png', read: async () => png };
	const bad: Upload = { name: 'b.png', read: async () => Buffer.from('text') };
	const kept = keepInputs(easel, place, person, [
		['image1', good],
		['image2', bad],
	]);
	await expect(kept).rejects.toThrow('The file is not a picture');
	expect(await files.names('')).toEqual([]);
});

test.each([
	['large', 10 * 1024 * 1024, 1],
	['small', 1024, 8],
])('are fetched for a bounded number of requests at once when they are %s', async (_, size, atMost) => {
	const { easel } = await createInputs();
	const { upload, most } = await countedUpload(size);
	const three = ['image1', 'image2', 'image3'].map((name) => [name, upload] as const);
	await Promise.all(
		Array.from({ length: 12 }, (_, index) => keepInputs(easel, place, { id: `member ${index}` }, three)),
	);
	expect(most()).toBe(atMost);
});

test('are fetched for two requests of a person at once', async () => {
	const { easel } = await createInputs();
	const { upload, most } = await countedUpload(1024);
	await Promise.all(Array.from({ length: 6 }, () => keepInputs(easel, place, person, [['image', upload]])));
	expect(most()).toBe(2);
});

test('are not fetched when they are too large, or the request was cancelled', async () => {
	const { easel } = await createInputs();
	const { upload, most } = await countedUpload(10 * 1024 * 1024 + 1);
	await expect(keepInputs(easel, place, person, [['image', upload]])).rejects.toThrow('the maximum is 10 MB');
	const cancelled = AbortSignal.abort(new Error('Cancelled'));
	await expect(keepInputs(easel, place, person, [['image', { ...upload, size: 1024 }]], cancelled)).rejects.toThrow(
		'Cancelled',
	);
	expect(most()).toBe(0);
});

/** Returns an upload, and a function that returns how many of its reads ran at once. */
async function countedUpload(size: number) {
	const png = await smallPng('#27ae60');
	let fetching = 0;
	let most = 0;
	const upload: Upload = {
		name: 'a.png',
		size,
		async read() {
			most = Math.max(most, ++fetching);
			await new Promise((resolve) => setImmediate(resolve));
			fetching--;
			return png;
		},
	};
	return { upload, most: () => most };
}

test('are kept for an hour, and as long as results once their request is counted', async () => {
	vi.useFakeTimers({ toFake: ['Date'] });
	try {
		const store = await openStore('memory:');
		const pictureStore = new PictureStore(store.space('pictures'), 30 * 24 * 3600_000);
		const [refused, counted] = [await pictureStore.keepInput(Buffer.of(1)), await pictureStore.keepInput(Buffer.of(2))];
		await pictureStore.retainInputs([counted]);
		vi.advanceTimersByTime(3600_001);
		expect(await pictureStore.input(refused)).toBeUndefined();
		expect(await pictureStore.input(counted)).toBeDefined();
	} finally {
		vi.useRealTimers();
	}
});
