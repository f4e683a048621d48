import { describe, expect, it } from 'vitest';
import { readPrompt } from './scene.ts';

describe('readPrompt', () => {
	it('gives colours and counts to the noun they stand before', () => {
		const { actors, place, season } = readPrompt('two blue foxes and a tiny red house in the snow');
		expect(actors).toMatchObject([
			{ figure: 'fox', count: 2, colour: '#2f62d9' },
			{ figure: 'house', count: 1, colour: '#d8262c', scale: 0.45 },
		]);
		expect({ place, season }).toEqual({ place: 'snowfield', season: 'winter' });
	});

	it('knows who rides, holds and wears', () => {
		const role = (prompt: string) => readPrompt(prompt).actors[1]?.role?.relation;
		expect(role('an astronaut riding a horse')).toBe('riding');
		expect(role('a cat reading a book')).toBe('holding');
		expect(role('a frog wearing a crown')).toBe('wearing');
		expect(role('the cat in the hat')).toBe('wearing');
		expect(role('a mouse in a boat')).toBe('inside');
	});

	it('reads weather, time, mood and style', () => {
		expect(readPrompt('an eerie noir lighthouse in a storm at night')).toMatchObject({
			place: 'sea',
			time: 'night',
			weather: ['storm'],
			mood: 'eerie',
			style: 'noir',
		});
	});

	it.each([
		['ein roter Fuchs im Schnee', 'fox'],
		['un chat dans la forêt', 'cat'],
		['un zorro rojo en la nieve', 'fox'],
		['雪の中の赤い狐', 'fox'],
		['🦊', 'fox'],
		['wolves', 'wolf'],
		['Butterflies', 'butterfly'],
	])('understands %s', (prompt, figure) => {
		expect(readPrompt(prompt).actors[0]?.figure).toBe(figure);
	});

	it('does not take an English chat for a cat', () => {
		expect(readPrompt('a chat about quarterly revenue').actors).toEqual([]);
	});

	it('takes an orange before a noun for a colour and alone for a fruit', () => {
		expect(readPrompt('an orange cat').actors).toMatchObject([{ figure: 'cat', colour: '#f28a22' }]);
		expect(readPrompt('an orange').actors).toMatchObject([{ figure: 'citrus' }]);
	});

	it.each(['"Open late"', '“Open late”', '„Open late“', '«Open late»', "'Open late'", '‘Open late’'])(
		'takes %s out of the scene as lettering',
		(quote) => expect(readPrompt(`a shop that says ${quote}`).quotes).toEqual(['Open late']),
	);

	it('leaves apostrophes alone', () => {
		expect(readPrompt("the girl's cat doesn't like the dog's ball").quotes).toEqual([]);
	});

	it('keeps unknown words as sculptures', () => {
		expect(readPrompt('quarterly revenue synergy').strange).toContain('synergy');
	});
});
