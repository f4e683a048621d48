import words from './words.json' with { type: 'json' };

export type Category = keyof typeof words;

/** What a text is in a category by: words with their simple endings. Pictures are accepted, and not looked at. */
const PATTERNS = Object.entries(words).map(
	([category, all]) =>
		[
			category as Category,
			new RegExp(`(?<![\\p{L}\\p{N}])(?:${all})(?:e?s|ed|ing|ic|al)?(?![\\p{L}\\p{N}])`, 'iu'),
		] as const,
);

export const CATEGORIES = PATTERNS.map(([category]) => category);

/** Returns the categories that texts are in. */
export const categoriesOf = (texts: readonly string[]): Category[] =>
	PATTERNS.flatMap(([category, pattern]) => (texts.some((one) => pattern.test(one)) ? [category] : []));
