import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ChatReader } from './chat-reader.ts';

const HEAD = { status: 200, headers: {} };

/** Reads a stream that comes in pieces of these sizes, again and again. */
function read(stream: string, sizes: readonly number[]): string {
	let text = '';
	const reader = new ChatReader(HEAD, (piece) => {
		text += piece;
	});
	const bytes = Buffer.from(stream);
	for (let at = 0, turn = 0; at < bytes.length; turn++) {
		const to = at + (sizes[turn % sizes.length] ?? 1);
		reader.write(bytes.subarray(at, to));
		at = to;
	}
	reader.end(undefined);
	return text;
}

const json = (content: string) =>
	JSON.stringify({ id: 'chat-1', choices: [{ index: 0, delta: { content }, finish_reason: null }] });

test('whatever frames come, and wherever they are cut, the text is theirs', () => {
	const texts = fc.oneof(
		fc.string({ unit: 'binary', maxLength: 6 }).map((text) => text.toWellFormed()),
		fc.constantFrom('a', ' fox', '😀', '"', '\\', '\n\n', '\r\n', 'data: ', '"content":"'),
	);
	const between = fc.constantFrom('', ': still there', 'event: chunk', 'id: 7');
	const frames = fc.array(fc.tuple(texts, between), { maxLength: 20 });
	const ends = fc.constantFrom('\n', '\r\n', '\r');
	const sizes = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 5 });
	fc.assert(
		fc.property(frames, ends, sizes, (all, end, cuts) => {
			const lines = all.map(([text, more]) => `${more && `${more}${end}`}data: ${json(text)}${end}${end}`);
			const stream = `${lines.join('')}data: [DONE]${end}${end}`;
			expect(read(`data: ${json('!')}${end}${end}${stream}`, cuts)).toBe(`!${all.map(([text]) => text).join('')}`);
		}),
	);
});

test('nothing after the end mark is read', () => {
	const frame = (text: string) => `data: ${json(text)}\n\n`;
	expect(read(`${frame('a')}${frame(' fox')}data: [DONE]\n\n${frame(' and more')}`, [10_000])).toBe('a fox');
});
