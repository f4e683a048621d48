import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Place } from '../../domain/channel.ts';
import { openStore } from '../../store/open-store.ts';
import type { Space } from '../../store/store.ts';
import { Conversations } from './conversations.ts';
import { newAnswer, type Utterance } from './transcript.ts';

const place: Place = { platform: 'test', server: 'club', channel: 'general', thread: 't1' };
const other: Place = { ...place, thread: 't2' };
const said = (id: string): Utterance => ({ kind: 'said', id, person: { id: 'ada', name: 'Ada' }, text: id });

let space: Space;
let conversations: Conversations;
beforeEach(async () => {
	space = (await openStore('memory:')).space('chats');
	conversations = new Conversations(space, 60_000);
});
afterEach(() => vi.useRealTimers());
const texts = async (where = place) =>
	(await conversations.read(where)).map((entry) => (entry.kind === 'said' ? entry.text : entry.kind));
const left = async () => (await Array.fromAsync(space.list(''))).map(([key]) => key);

test('messages that several processes add at once are stored once each, in one order', async () => {
	const second = new Conversations(space, 60_000);
	const names = Array.from({ length: 60 }, (_, index) => `m${index}`);
	await Promise.all(names.map((name, index) => (index % 2 ? second : conversations).add(place, said(name))));
	const inOrder = await texts();
	expect(inOrder.toSorted()).toEqual(names.toSorted());
	expect(await second.read(place)).toEqual(await conversations.read(place));
	expect(await texts(other)).toEqual([]);
});

test('a message that is delivered three times at once is added once', async () => {
	const second = new Conversations(space, 60_000);
	const added = await Promise.all([conversations, second, conversations].map((one) => one.add(place, said('m'))));
	expect(added.toSorted()).toEqual([false, false, true]);
	expect(await texts()).toEqual(['m']);
});

test('the last message of each talk of the last day is known, latest first, also after its words were dropped', async () => {
	vi.useFakeTimers({ toFake: ['Date'] });
	const direct: Place = { platform: 'test', server: 'user:ada', channel: 'd', direct: true };
	await conversations.save({ place: direct, mentionsOnly: false });
	for (const [where, id] of [
		[other, 'o1'],
		[place, 'p1'],
		[direct, 'd1'],
		[place, 'p2'],
	] as const) {
		await conversations.add(where, said(id));
		vi.setSystemTime(Date.now() + 1000);
	}
	await conversations.drop(place);
	const second = new Conversations(space, 60_000);
	const last = async () => (await second.talks('test')).map((talk) => talk.last);
	expect(await second.talks('test')).toEqual([
		{ place, last: 'p2' },
		{ place: direct, last: 'd1' },
		{ place: other, last: 'o1' },
	]);
	expect(await second.talks('elsewhere')).toEqual([]);
	await conversations.purge(direct);
	expect(await last()).toEqual(['p2', 'o1']);
	vi.setSystemTime(Date.now() + 25 * 3600_000);
	await conversations.add(other, said('o2'));
	expect(await last()).toEqual(['o2']);
	for (let thread = 0; thread < 60; thread++) {
		vi.setSystemTime(Date.now() + 1);
		await second.add({ ...place, thread: `n${thread}` }, said(`n${thread}`));
	}
	expect(await last()).toHaveLength(50);
	// Those that nobody has written in for a day leave the index.
	expect(await space.members('talks:test', { limit: 100 })).toHaveLength(61);
});

test('dropped entries leave the store, cannot be replaced, and their numbers are not used again', async () => {
	for (const name of ['a', 'b', 'c']) await conversations.append(place, () => said(name));
	await conversations.drop(place, 2);
	await conversations.replace(place, { ...said('a, changed'), number: 0 });
	await conversations.replace(place, { ...said('c, changed'), number: 2 });
	await conversations.append(place, () => said('d'));
	expect(await texts()).toEqual(['c, changed', 'd']);
	expect((await left()).filter((key) => key.startsWith('entry:'))).toHaveLength(2);
});

test('clearing keeps a thread’s settings, purging leaves nothing, and neither affects other servers', async () => {
	const elsewhere: Place = { ...place, server: 'club2' };
	for (const where of [place, other, elsewhere]) {
		await conversations.save({ place: where, mentionsOnly: false });
		await conversations.append(where, () => said('a'));
	}
	await conversations.drop(place);
	expect(await texts()).toEqual([]);
	expect(await conversations.find(place)).toBeDefined();
	await conversations.purge({ platform: 'test', server: 'club', channel: 'general', thread: 't2' });
	expect(await conversations.find(other)).toBeUndefined();
	await conversations.purge({ platform: 'test', server: 'club' });
	expect((await left()).every((key) => key.includes('club2'))).toBe(true);
	expect(await texts(elsewhere)).toEqual(['a']);
});

describe('a thread in which nobody asks the bot', () => {
	/** Adds messages, and returns how many rows were read for it at most. */
	async function rowsReadFor(count: number, text = 'Hello, Bjorn'): Promise<number> {
		let rows = 0;
		const counted: Space = {
			...space,
			keyv: new Proxy(space.keyv, {
				get(target, name) {
					const value = Reflect.get(target, name);
					if (typeof value !== 'function') return value;
					return (...args: unknown[]) => {
						rows += name === 'getMany' ? (args[0] as string[]).length : Number(name === 'get');
						return value.apply(target, args);
					};
				},
			}),
		};
		const reader = new Conversations(counted, 60_000);
		await Promise.all(Array.from({ length: count }, (_, index) => reader.add(place, { ...said(`m${index}`), text })));
		return rows;
	}
	const entries = async () => (await left()).filter((key) => key.startsWith('entry:'));

	test('is bounded, and an addition reads no more rows the longer it is', async () => {
		const short = await rowsReadFor(200);
		const long = await rowsReadFor(1400);
		expect(long / 1400).toBeLessThan(12);
		expect(long / 1400).toBeLessThan((short / 200) * 1.5);
		expect((await entries()).length).toBeLessThanOrEqual(140);
	});

	test('keeps few long messages', async () => {
		await rowsReadFor(100, 'x'.repeat(8000));
		expect((await entries()).length).toBeLessThanOrEqual(26);
		expect(await texts()).toContain('x'.repeat(8000));
	});

	test('keeps an answer that is being written, within a bound', async () => {
		await conversations.append(place, () => newAnswer('a', 'process', []));
		await rowsReadFor(200);
		expect((await conversations.read(place))[0]).toMatchObject({ kind: 'answer', state: 'running' });
		await conversations.add(place, said('one more'));
		for (let index = 0; index < 400; index++) await conversations.add(place, said(`further ${index}`));
		expect((await entries()).length).toBeLessThanOrEqual(320);
	});
});
