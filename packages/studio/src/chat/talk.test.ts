import { expect, test } from 'vitest';
import type { Turn } from './talk.ts';
import { withoutSpeakers } from './talk.ts';

const system: Turn = { role: 'system', text: 'Names come first.', images: 0 };
const user = (text: string): Turn => ({ role: 'user', text, images: 0 });
const texts = (...turns: Turn[]) => withoutSpeakers(turns).map(({ text }) => text);

test('leaves out the names of speakers, also of several people in one message', () => {
	expect(texts(system, user('Ada: Hello'), user('Björn: Hi\n\nAda: Note: 2 + 2?')).slice(1)).toEqual([
		'Hello',
		'Hi\n\nNote: 2 + 2?',
	]);
});

test('pictures that are not sent are left out', () => {
	expect(texts(system, user('Ada: What is it? (with 2 pictures that you do not see)'))[1]).toBe('What is it?');
});

test('takes nothing for a name without instructions', () => {
	expect(texts(user('Ada: Hello'))).toEqual(['Ada: Hello']);
});
