import { lookUp } from './lexicon.ts';
import { alsoEnglish, languages, unspaced } from './vocabulary/vocabulary.ts';

/** A word as it is looked up, in English where it is known, and as it was written. `,` ends a clause. */
export type Token = { word: string; written: string };

type Text = { tokens: Token[] /** Quoted or announced words, which are written in the picture. */; texts: string[] };

/** Bounded: at most 4,000 characters. */
const QUOTED =
	/"([^"\n]{1,200})"|“([^”\n]{1,200})”|„([^“”\n]{1,200})[“”]|«([^»\n]{1,200})»|「([^」\n]{1,200})」|(?<![\p{L}\p{N}])['‘]([^'’\n]{2,200})['’](?![\p{L}\p{N}])/gu;

/** Text that is announced without quotation marks: "a sign saying Open", "write FRESH FISH". Written in capitals or at the end of a clause. */
const ANNOUNCED =
	/(?<!\p{L})(?:saying|that says|which says|that reads|mit der aufschrift|avec l'inscription|que dice|(?:with )?the (?:words?|text|title|caption|letters)|(?:write|writing|lettering|titled|captioned))(?:\s*:)?\s+(\p{Lu}[^,;.!?\n]{0,60}?)(?=\s+(?:in|on|at|above|below|under|over|with|and|by)\s|[,;.!?\n]|$)/giu;

/** The name of what a logo is for. */
const NAMED = /(?<!\p{L})(?:called|named|for)\s+(\p{Lu}[\p{L}\p{N}&]{1,30}(?: \p{Lu}[\p{L}\p{N}&]{1,30}){0,2})/gu;
const FOR_A_NAME = /(?<!\p{L})(?:logo|brand|emblem|badge)(?!\p{L})/iu;

const TRAILING_S = /['’]s$/u;

/** Japanese and Chinese name the place first: "the cat of under the umbrella". Bounded: at most 4,000 characters. */
const PLACE_FIRST =
	/([^\s、。，,のが的]{1,20})(?:の|的)?(下|上|中|隣|前|後ろ|后面|旁边)(?:に|の|的|で)+(?:いる|ある|座る)?([^\s、。，,]{1,20})/gu;
const PLACES: Readonly<Record<string, string>> = {
	下: 'under',
	上: 'on',
	中: 'in',
	隣: 'beside',
	旁边: 'beside',
	前: 'in front of',
	後ろ: 'behind',
	后面: 'behind',
};

/** Splits a text into words of English, and sets aside what is to be written in the picture. */
export function tokensOf(text: string): Text {
	const texts: string[] = [];
	const aside = (quote: string | undefined) => {
		const words = quote?.replace(/\s+/g, ' ').trim();
		if (words) texts.push(words);
		return ' ';
	};
	const unnamed = text
		.toWellFormed()
		.normalize('NFKC')
		.replace(QUOTED, (_, ...groups: (string | undefined)[]) =>
			aside(groups.slice(0, 6).find((group) => group !== undefined)),
		)
		.replace(ANNOUNCED, (whole, words: string) => (/^\p{Lu}/u.test(words) ? aside(words) : whole));
	const plain = FOR_A_NAME.test(unnamed) ? unnamed.replace(NAMED, (_, name: string) => aside(name)) : unnamed;
	const ordered = plain.replace(
		PLACE_FIRST,
		(_, place: string, where: string, what: string) => `${what} ${PLACES[where]} ${place}`,
	);
	const spaced = unspaced.reduce((rest, [sign, english]) => rest.replaceAll(sign, ` ${english} `), ordered);
	const words = spaced.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’&-]*|[,;.:!?()\n。、，]/gu) ?? [];
	const written = words.map((word) => (/^[\p{L}\p{N}]/u.test(word) ? word.replace(TRAILING_S, '') : ','));
	return { tokens: translated(written), texts: texts.slice(0, 3) };
}

type Dictionary = { marks: ReadonlySet<string>; words: ReadonlyMap<string, string> };

const FOREIGN: readonly Dictionary[] = languages.map(({ marks, words }) => ({
	marks: new Set(marks.split(' ')),
	words: new Map(
		words.split(', ').flatMap((entry): [string, string][] => {
			const [name = '', others = name] = entry.split(' ');
			return others.split('/').map((word) => [word, name.replaceAll('%', ' ')]);
		}),
	),
}));

/** Endings that inflect nouns and adjectives of German, Romance languages and Russian. */
const ENDINGS =
	/(?:en|er|es|em|e|n|s|x|as|os|a|o|ами|ями|ого|его|ому|ыми|ими|ая|яя|ое|ее|ые|ие|ый|ий|ой|ей|ую|юю|ым|им|ом|ем|ых|их|ах|ях|ам|ям|ов|ев|а|я|о|е|ы|и|у|ю|ь)$/u;

/** Returns the English for a word as it stands. */
const exactIn = ({ words }: Dictionary, word: string): string | undefined =>
	words.get(word) ?? words.get(word.replace(/^(?:l|d|qu)['’]/u, '')) ?? words.get(word.replace(/^(?:ال|بال)/u, ''));

/** Returns the English for a word that may be inflected. */
function inflectedIn(language: Dictionary, word: string): string | undefined {
	const exact = exactIn(language, word);
	if (exact !== undefined || word.length < 4) return exact;
	const stem = word.replace(ENDINGS, '');
	if (stem === word || stem.length < 3) return undefined;
	const bases = ['', 'e', 'a', 'o', 'а', 'я', 'ый', 'ий', 'ь', 'о'].map((ending) => language.words.get(stem + ending));
	return bases.find((base) => base !== undefined);
}

/** Replaces words of other languages by English ones: all in the language that the marks give away, unknown ones in any. */
function translated(written: readonly string[]): Token[] {
	const small = written.map((word) => word.toLowerCase());
	const scored = FOREIGN.map((language) => ({
		language,
		score: small.filter((word) => language.marks.has(word)).length,
	}));
	const [first] = scored.sort((a, b) => b.score - a.score);
	const spoken = first && first.score > 0 ? first.language : undefined;
	return small.flatMap((word, index): Token[] => {
		const original = written[index] as string;
		if (word === ',') return [{ word, written: word }];
		const isEnglish = lookUp(word) !== undefined || alsoEnglish.has(word);
		const known = (spoken && inflectedIn(spoken, word)) ?? (isEnglish ? word : undefined);
		const english =
			known ??
			FOREIGN.map((language) => (/^\p{ASCII}+$/u.test(word) ? exactIn : inflectedIn)(language, word)).find(
				(each) => each !== undefined,
			) ??
			word;
		// What a mark means is known by its language, also where the tables lack it.
		if (english === word && !isEnglish && spoken?.marks.has(word)) return [{ word: 'a', written: original }];
		return english.split(' ').map((each) => ({ word: each, written: english === word ? original : each }));
	});
}
