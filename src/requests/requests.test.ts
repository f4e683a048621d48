import { beforeEach, describe, expect, test } from 'vitest';
import { commands } from '../../commands/index.ts';
import { openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import { PictureStore } from './picture-store.ts';
import { PictureRequests } from './requests.ts';

const place = { platform: 'test', server: 'server', channel: 'channel' };
const stored = {
	command: 'imagine',
	options: { prompt: 'a pond', n: 2, model: 'beta', private: true },
	inputs: {},
	person: { id: 'ada', name: 'Ada' },
	place,
};

describe('a stored request', () => {
	let store: Store;
	const requests = () =>
		new PictureRequests({ store, retentionMs: 60_000 }, new PictureStore(store.space('pictures'), 60_000), commands);

	beforeEach(async () => {
		store = await openStore('memory:');
	});

	test('is summarized by its command', async () => {
		await store.space('requests').keyv.set('job', stored);
		expect(await requests().find('job')).toEqual({
			...stored,
			prompt: 'a pond',
			count: 2,
			model: 'beta',
			size: 'square',
			private: true,
		});
	});

	test('is stored without its summary', async () => {
		await store.space('requests').keyv.set('job', {});
		await requests().change('job', { ...stored, prompt: 'a pond', count: 2, private: true });
		expect(await store.space('requests').keyv.get('job')).toEqual(stored);
	});

	test('expires when it would have without its changes, and is not stored again after its end', async () => {
		const { keyv } = store.space('requests');
		await keyv.set('job', stored, 30_000);
		const before = await keyv.getRaw('job');
		await requests().change('job', { ...stored, prompt: 'a pond', count: 2, private: true, alts: ['A lake.'] });
		expect(await keyv.getRaw('job')).toEqual({ value: { ...stored, alts: ['A lake.'] }, expires: before?.expires });
		await keyv.delete('job');
		await requests().change('job', { ...stored, prompt: 'a pond', count: 2, private: true });
		expect(await keyv.has('job')).toBe(false);
	});

	test('of a command that no longer exists shows no option and stays private', async () => {
		await store.space('requests').keyv.set('job', { ...stored, command: 'paint' });
		expect(await requests().find('job')).toMatchObject({ prompt: 'paint', private: true, count: 1 });
	});

	test('is undefined when nothing is stored', async () => {
		expect(await requests().find('job')).toBeUndefined();
	});
});
