import { beforeEach, describe, expect, test } from 'vitest';
import { commands } from '../../commands/index.ts';
import type { Job } from '../domain/job.ts';
import { openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import { PictureStore } from './picture-store.ts';
import { PictureRequests } from './requests.ts';

const place = { platform: 'test', server: 'server', channel: 'channel' };
const asked = { options: { prompt: 'a pond', n: 2, model: 'beta', private: true }, inputs: {} };
const of = { command: 'imagine', person: { id: 'ada', name: 'Ada' }, place };
const summary = { prompt: 'a pond', count: 2, private: true };

describe('a stored request', () => {
	let store: Store;
	const ledger = () => store.space('ledger');
	const requests = () => new PictureRequests(ledger(), new PictureStore(store.space('pictures'), 60_000), commands);
	const write = (changes: object = {}, ttlMs?: number) =>
		ledger().keyv.set('job:job', { step: 0, id: 'job', ...of, request: asked, ...changes }, ttlMs);
	const read = async () => (await ledger().keyv.get<Job>('job:job'))?.request;

	beforeEach(async () => {
		store = await openStore('memory:');
	});

	test('is summarized by its command', async () => {
		await write();
		expect(await requests().find('job')).toEqual({ ...asked, ...of, ...summary, model: 'beta', size: 'square' });
	});

	test('is stored without its summary', async () => {
		await write();
		await requests().change('job', { ...asked, ...of, ...summary, alts: ['A lake.'] });
		expect(await read()).toEqual({ ...asked, alts: ['A lake.'] });
	});

	test('expires when it would have without its changes, and is not stored again after it was deleted', async () => {
		await write({}, 30_000);
		const expiry = async () => (await ledger().keyv.getRaw('job:job'))?.expires ?? 0;
		const before = await expiry();
		await requests().change('job', { ...asked, ...of, ...summary, alts: ['A lake.'] });
		// The store is told how long an entry is left, and not when it ends.
		expect(await expiry()).toBeLessThan(before + 10_000);
		await requests().forget('job');
		await requests().change('job', { ...asked, ...of, ...summary });
		expect(await read()).toBeUndefined();
		expect(await requests().find('job')).toBeUndefined();
	});

	test('of a command that no longer exists shows no option and stays private', async () => {
		await write({ command: 'paint' });
		expect(await requests().find('job')).toMatchObject({ prompt: 'paint', private: true, count: 1 });
	});

	test('is undefined when nothing is stored', async () => {
		expect(await requests().find('job')).toBeUndefined();
	});
});
