import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FrameTemplate } from './frame-template.ts';

const frame = (content: unknown, fields: object = {}) =>
	`data: ${JSON.stringify({ id: 'chat-1', choices: [{ index: 0, delta: { content }, finish_reason: null }], ...fields })}\n\n`;

const parsed = (one: string): unknown => JSON.parse(one.slice('data: '.length)).choices[0].delta.content;

/** Returns the text of a stream's first frame, as a template of the text `A` reads it. */
function read(stream: string): string | undefined {
	const template = new FrameTemplate();
	template.learn(frame('A'), 'A');
	return template.read(stream, 0)?.text;
}

test('a frame that differs only in its text is read without parsing', () => {
	expect(new FrameTemplate().read(frame('A'), 0)).toBeUndefined();
	expect(read(frame(' red fox 🦊'))).toBe(' red fox 🦊');
	expect(read(frame(''))).toBe('');
});

test('frames are read one after the other', () => {
	const template = new FrameTemplate();
	template.learn(frame('A'), 'A');
	const stream = `${frame('a')}${frame(' fox')}`;
	const first = template.read(stream, 0);
	expect(template.read(stream, first?.end ?? 0)).toEqual({ text: ' fox', end: stream.length });
});

test.each([
	['spaces in its JSON', (text: string) => `data: {"choices": [{"delta": {"content": "${text}", "role": null}}]}\n\n`],
	['other line ends', (text: string) => `data: {"choices":[{"delta":{"content":"${text}"}}]}\r\n\r\n`],
	['a name of the event', (text: string) => `event: chunk\ndata: {"choices":[{"delta":{"content":"${text}"}}]}\n\n`],
])('so is one of a service with %s', (_, of) => {
	const template = new FrameTemplate();
	template.learn(of('A'), 'A');
	expect(template.read(of(' fox'), 0)).toEqual({ text: ' fox', end: of(' fox').length });
});

test.each([
	['other fields', frame('fox', { id: 'chat-2' })],
	['one more field', frame('fox', { usage: null })],
	['escapes', frame('a\nfox')],
	['quotes', frame('the "fox"')],
	['no text', frame(null)],
	['not JSON', frame('fox').replace('fox', 'a\nfox')],
	['a second text', frame('fox').replace('"fox"', '"fox","content":"dog"')],
	['only its beginning', frame('fox').slice(0, -4)],
	['without its blank line', frame('fox').slice(0, -1)],
])('a frame is left to the parser: %s', (_, stream) => {
	expect(read(stream)).toBeUndefined();
});

test.each([
	['two texts', { message: { content: 'A' }, delta: { content: 'A' } }, 'A'],
	['an empty text', { message: { content: '' }, delta: {} }, ''],
])('a frame with %s is no template, since its place is not certain', (_, choice, text) => {
	const stream = `data: ${JSON.stringify({ choices: [choice] })}\n\n`;
	const template = new FrameTemplate();
	template.learn(stream, text);
	expect(template.read(stream, 0)).toBeUndefined();
});

test('whatever frames come, their texts are those that parsing gives', () => {
	const text = fc.oneof(
		fc.string({ unit: 'binary', maxLength: 8 }),
		fc.constantFrom('', '"', '\\', '\n', '"content":"', 'a'),
	);
	const fields = fc.constantFrom({}, { id: 'chat-2' }, { usage: null }, { content: 'a' }, { '"content":"': 'a' });
	const frames = fc.array(fc.tuple(text, fields, fc.nat(1)), { maxLength: 12 });
	fc.assert(
		fc.property(frames, (all) => {
			const template = new FrameTemplate();
			for (const [content, others, repeats] of all)
				for (let count = 0; count <= repeats; count++) {
					const one = frame(content, others);
					const known = template.read(one + frame('next'), 0);
					if (known) expect(known).toEqual({ text: parsed(one), end: one.length });
					else template.learn(one, String(parsed(one)));
				}
		}),
	);
});
