import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Channel, Reply } from '../domain/channel.ts';
import { postAnswer } from './dispatch.ts';

async function posted(reply: Reply, text: number) {
	const posts: [string, Reply][] = [];
	const post: Channel['post'] = async (message, key) => {
		posts.push([key, message]);
		return {
			handle: { place: { platform: 'p', server: 's', channel: 'c' }, key },
			edit: async () => {},
			delete: async () => {},
		};
	};
	const limits = { text, pictures: 10, pictureBytes: 1, edits: { count: 1, perMs: 1 } };
	await postAnswer({ post, limits } as unknown as Channel, reply, 'key');
	return posts;
}

test('a reply that fits is one message', async () => {
	const reply: Reply = { text: 'one\ntwo', buttons: [{ id: 'b:1:', label: 'B' }], visibility: 'private' };
	expect(await posted(reply, 7)).toEqual([['key', reply]]);
});

test('a longer reply is several messages, and its files are with the last one', async () => {
	const files = [{ name: 'a.txt', bytes: new Uint8Array(1) }];
	expect(await posted({ text: 'one\ntwo\nthree', files, visibility: 'private' }, 7)).toEqual([
		['key', { text: 'one\ntwo', visibility: 'private' }],
		['key.1', { text: 'three', files, visibility: 'private' }],
	]);
});

test('no message exceeds the limit, and lines that fit are whole', async () => {
	const line = fc.stringMatching(/^[a-z ]{0,30}$/);
	await fc.assert(
		fc.asyncProperty(fc.array(line), fc.integer({ min: 10, max: 60 }), async (lines, max) => {
			const texts = (await posted({ text: lines.join('\n') }, max)).map(([, { text }]) => text);
			expect(Math.max(...texts.map(({ length }) => length))).toBeLessThanOrEqual(max);
			const all = texts.join('\n').split('\n');
			if (lines.every(({ length }) => length <= max)) expect(all.join('\n')).toBe(lines.join('\n'));
		}),
	);
});
