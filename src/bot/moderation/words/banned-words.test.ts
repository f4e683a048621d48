import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { containsBannedWord, explainBannedWords, foldText, formsOf, parseWordList, wordKey } from './banned-words.ts';
import vocabularies from './harmless-prompts.json' with { type: 'json' };

describe('a list of words', () => {
	test('is split at commas of all scripts and at line breaks', () => {
		expect(parseWordList(' red   fox, snow*,, 狐、雪，\nice ')).toEqual(['red fox', 'snow*', '狐', '雪', 'ice']);
	});

	test.each(['*', '.,!', '\u200b', '**', ' '])('ignores %j', (word) => {
		expect(wordKey(word)).toBeUndefined();
		expect(containsBannedWord([word], 'anything * at all ., ! really')).toBe(false);
	});
});

/**
 * Returns 5,000 prompts that people would not expect a list of short, common words to refuse: with words that contain a banned one,
 * figures with units, model numbers, initials and lists of single letters.
 */
const harmlessPrompts = (subjects: string[], settings: string[], styles: string[]) =>
	subjects
		.flatMap((subject) => settings.flatMap((setting) => styles.map((style) => `${subject} ${setting}, ${style}`)))
		.slice(0, 5000);

describe.each(Object.entries(vocabularies))('short banned words in %s', (language, vocabulary) => {
	test('are not found in 5,000 harmless prompts', () => {
		const listOf = (name: keyof typeof vocabulary) => vocabulary[name].split(', ');
		const banned = listOf('banned');
		const prompts = harmlessPrompts(listOf('subjects'), listOf('settings'), listOf('styles'));
		expect(prompts).toHaveLength(5000);
		const found = prompts.filter((prompt) => containsBannedWord(banned, prompt, language));
		expect(found.map((prompt) => explainBannedWords(banned, prompt, language))).toEqual([]);
	});
});

describe('an explanation', () => {
	test.each([
		['penguin', 'two Penguins', 'en', { found: 'penguins', how: 'ending' }],
		['penguin', 'a pengüin', 'en', { found: 'penguin', how: 'written' }],
		['penguin', 'a p3ngu1n', 'en', { found: 'penguin', how: 'signs' }],
		['penguin', 'p-e-n-g-u-i-n', 'en', { found: 'penguin', how: 'apart' }],
		['hund', 'zwei Hunde', 'de', { found: 'hunde', how: 'ending' }],
		['cheval', 'des chevaux', 'fr', { found: 'chevaux', how: 'ending' }],
		['gato', 'dos gatas', 'es', { found: 'gatas', how: 'ending' }],
		['avião', 'dois aviões', 'pt-BR', { found: 'aviões', how: 'ending' }],
		['собака', 'с собаками', 'ru', { how: 'ending' }],
	])('of %s in “%s” names what was found, and how', (word, text, language, match) => {
		expect(explainBannedWords([word, 'fox'], text, language)).toMatchObject([{ word, ...match }]);
	});

	test('lists each word that a text contains', () => {
		expect(explainBannedWords(['fox', 'owl', 'cat'], 'a fox and two owls')).toHaveLength(2);
	});
});

