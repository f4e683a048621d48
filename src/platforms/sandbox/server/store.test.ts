import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openStore } from '../../../store/open-store.ts';
import type { Space } from '../../../store/store.ts';
import { EASEL } from './directory.ts';
import { type MessageDraft, SandboxStore, type StoredMessage } from './store.ts';

const CHANNEL = 'atelier-general';
const HOUR_MS = 3600_000;
const bounds = { messages: 5, threads: 2, fileBytes: 1000, retentionMs: 30 * 24 * HOUR_MS };

let space: Space;
let removed: string[];
beforeEach(async () => {
	vi.useFakeTimers({ toFake: ['Date'] });
	space = (await openStore('memory:')).space('sandbox');
	removed = [];
});
afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);
const keys = async (prefix: string) => (await Array.fromAsync(space.list(prefix))).map(([key]) => key).sort();

function open() {
	const now = () => new Date();
	const onRemove = ({ room, number }: StoredMessage) => void removed.push(`${room}:${number}`);
	const store = new SandboxStore({ space, bounds, now, onChange: () => {}, onRemove, onThread: () => {} });
	const { files } = store;
	const post = (key: string, draft: Partial<MessageDraft> = {}) =>
		store.post({ room: CHANNEL, author: EASEL, text: key, ...draft }, key);
	const picture = async (size = 400) => {
		// Ids are in the order of their time.
		pass(1);
		return files.save('a.png', new Uint8Array(size));
	};
	return { store, files, post, picture };
}

describe('messages', () => {
	test('are the newest ones of their channel; older ones are removed with their files', async () => {
		const { store, files, post, picture } = open();
		const file = await picture(10);
		await post('m1', { files: [file] });
		for (let number = 2; number <= 12; number++) await post(`m${number}`);
		const { messages: kept, more } = await store.page(CHANNEL, 'ada', 100);
		expect(kept.map(({ text }) => text)).toEqual(['m8', 'm9', 'm10', 'm11', 'm12']);
		expect(more).toBe(false);
		expect(await store.page(CHANNEL, 'ada', 2, 10)).toMatchObject({ messages: [{ number: 8 }, { number: 9 }] });
		expect(await keys('message:')).toHaveLength(5);
		expect(await keys('key:')).toHaveLength(5);
		expect(removed).toEqual(Array.from({ length: 7 }, (_, index) => `${CHANNEL}:${index + 1}`));
		expect(await files.read(file.id)).toBeUndefined();
		expect(await space.files.names('')).toEqual([]);
	});

	test('expire, and numbers are not used again', async () => {
		const { store, post } = open();
		await post('m1');
		pass(bounds.retentionMs + 1);
		expect(await store.page(CHANNEL, 'ada', 100)).toEqual({ messages: [], more: false });
		expect((await post('m2')).message.number).toBe(2);
	});
});

describe('threads', () => {
	test('are the newest ones of their channel; older ones are removed with their messages', async () => {
		const { store, post } = open();
		for (const number of [1, 2, 3]) {
			pass(1);
			await post(`m${number}`);
			await store.startThread(CHANNEL, number, `thread ${number}`);
			for (let answer = 0; answer < 8; answer++) await post(`a${number}.${answer}`, { room: `${CHANNEL}.${number}` });
		}
		expect((await store.threads(CHANNEL, 'ada')).map(({ title }) => title)).toEqual(['thread 3', 'thread 2']);
		expect((await store.get(CHANNEL, 1))?.thread).toBeUndefined();
		expect((await store.get(CHANNEL, 2))?.thread).toMatchObject({ title: 'thread 2' });
		expect(await keys(`message:${CHANNEL}.1`)).toEqual([]);
		expect(await keys('thread-tally:')).toEqual([2, 3].map((number) => `thread-tally:${CHANNEL}.${number}`));
		expect(await store.channel(`${CHANNEL}.1`)).toBeUndefined();
	});

	test('expire when nothing was written in them for the retention time', async () => {
		const { store, post } = open();
		await post('m1');
		await store.startThread(CHANNEL, 1, 'a thread');
		const room = `${CHANNEL}.1`;
		for (const key of ['a', 'b']) {
			pass(bounds.retentionMs - HOUR_MS);
			await post(key, { room });
		}
		expect(await store.threads(CHANNEL, 'ada')).toMatchObject([{ id: room }]);
		pass(bounds.retentionMs + 1);
		expect(await store.threads(CHANNEL, 'ada')).toEqual([]);
		expect(await store.startThread(CHANNEL, 1, 'again')).toMatchObject({ title: 'again' });
		expect(await store.threads(CHANNEL, 'ada')).toMatchObject([{ title: 'again' }]);
	});
});

describe('files', () => {
	test('have at most so many bytes together; the oldest are dropped, and their messages stay', async () => {
		const { store, files, post, picture } = open();
		const saved = [];
		for (const key of ['m1', 'm2', 'm3', 'm4']) {
			const file = await picture();
			saved.push(file);
			await post(key, { files: [file] });
		}
		const sizes = await Promise.all(saved.map(async ({ id }) => (await files.read(id))?.length));
		expect(sizes).toEqual([undefined, undefined, 400, 400]);
		expect(await space.keyv.get('bytes')).toBe(800);
		expect((await store.page(CHANNEL, 'ada', 9)).messages).toHaveLength(4);
		await store.remove(CHANNEL, 1);
		await store.remove(CHANNEL, 4);
		expect(await space.keyv.get('bytes')).toBe(400);
	});

	test('are dropped after an hour when no message has them', async () => {
		const { files, post, picture } = open();
		const [lost, posted] = [await picture(), await picture()];
		await post('m1', { files: [posted] });
		pass(HOUR_MS);
		await picture(1);
		expect(await files.read(lost.id)).toBeUndefined();
		expect(await files.read(posted.id)).toHaveLength(400);
		expect(await space.keyv.get('bytes')).toBe(401);
	});

	test('expire with the retention time, and are not counted any more', async () => {
		const { files, post, picture } = open();
		const file = await picture();
		await post('m1', { files: [file] });
		pass(bounds.retentionMs + 1);
		expect(await files.read(file.id)).toBeUndefined();
		await picture(1);
		expect(await space.keyv.get('bytes')).toBe(1);
	});

	test('are not removed by an edit that keeps them', async () => {
		const { store, files, post, picture } = open();
		const [first, second] = [await picture(), await picture()];
		await post('m1', { files: [first] });
		await store.edit(CHANNEL, 1, { text: 'edited' });
		expect(await files.read(first.id)).toHaveLength(400);
		await store.edit(CHANNEL, 1, { files: [second] });
		expect(await files.read(first.id)).toBeUndefined();
		pass(2 * HOUR_MS);
		await picture(1);
		expect(await files.read(second.id)).toHaveLength(400);
	});
});
