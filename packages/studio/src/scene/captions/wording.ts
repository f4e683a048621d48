/** English words around names: articles, plurals, lists. */
import captions from './captions.json' with { type: 'json' };

const NUMBERS = 'no one two three four five six seven eight nine ten eleven twelve'.split(' ');

const IRREGULAR: Readonly<Record<string, string>> = captions.plurals;

/** Names that stay as they are: "glasses" are one thing. */
const PLURAL_ALREADY =
	/(?:glasses|fries|noodles|pancakes|flames|shades|binoculars|goggles|spectacles|berries|people|books|keys|ruins|bones|cattle|clothes|boots|shoes)$/;

export function asPlural(name: string): string {
	const [, before = '', word = name] = /^(.*?)((?<!\S)\S+)$/.exec(name) ?? [];
	if (PLURAL_ALREADY.test(word)) return name;
	const compound = /^(.*?)(man|woman)$/.exec(word);
	if (compound && !IRREGULAR[word] && word !== 'human') return before + compound[1] + IRREGULAR[compound[2] ?? ''];
	if (IRREGULAR[word]) return before + IRREGULAR[word];
	if (/[^aeiou]y$/.test(word)) return `${before}${word.slice(0, -1)}ies`;
	return `${before}${word}${/(?:s|x|z|ch|sh)$/.test(word) ? 'es' : 's'}`;
}

export function withArticle(name: string): string {
	if (PLURAL_ALREADY.test(name)) return name;
	return `${/^(?:[aeio]|u(?!ni|fo|kul|ten))/i.test(name) && !/^one\b/i.test(name) ? 'an' : 'a'} ${name}`;
}

export function counted(name: string, count: number): string {
	return count > 1 ? `${NUMBERS[count] ?? count} ${asPlural(name)}` : withArticle(name);
}

export function list(words: readonly string[]): string {
	if (words.length < 2) return words[0] ?? '';
	return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
