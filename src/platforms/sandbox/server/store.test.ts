import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openStore } from '../../../store/open-store.ts';
import type { Space } from '../../../store/store.ts';
import { EASEL } from './directory.ts';
import type { PageEvent } from './events.ts';
import { type MessageDraft, SandboxStore, type StoredFile } from './store.ts';

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

/** The bytes of all files of messages, as they are indexed. */
const bytes = async () =>
	(await space.members('files', { limit: 100 })).reduce((sum, member) => sum + Number(member.split(':')[1]), 0);

const picture = (size = 400) => ({ name: 'a.png', bytes: new Uint8Array(size) });

function open() {
	const now = () => new Date();
	const publish = ({ name, data }: PageEvent) => {
		const { channel, number } = data as { channel: string; number: number };
		if (name === 'removed') removed.push(`${channel}:${number}`);
	};
	const store = new SandboxStore({ space, bounds, now, publish });
	const post = (key: string, draft: Partial<MessageDraft> = {}) =>
		store.post({ room: CHANNEL, author: EASEL, text: key, ...draft }, key);
	/** Posts a message with a file, and returns the file. Ids are in the order of their time. */
	const postFile = async (key: string, size = 400) => {
		pass(1);
		return (await post(key, { files: [picture(size)] })).message.files[0] as StoredFile;
	};
	return { store, post, postFile };
}

describe('messages', () => {
	test('are the newest ones of their channel; older ones are removed with their files', async () => {
		const { store, post, postFile } = open();
		const file = await postFile('m1', 10);
		for (let number = 2; number <= 12; number++) await post(`m${number}`);
		const { messages: kept, more } = await store.page(CHANNEL, 'ada', 100);
		expect(kept.map(({ text }) => text)).toEqual(['m8', 'm9', 'm10', 'm11', 'm12']);
		expect(more).toBe(false);
		expect(await store.page(CHANNEL, 'ada', 2, 10)).toMatchObject({ messages: [{ number: 8 }, { number: 9 }] });
		expect(await keys('message:')).toHaveLength(5);
		expect(await keys('key:')).toHaveLength(5);
		expect(removed).toEqual(Array.from({ length: 7 }, (_, index) => `${CHANNEL}:${index + 1}`));
		expect(await store.readFile(file.id)).toBeUndefined();
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
		expect(await keys(`message:${CHANNEL}.1`)).toEqual([]);
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
		const { store, postFile } = open();
		const saved = [];
		for (const key of ['m1', 'm2', 'm3', 'm4']) saved.push(await postFile(key));
		const sizes = await Promise.all(saved.map(async ({ id }) => (await store.readFile(id))?.length));
		expect(sizes).toEqual([undefined, undefined, 400, 400]);
		expect(await bytes()).toBe(800);
		expect((await store.page(CHANNEL, 'ada', 9)).messages).toHaveLength(4);
		await store.remove(CHANNEL, 1);
		await store.remove(CHANNEL, 4);
		expect(await bytes()).toBe(400);
	});

	test('are not stored for a message that exists, nor for one that is gone', async () => {
		const { store, post, postFile } = open();
		await postFile('m1', 100);
		expect(await post('m1', { files: [picture()] })).toMatchObject({ created: false });
		expect(await store.edit(CHANNEL, 7, { files: [picture()] })).toBeUndefined();
		expect(await bytes()).toBe(100);
		expect(await space.files.names('')).toHaveLength(1);
	});

	test('expire with the retention time, and are not counted any more', async () => {
		const { store, postFile } = open();
		const file = await postFile('m1');
		pass(bounds.retentionMs + 1);
		expect(await store.readFile(file.id)).toBeUndefined();
		await postFile('m2', 1);
		expect(await bytes()).toBe(1);
	});

	test('are not removed by an edit that keeps them', async () => {
		const { store, postFile } = open();
		const first = await postFile('m1');
		await store.edit(CHANNEL, 1, { text: 'edited' });
		expect(await store.readFile(first.id)).toHaveLength(400);
		pass(1);
		const edited = await store.edit(CHANNEL, 1, { files: [picture()] });
		expect(await store.readFile(first.id)).toBeUndefined();
		expect(await store.readFile(edited?.files[0]?.id ?? '')).toHaveLength(400);
		expect(await bytes()).toBe(400);
	});
});
