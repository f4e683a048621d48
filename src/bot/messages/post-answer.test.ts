import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Channel } from '../../domain/channel.ts';
import type { Reply } from '../../domain/reply.ts';
import { postAnswer } from './post-answer.ts';

async function posted(reply: Reply, text: number) {
	const posts: [string, Reply][] = [];
	const post: Channel['post'] = async (said, key) => {
		posts.push([key, said]);
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

test('what fits is one message', async () => {
	const reply: Reply = { text: 'one\ntwo', buttons: [{ id: 'b:1:', label: 'B' }], visibility: 'private' };
	expect(await posted(reply, 7)).toEqual([['key', reply]]);
});

test('what does not is several, with what belongs to it at the end', async () => {
	const files = [{ name: 'a.txt', bytes: new Uint8Array(1) }];
	expect(await posted({ text: 'one\ntwo\nthree', files, visibility: 'private' }, 7)).toEqual([
		['key', { text: 'one\ntwo', visibility: 'private' }],
		['key.1', { text: 'three', files, visibility: 'private' }],
	]);
});

test('no message is too long, and every line that fits is whole', async () => {
	const line = fc.stringMatching(/^[a-z ]{0,30}$/);
	await fc.assert(
		fc.asyncProperty(fc.array(line), fc.integer({ min: 10, max: 60 }), async (lines, most) => {
			const texts = (await posted({ text: lines.join('\n') }, most)).map(([, { text }]) => text);
			expect(Math.max(...texts.map(({ length }) => length))).toBeLessThanOrEqual(most);
			const all = texts.join('\n').split('\n');
			if (lines.every(({ length }) => length <= most)) expect(all.join('\n')).toBe(lines.join('\n'));
		}),
	);
});
