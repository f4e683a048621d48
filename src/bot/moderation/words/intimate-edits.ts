import { foldText } from './banned-words.ts';
import wordsByLanguage from './intimate-words.json' with { type: 'json' };

type KeysOf<One> = One extends One ? keyof One : never;

/** What words mean in an instruction. A language has none of some kinds. */
type Kind = KeysOf<(typeof wordsByLanguage)[keyof typeof wordsByLanguage]>;

const table: Readonly<Record<string, Partial<Record<Kind, string>>>> = wordsByLanguage;

/** Words, and beginnings of words. */
class Words {
	readonly #whole: ReadonlySet<string>;
	readonly #beginnings: readonly string[];

	constructor(words: readonly string[]) {
		const folded = words.filter(Boolean).map((word) => foldText(word));
		this.#whole = new Set(folded.filter((word) => !word.endsWith('*')));
		this.#beginnings = folded.filter((word) => word.endsWith('*')).map((word) => word.slice(0, -1));
	}

	has(word: string | undefined): boolean {
		if (word === undefined) return false;
		return this.#whole.has(word) || this.#beginnings.some((beginning) => word.startsWith(beginning));
	}
}

/** The words between a verb and the piece of clothing that it is about. */
const MAX_BETWEEN = 6;

/** Adverbs between a piece of clothing and what it becomes. */
const MAX_ADVERBS = 2;

/** Where the words of a language are not divided by spaces, they are looked for anywhere. */
const UNSPACED: ReadonlySet<string> = new Set(['ja', 'zh']);

const phrasesOf = (list = '') => list.split(',').map((phrase) => foldText(phrase).trim().split(' '));

/** Compounds that mean something else than their parts, such as *see-through*. The parts of others are words of their own. */
const COMPOUNDS = new Set(
	Object.values(table)
		.flatMap((kinds) => Object.values(kinds).flatMap((list) => foldText(list).split(/[ ,]+/)))
		.filter((word) => word.includes('-')),
);

/** What excuses a word in one language does so in all: a text has words of several. */
const HARMLESS = Object.values(table).flatMap(({ harmless }) => phrasesOf(harmless));
const EXCUSES = new Words(Object.values(table).flatMap(({ excuse = '' }) => excuse.split(' ')));

const LANGUAGES = Object.entries(table).map(([language, { bare, person = '', excuse = '', ...kinds }]) => {
	const sets = Object.entries({ ...kinds, person }).map(([kind, list]) => [kind, new Words(list.split(' '))] as const);
	const words = new Map<string, Words>(sets);
	return {
		isUnspaced: UNSPACED.has(language),
		bare: phrasesOf(bare).map((words) => words.map((word) => new Words([word]))),
		plain: phrasesOf(bare).map(([word = '']) => word.replace('*', '')),
		persons: foldText(person).split(' '),
		excuses: foldText(excuse).split(' '),
		is: (kind: Kind, word: string | undefined) => words.get(kind)?.has(word) ?? false,
	};
});

type LanguageWords = (typeof LANGUAGES)[number];

/**
 * Tells whether an instruction asks to undress the person in a picture, or to make it sexual, in one of eight languages: by words for
 * nakedness, by taking away clothes, and by dressing a person in next to nothing. Art, medicine and goods are excused where no person is
 * meant. It is for deployments without a moderation model, and finds what is said plainly; it takes time in proportion to the text.
 */
export function isIntimateEdit(text: string): boolean {
	const folded = foldText(text);
	const given = folded.match(/[\p{L}\p{M}\p{N}’'-]+/gu) ?? [];
	const words = withoutPhrases(given.flatMap(partsOf), HARMLESS);
	return LANGUAGES.some((language) =>
		language.isUnspaced ? isIntimateUnspaced(folded, language) : isIntimate(words, given, language),
	);
}

const partsOf = (word: string): string[] =>
	(COMPOUNDS.has(word) ? [word] : word.split('-')).map((part) => part.replace(/[’']s$/, '')).filter(Boolean);

/** @param given the words with their hyphens, by which French and Portuguese pronouns are known */
function isIntimate(words: readonly string[], given: readonly string[], { bare, is }: LanguageWords): boolean {
	const isPerson =
		words.some((word, index) => is('person', word) || (is('shown', words[index - 1]) && is('people', word))) ||
		given.some((word) => word.includes('-') && !COMPOUNDS.has(word) && is('pronoun', word.split('-').at(-1)));
	if (!isPerson && words.some((word) => EXCUSES.has(word))) return false;
	const changes = words.some((word) => is('change', word));
	return words.some(
		(word, index) =>
			bare.some((phrase) => phrase.every((one, offset) => one.has(words[index + offset]))) ||
			takesAway(words, index, is) ||
			(isPerson && is('strip', word) && is('person', words[index + 1])) ||
			(isPerson && changes && (exposes(words, index, is) || isSeenThrough(words, index, is))),
	);
}

/** *remove her shirt*, *without clothes*, *take her dress off*. Of *remove the logo from the shirt*, only the logo is taken away. */
function takesAway(words: readonly string[], index: number, is: LanguageWords['is']): boolean {
	const isSeparable = is('separable', words[index]);
	if (!isSeparable && !is('remove', words[index])) return false;
	let at = index + 1;
	let hasParticle = !isSeparable;
	while (at <= index + MAX_BETWEEN && (is('between', words[at]) || is('particle', words[at]))) {
		hasParticle ||= is('particle', words[at]);
		at++;
	}
	if (!is('clothes', words[at]) || is('after', words[at + 1])) return false;
	return hasParticle || is('particle', words[at + 1]);
}

/** *put her in a bikini*; not *make her bikini red*. */
const exposes = (words: readonly string[], index: number, is: LanguageWords['is']): boolean =>
	is('exposing', words[index]) && words.slice(Math.max(0, index - 3), index).some((word) => is('into', word));

/** *make her shirt transparent*, *a transparent dress*; not *make the background transparent*. */
const isSeenThrough = (words: readonly string[], index: number, is: LanguageWords['is']): boolean =>
	is('clothes', words[index]) &&
	(is('through', words[index - 1]) ||
		words.slice(index + 1, index + 2 + MAX_ADVERBS).some((word) => is('through', word)));

/** Returns words without the phrases in which they mean something else, such as the colour of a lipstick. */
function withoutPhrases(words: readonly string[], phrases: readonly (readonly string[])[]): string[] {
	const left: string[] = [];
	for (let index = 0; index < words.length; ) {
		const phrase = phrases.find((one) => one.every((word, offset) => words[index + offset] === word));
		if (!phrase) left.push(words[index] ?? '');
		index += phrase?.length ?? 1;
	}
	return left;
}

function isIntimateUnspaced(folded: string, { plain, persons, excuses }: LanguageWords): boolean {
	const text = HARMLESS.reduce((rest, phrase) => rest.replaceAll(phrase.join(' '), ' '), folded);
	const isPerson = persons.some((person) => text.includes(person));
	if (!isPerson && excuses.some((excuse) => text.includes(excuse))) return false;
	return plain.some((word) => word !== '' && text.includes(word));
}
