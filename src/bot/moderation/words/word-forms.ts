/** Shorter words have too many neighbours that are other words. */
const MIN_LETTERS = 3;

/** A rule of a language: endings of words, and what takes their place. */
type Rule = readonly [ending: RegExp, forms: readonly string[], minLetters?: number];

/** Plurals and simple endings, by language. The first rule that fits a word is applied. */
const RULES: Readonly<Record<string, readonly Rule[]>> = {
	en: [
		[/(?:s|x|z|ch|sh)$/u, ['$&es']],
		[/([^aeiou])y$/u, ['$1ies']],
		[/[^s]$/u, ['$&s']],
	],
	de: [
		[/e$/u, ['en', 'es', 'er'], 4],
		[/(?:er|el|en)$/u, ['$&n', '$&s'], 4],
		[/.$/u, ['$&e', '$&en', '$&er', '$&ern', '$&n', '$&s', '$&es'], 4],
	],
	fr: [
		[/al$/u, ['aux', 'als', 'ale', 'ales'], 4],
		[/(?:eau|eu|ou)$/u, ['$&x', '$&s']],
		[/[^sxz]$/u, ['$&s']],
	],
	es: [
		[/z$/u, ['ces']],
		[/o$/u, ['os', 'a', 'as'], 4],
		[/[aeiou]$/u, ['$&s']],
		[/[^s]$/u, ['$&es', '$&a', '$&as'], 4],
		[/s$/u, ['$&es'], 4],
	],
	pt: [
		[/ão$/u, ['ões', 'ães', 'ãos'], 3],
		[/m$/u, ['ns'], 4],
		[/([aeoué])l$/u, ['$1is'], 4],
		[/o$/u, ['os', 'a', 'as'], 4],
		[/[aeiou]$/u, ['$&s']],
		[/[rzs]$/u, ['$&es'], 4],
	],
	ru: [
		[/ь$/u, ['я', 'ю', 'и', 'ем', 'ей', 'ям', 'ями', 'ях', 'ью'], 4],
		[/[ая]$/u, ['ы', 'и', 'е', 'у', 'ю', 'ой', 'ей', '', 'ам', 'ям', 'ами', 'ями', 'ах', 'ях'], 4],
		[
			/[ыио]й$/u,
			['ая', 'ое', 'ые', 'ие', 'ого', 'его', 'ому', 'ым', 'им', 'ом', 'ем', 'ых', 'их', 'ую', 'ой', 'ей'],
			5,
		],
		[/о$/u, ['а', 'у', 'ом', 'е', 'ам', 'ами', 'ах'], 4],
		[/[^аеиоуыэюяй]$/u, ['$&а', '$&у', '$&ом', '$&е', '$&ы', '$&и', '$&ов', '$&ей', '$&ам', '$&ами', '$&ах'], 4],
	],
};

/** English words that are not forms of the word that they end like. */
const OTHER_WORDS: ReadonlySet<string> = new Set('news does lens hers thus pass mass bass glasses'.split(' '));

/** Returns a word's plurals and simple endings in a language (BCP 47). Of a phrase, the last word has them. */
export function formsOf(phrase: string, language: string): string[] {
	const text = phrase.normalize('NFKC').toLowerCase();
	const word = /(?<![\p{L}\p{M}])[\p{L}\p{M}]+$/u.exec(text)?.[0] ?? '';
	const rules = RULES[new Intl.Locale(language).language] ?? [];
	const [ending, forms = []] =
		rules.find(([pattern, , min = MIN_LETTERS]) => [...word].length >= min && pattern.test(word)) ?? [];
	return forms
		.map((form) => word.replace(ending ?? '', form))
		.filter((form) => !OTHER_WORDS.has(form))
		.map((form) => text.slice(0, text.length - word.length) + form);
}
