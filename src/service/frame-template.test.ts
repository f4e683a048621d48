import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FrameTemplate } from './frame-template.ts';

const frame = (content: unknown, fields: object = {}) =>
	JSON.stringify({ id: 'chat-1', choices: [{ index: 0, delta: { content }, finish_reason: null }], ...fields });

const parsed = (data: string): unknown => JSON.parse(data).choices[0].delta.content;

test('a frame that differs only in its text is read without parsing', () => {
	const template = new FrameTemplate();
	expect(template.textOf(frame('A'))).toBeUndefined();
	template.learn(frame('A'), 'A');
	expect(template.textOf(frame(' red fox 🦊'))).toBe(' red fox 🦊');
	expect(template.textOf(frame(''))).toBe('');
});

test('so is one of a service that writes spaces into its JSON', () => {
	const spaced = (content: string) => `{"choices": [{"delta": {"content": "${content}", "role": null}}]}`;
	const template = new FrameTemplate();
	template.learn(spaced('A'), 'A');
	expect(template.textOf(spaced(' fox'))).toBe(' fox');
});

test.each([
	['other fields', frame('fox', { id: 'chat-2' })],
	['one more field', frame('fox', { usage: null })],
	['escapes', frame('a\nfox')],
	['quotes', frame('the "fox"')],
	['no text', frame(null)],
	['not JSON', frame('fox').replace('fox', 'a\nfox')],
	['a second text', frame('fox').replace('"fox"', '"fox","content":"dog"')],
	['a part of the template', frame('').slice(0, -4)],
])('a frame is left to the parser: %s', (_, data) => {
	const template = new FrameTemplate();
	template.learn(frame('A'), 'A');
	expect(template.textOf(data)).toBeUndefined();
});

test('a frame whose text has no certain place is no template', () => {
	const message = JSON.stringify({ choices: [{ message: { content: 'A' }, delta: { content: 'A' } }] });
	const template = new FrameTemplate();
	template.learn(message, 'A');
	expect(template.textOf(message)).toBeUndefined();
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
					const data = frame(content, others);
					const known = template.textOf(data);
					if (known !== undefined) expect(known).toBe(parsed(data));
					else template.learn(data, String(parsed(data)));
				}
		}),
	);
});
