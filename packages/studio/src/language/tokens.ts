import { wordsOf } from './english.ts';
import { setQuotesAside } from './quotes.ts';

/** A word as it is looked up, in English where it is known, and as it was written. `,` ends a clause. */
export type Token = { word: string; written: string };

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
export function tokensOf(text: string): { tokens: Token[]; texts: string[] } {
	const { text: plain, quotes } = setQuotesAside(text, 'prompt');
	const ordered = plain
		.replace(/⟦\d+⟧/gu, ' ')
		.replace(PLACE_FIRST, (_, place: string, where: string, what: string) => `${what} ${PLACES[where]} ${place}`);
	const { words, rest } = wordsOf(ordered);
	const end = { gap: rest, english: '', written: '' };
	const tokens = [...words, end].flatMap(({ gap, english, written }): Token[] => {
		const isEnd = /[,;.:!?()\n。、，]/u.test(gap);
		const all = english.replace(/'s$/u, '').split(' ').filter(Boolean);
		const isKnown = english !== written.toLowerCase();
		return [
			...(isEnd ? [{ word: ',', written: ',' }] : []),
			...all.map((word) => ({ word, written: isKnown ? word : written.replace(/'s$/u, '') })),
		];
	});
	return { tokens, texts: quotes.slice(0, 3) };
}
