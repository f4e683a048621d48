import { describe, expect, test } from 'vitest';
import { translatorFor } from './translator.ts';

describe('a language', () => {
	test.each([
		['de', 'de'],
		['de-AT', 'de'],
		['es-419', 'es'],
		['es_ES', 'es'],
		['pt-BR', 'pt-BR'],
		['pt', 'pt-BR'],
		['JA', 'ja'],
		['en-GB', 'en'],
		['tlh', 'en'],
		['', 'en'],
		['constructor', 'en'],
	])('of people at %s is %s', (locale, language) => {
		expect(translatorFor(locale).language).toBe(language);
	});

	test('is English where it is not known', () => {
		expect(translatorFor(undefined).language).toBe('en');
	});
});

describe('a sentence', () => {
	test('is said with its values, numbers as people write them', () => {
		expect(translatorFor('de')('report.chart.dailyCap', { count: 12_345 })).toBe('Tageslimit: 12.345');
		expect(translatorFor('en')('report.chart.dailyCap', { count: 12_345 })).toBe('Daily cap: 12,345');
	});

	test.each([
		[1, '1 вызов сегодня'],
		[3, '3 вызова сегодня'],
		[5, '5 вызовов сегодня'],
		[21, '21 вызов сегодня'],
	])('has the words that go with %i', (count, words) => {
		expect(translatorFor('ru')('usage.today', { count })).toBe(words);
	});

	test('is said as it is when a value is missing, so that nothing throws where it is said that something threw', () => {
		expect(translatorFor('de')('chat.title')).toBe('Chat with {name}');
		expect(translatorFor('de')('chat.title', { name: undefined })).toBe('Chat mit ');
	});

	test('takes values as they are, whatever is in them', () => {
		expect(translatorFor('fr')('chat.title', { name: "{x} <b> '{" })).toBe("Discussion avec {x} <b> '{");
	});

	test('can be declared elsewhere by its id; another text stays as it is', () => {
		expect(translatorFor('de').declared('imagine.options.prompt')).toBe('Beschreibung des Bildes');
		expect(translatorFor('de').declared('{nobody} has translated this')).toBe('{nobody} has translated this');
		expect(translatorFor('de').declared('constructor')).toBe('constructor');
	});
});

test('a typed name is translated, or stays as it is', () => {
	expect(translatorFor('de').nameOf('imagine')).toBe('zeichne');
	expect(translatorFor('en').nameOf('imagine')).toBe('imagine');
	expect(translatorFor('de').nameOf('alpha-image')).toBe('alpha-image');
});
