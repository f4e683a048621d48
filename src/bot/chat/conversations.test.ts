import { beforeEach, expect, test } from 'vitest';
import type { Place } from '../../domain/place.ts';
import { openStore } from '../../store/open-store.ts';
import type { Space } from '../../store/store.ts';
import { Conversations } from './conversations.ts';
import type { Utterance } from './transcript.ts';

const place: Place = { platform: 'test', server: 'club', channel: 'general', thread: 't1' };
const other: Place = { ...place, thread: 't2' };
const said = (id: string): Utterance => ({ kind: 'said', id, person: { id: 'ada', name: 'Ada' }, text: id });

let space: Space;
let conversations: Conversations;
beforeEach(async () => {
	space = (await openStore('memory:')).space('chats');
	conversations = new Conversations(space, 60_000);
});
const texts = async (where = place) =>
	(await conversations.read(where)).entries.map((entry) => (entry.kind === 'said' ? entry.text : entry.kind));
const left = async () => (await Array.fromAsync(space.list(''))).map(([key]) => key);

test('messages that several processes add at once are stored once each, in one order', async () => {
	const second = new Conversations(space, 60_000);
	const names = Array.from({ length: 60 }, (_, index) => `m${index}`);
	await Promise.all(names.map((name, index) => (index % 2 ? second : conversations).append(place, () => said(name))));
	const inOrder = await texts();
	expect(inOrder.toSorted()).toEqual(names.toSorted());
	expect(await second.read(place)).toEqual(await conversations.read(place));
	expect(await texts(other)).toEqual([]);
});

test('a message that is delivered three times at once is added once', async () => {
	const add = () =>
		conversations.append(place, ({ entries }) =>
			entries.some((entry) => entry.kind === 'said' && entry.id === 'm') ? undefined : said('m'),
		);
	await Promise.all([add(), add(), add()]);
	expect(await texts()).toEqual(['m']);
});

test('dropped entries leave the store, cannot be replaced, and their numbers are not used again', async () => {
	for (const name of ['a', 'b', 'c']) await conversations.append(place, () => said(name));
	await conversations.drop(place, 2);
	await conversations.replace(place, 0, said('a, changed'));
	await conversations.replace(place, 2, said('c, changed'));
	await conversations.append(place, () => said('d'));
	expect(await texts()).toEqual(['c, changed', 'd']);
	expect((await left()).filter((key) => key.startsWith('entry:'))).toHaveLength(2);
});

test('clearing keeps a thread’s settings, purging leaves nothing, and neither affects other servers', async () => {
	const elsewhere: Place = { ...place, server: 'club2' };
	for (const where of [place, other, elsewhere]) {
		await conversations.save({ place: where, since: 1, mentionsOnly: false });
		await conversations.append(where, () => said('a'));
	}
	await conversations.clear(place);
	expect(await texts()).toEqual([]);
	expect(await conversations.find(place)).toBeDefined();
	await conversations.purge({ platform: 'test', server: 'club', channel: 'general', thread: 't2' });
	expect(await conversations.find(other)).toBeUndefined();
	await conversations.purge({ platform: 'test', server: 'club' });
	expect((await left()).every((key) => key.includes('club2'))).toBe(true);
	expect(await texts(elsewhere)).toEqual(['a']);
});
