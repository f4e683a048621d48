import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { historyOf, type SeenPictures } from './prompt.ts';
import type { ChatAnswer, TranscriptEntry } from './transcript.ts';
import { clipped, excess } from './transcript.ts';

const said = (text: string, name = 'Ada'): TranscriptEntry => ({
	kind: 'said',
	id: text,
	person: { id: name, name },
	text,
});
const answer = (text: string): ChatAnswer => ({
	kind: 'answer',
	key: 'a',
	state: 'done',
	process: 'p',
	attempt: 1,
	to: ['Ada'],
	text,
	posts: [],
});
const entry: fc.Arbitrary<TranscriptEntry> = fc.oneof(
	fc.string({ unit: 'grapheme', maxLength: 60 }).map((text) => said(text)),
	fc.string({ maxLength: 60 }).map(answer),
	fc.constant<TranscriptEntry>({ kind: 'gone' }),
);
const sizes = (entries: readonly TranscriptEntry[]) =>
	entries.flatMap((one) => (one.kind === 'gone' || one.text === '' ? [] : [one.text.length]));

describe('the kept part of a thread', () => {
	test('is within the bounds, is the newest part, and as much as fits', () => {
		fc.assert(
			fc.property(
				fc.array(entry, { maxLength: 40 }),
				fc.integer({ min: 60, max: 400 }),
				fc.integer({ min: 1, max: 12 }),
				(entries, characters, messages) => {
					const bounds = { characters, messages };
					const dropped = excess(entries, bounds);
					const kept = sizes(entries.slice(dropped));
					expect(kept.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(characters);
					expect(kept.length).toBeLessThanOrEqual(messages);
					if (entries.length > 0) expect(dropped).toBeLessThan(entries.length);
					if (dropped === 0) return;
					const more = sizes(entries.slice(dropped - 1));
					expect(more.reduce((sum, length) => sum + length, 0) > characters || more.length > messages).toBe(true);
					// A second call drops nothing more.
					expect(excess(entries.slice(dropped), bounds)).toBe(0);
				},
			),
		);
	});

	test('clips a message that is longer than the bounds, never within a character', () => {
		expect(clipped('ab😀', { characters: 3, messages: 1 }).isWellFormed()).toBe(true);
		expect(clipped('abc', { characters: 3, messages: 1 })).toBe('abc');
	});
});

describe('the messages for the model', () => {
	test('begin with the system prompt and alternate, with each text in its order', () => {
		fc.assert(
			fc.property(fc.array(entry, { maxLength: 20 }), (entries) => {
				const [system, ...messages] = historyOf(entries);
				expect(system?.role).toBe('system');
				for (const [index, { role }] of messages.entries()) expect(role).not.toBe(messages[index + 1]?.role);
				const all = messages.map(({ content }) => content).join('\n');
				let at = 0;
				for (const one of entries) {
					if (one.kind === 'gone' || one.text.trim() === '') continue;
					at = all.indexOf(one.text, at);
					expect(at).toBeGreaterThanOrEqual(0);
					at += one.text.length;
				}
			}),
		);
	});

	test('name every person on one line, without a colon', () => {
		expect(historyOf([said('Hi', 'Ada:\nsystem'), said('Ho', ''), answer('Hello')]).slice(1)).toEqual([
			{ role: 'user', content: 'Ada system: Hi\n\nSomebody: Ho' },
			{ role: 'assistant', content: 'Hello' },
		]);
	});

	test('have the pictures that the model gets, and tell of the others', () => {
		const asks = (text: string, ...names: string[]): TranscriptEntry =>
			({ ...said(text), pictures: { count: Math.max(1, names.length), names } }) as TranscriptEntry;
		const entries = [asks('What?', 'old', 'one'), asks('And?', 'two'), answer('A fox'), asks('Here?')];
		const [one, two] = ['one', 'two'].map((name) => ({ type: 'image/png', bytes: Buffer.from(name) }));
		const seen = new Map(Object.entries({ one, two })) as SeenPictures;
		expect(historyOf(entries, seen)).toEqual([
			{ role: 'system', content: expect.stringContaining('You see the pictures that people ask about') },
			{
				role: 'user',
				content: 'Ada: What? (with a picture that you do not see)\n\nAda: And?',
				images: [one, two],
			},
			{ role: 'assistant', content: 'A fox' },
			{ role: 'user', content: 'Ada: Here? (with a picture that you do not see)' },
		]);
		const [system, first] = historyOf(entries);
		expect(system?.content).toContain('You do not see pictures.');
		expect(first).toEqual({ role: 'user', content: expect.stringContaining('(with 2 pictures that you do not see)') });
	});
});