describe('a banned word', () => {
	test.each([
		['blut', 'eine Blüte', 'de'],
		['new', 'the news', 'en'],
		['ass', 'at 4k and on level 5', 'en'],
		['pass', 'mp4 of a55', 'en'],
	])('%s is not in “%s” in the language of the server', (word, text, language) => {
		expect(containsBannedWord([word], text, language)).toBe(false);
	});

	test.each([
		['fox', 'A Fox!'],
		['fox', "the fox's den"],
		['fox', 'bad_fox'],
		['fox', 'two foxes'],
		['penguin', 'three penguins'],
		['penguin', 'p-e-n-g-u-i-n'],
		['penguin', 'a p e n g u i n'],
		['penguin', 'p.3.n.g.u.1.n'],
		['penguin', 'pengu1n'],
		['penguin', 'P3NGU|N5'],
		['fool', 'f00l'],
		['ass', 'a$$'],
		['fox', 'ƒox'],
		['fox', 'fᴏx'],
		['cat', 'ᴄᴀᴛ'],
		['red fox', 'r e d  f o x'],
		['FOX', 'fóx'],
		['fox', 'f\u200bo\u00adx'],
		['fox', 'ｆｏｘ'],
		['fox', '𝐟𝕠𝔵'],
		['fox', 'fоx with a Cyrillic о'],
		['box', 'ВOX with a Cyrillic В'],
		['fox', 'fο\u0338x with a Greek ο, struck through'],
		['straße', 'STRASSE'],
		['ΟΔΟΣ', 'οδος'],
		['istanbul', 'İSTANBUL'],
		['naive cafe', 'a naïve — café'],
		['c++', 'in c++ please'],
		['🍆', 'an🍆emoji'],
		['狐', '赤い狐です'],
		['狐狸', '画一只红狐狸。'],
		['fox', '赤いfoxです'],
		['fox', '一只fox在雪地里'],
		['แมว', 'วาดแมวสีดำ'],
		['fox*', 'two foxes'],
		['red fox*', 'Red, foxy'],
		['*cat*', 'locations'],
		['*cat', 'a wildcat'],
	])('%s is in “%s”', (word, text) => {
		expect(containsBannedWord([word], text)).toBe(true);
	});

	test.each([
		['fox', 'firefox'],
		['fox', 'fox2'],
		['fox*', 'firefox'],
		['*cat', 'cats'],
		['red fox', 'redfox'],
		['c++', 'c'],
		['bot', 'вот, in Russian'],
		['カ', 'ガ'],
		['한', '한국'],
		['कमल', 'कोमल'],
	])('%s is not in “%s”', (word, text) => {
		expect(containsBannedWord([word], text)).toBe(false);
	});

	const words = ['fox', 'Straße', 'naïve', 'красный', 'αλεπού', 'red fox'];
	const word = fc.constantFrom(...words);
	/** Characters that may be beside a word in scripts with spaces. */
	const beside = fc.constantFrom('', ' ', '. ', '—', '\n', '“', '_', '狐');

	test('is found in any spelling', () => {
		const disguise = fc.constantFrom<(text: string) => string>(
			(text) => text.toUpperCase(),
			(text) => text.toLowerCase(),
			(text) => [...text].join('\u200b'),
			(text) => [...text].join('\u2060'),
			(text) => [...text].map((letter) => (/\p{L}/u.test(letter) ? `${letter}\u0301` : letter)).join(''),
			(text) => text.normalize('NFD'),
			(text) => text.replace(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
			(text) => text.replaceAll('o', 'о').replaceAll('e', 'е').replaceAll('a', 'а'),
			(text) => text.replaceAll(' ', ' \u00a0-'),
		);
		fc.assert(
			fc.property(word, fc.array(disguise, { maxLength: 3 }), beside, beside, (banned, disguises, left, right) => {
				const shown = disguises.reduce((text, change) => change(text), banned);
				expect(containsBannedWord([banned], `${left}${shown}${right}`)).toBe(true);
				// Banned in disguise, it is the same word.
				expect(wordKey(shown)?.replaceAll(/[^\p{L}]+/gu, ' ')).toBe(wordKey(banned));
			}),
		);
	});

	test('is not found within a longer word', () => {
		const letters = fc.stringMatching(/^[a-zäßжλ0-9]{1,5}$/u);
		fc.assert(
			fc.property(word, letters, fc.boolean(), (banned, more, before) => {
				const longer = before ? more + banned : banned + more;
				fc.pre(!formsOf(banned, 'en').map(wordKey).includes(wordKey(longer)));
				expect(containsBannedWord([banned], longer)).toBe(false);
				expect(containsBannedWord([before ? `*${banned}` : `${banned}*`], before ? more + banned : banned + more)).toBe(
					true,
				);
			}),
		);
	});

	test('is found the same alone and with other banned words', () => {
		const any = fc.array(fc.string({ unit: 'grapheme', maxLength: 8 }), { maxLength: 5 });
		fc.assert(
			fc.property(any, fc.string({ unit: 'grapheme', maxLength: 40 }), (list, text) => {
				const alone = list.some((one) => containsBannedWord([one], text));
				expect(containsBannedWord(list, text)).toBe(alone);
			}),
		);
	});

	test('is folded to the same when it is folded again', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'grapheme' }), (text) => {
				expect(foldText(foldText(text))).toBe(foldText(text));
			}),
			{ numRuns: 2000, examples: [['ⲄᎤ']] },
		);
	});
});
