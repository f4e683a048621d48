import { describe, expect, test } from 'vitest';
import { translatorFor } from './translator.ts';

describe('translatorFor', () => {
	test.each([
		['de', 'de'],
		['de-AT', 'de'],
		['es-419', 'es'],
		['es_ES', 'es'],
		['pt-BR', 'pt-BR'],
		['pt', 'pt-BR'],
		['JA', 'ja'],
		['zh-CN', 'zh-CN'],
		['zh', 'zh-CN'],
		['zh_Hans_SG', 'zh-CN'],
		['zh-TW', 'zh-CN'],
		['zh-Hant-HK', 'zh-CN'],
		['en-GB', 'en'],
		['tlh', 'en'],
		['', 'en'],
		['constructor', 'en'],
	])('chooses for the locale %s the language %s', (locale, language) => {
		expect(translatorFor(locale).language).toBe(language);
	});

	test('chooses English without a locale', () => {
		expect(translatorFor(undefined).language).toBe('en');
	});
});

describe('a message', () => {
	test('has numbers as the language writes them', () => {
		expect(translatorFor('de')('report.chart.dailyCap', { count: 12_345 })).toBe('Tageslimit: 12.345');
		expect(translatorFor('en')('report.chart.dailyCap', { count: 12_345 })).toBe('Daily cap: 12,345');
		expect(translatorFor('zh-CN')('report.chart.dailyCap', { count: 12_345 })).toBe('每日上限：12,345');
	});

	test.each([
		[1, '1 вызов сегодня'],
		[3, '3 вызова сегодня'],
		[5, '5 вызовов сегодня'],
		[21, '21 вызов сегодня'],
	])('has the plural form for %i', (count, words) => {
		expect(translatorFor('ru')('usage.today', { count })).toBe(words);
	});

	test('without one of its values is returned with its placeholder, and does not throw', () => {
		expect(translatorFor('de')('chat.title')).toBe('Chat with {name}');
		expect(translatorFor('de')('chat.title', { name: undefined })).toBe('Chat mit ');
	});

	test('does not parse its values', () => {
		expect(translatorFor('fr')('chat.title', { name: "{x} <b> '{" })).toBe("Discussion avec {x} <b> '{");
	});

	test('is found by the id of a declaration; any other text is returned unchanged', () => {
		expect(translatorFor('de').declared('imagine.options.prompt')).toBe('Beschreibung des Bildes');
		expect(translatorFor('de').declared('{name} is not an id')).toBe('{name} is not an id');
		expect(translatorFor('de').declared('constructor')).toBe('constructor');
	});
});

test('a typed name is translated, or returned unchanged', () => {
	expect(translatorFor('de').nameOf('imagine')).toBe('zeichne');
	expect(translatorFor('en').nameOf('imagine')).toBe('imagine');
	expect(translatorFor('de').nameOf('alpha-image')).toBe('alpha-image');
});
