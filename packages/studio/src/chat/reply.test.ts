import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reply } from './reply.ts';
import type { Turn } from './talk.ts';

/** Sends the messages one after the other and returns the last answer. */
function talk(...said: string[]): string {
	const turns: Turn[] = [];
	for (const text of said) {
		turns.push({ role: 'user', text, images: 0 });
		turns.push({ role: 'assistant', text: reply(turns), images: 0 });
	}
	return turns.at(-1)?.text ?? '';
}

describe('the reply', () => {
	it.each([
		['hi', /^Hello!.*demonstration/s],
		['Guten Tag!', /^Hallo!/],
		['¡Hola!', /^¡Hola!/],
		['bonjour, how does /edit work?', /^Bonjour! .*`\/help`/],
		['こんにちは', /^こんにちは!/],
		['how are you?', /What would you like to make\?$/],
		['thank you so much', /[!.]$/],
		['who are you?', /not a language model/],
		['are you ChatGPT?', /not a language model/],
		['help', /`\/help`/],
		['how do you draw the pictures?', /by rules/],
		['help me with a prompt', /\*\*a subject\*\*/],
	])('answers %j', (said, expected) => {
		expect(talk(said)).toMatch(expected);
	});

	it.each(['what can /imagine do?', 'which commands are there', 'what does it cost'])('leaves %j to /help', (said) => {
		expect(talk(said)).toContain('`/help`');
	});

	it('says how a picture is drawn here', () => {
		expect(talk('draw a red fox')).toContain('*draw a red fox*');
	});

	it('greets by name', () => {
		expect(talk('My name is Ada.')).toMatch(/^Nice to meet you, Ada!/);
	});

	it('shows a table, code, and an answer that is long enough to be stopped', () => {
		expect(talk('show me a table of planets')).toMatch(/^\| --- \|/m);
		expect(talk('write some code')).toMatch(/```js\n.*```/s);
		const long = talk('tell me a very long story about a fox');
		expect(long).toMatch(/\*story fox\*|\*fox\*.*Stop.*demonstration/s);
		expect(long.length).toBeGreaterThan(1200);
	});

	it('suggests ideas about a theme, and others when asked again', () => {
		const first = talk('give me ideas about dragons');
		expect(first.match(/^\d\. dragons, /gm)).toHaveLength(5);
		const more = talk('give me ideas about dragons', 'more');
		expect(more.match(/^\d\. dragons, /gm)).toHaveLength(5);
		expect(more).not.toBe(first);
	});

	it('says so when it does not know', () => {
		const answer = talk('Why did the Roman empire fall?');
		expect(answer).toMatch(/rules?/);
		expect(answer).toContain('say *draw ');
		expect(talk('What about the Greeks, then?')).not.toBe(answer);
	});

	it('greets when there is no question', () => {
		expect(reply([{ role: 'system', text: 'Be brief.', images: 0 }])).toMatch(/^Hello!/);
	});

	it('always answers something, the same each time, well-formed and of bounded length', () => {
		const words = fc.constantFrom(
			...'hi what is my name 2 + ( improve prompt : ideas story poem about fox /edit more another remember that ` * day'.split(
				' ',
			),
		);
		const said = fc.oneof(
			fc.array(words, { maxLength: 12 }).map((some) => some.join(' ')),
			fc.string({ unit: 'grapheme', maxLength: 300 }),
		);
		fc.assert(
			fc.property(fc.array(said, { minLength: 1, maxLength: 4 }), (texts) => {
				const answer = talk(...texts);
				expect(answer.trim()).not.toBe('');
				expect(answer.isWellFormed()).toBe(true);
				expect(answer.length).toBeLessThan(6000);
				expect(talk(...texts)).toBe(answer);
			}),
		);
	});

	it('answers long messages of any kind', () => {
		for (const unit of ['a', ' ', '(', '1+', '9', 'prompt ', 'what is ', '/edit ', '"', '\n', 'my name is ', '-.']) {
			expect(talk(unit.repeat(100_000 / unit.length)).length).toBeLessThan(6000);
		}
	});
});
