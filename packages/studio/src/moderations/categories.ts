/** The words by which a text is in a category, with their simple endings. Pictures are accepted, and not looked at. */
const WORDS = {
	harassment: wordsOf('bully', 'humiliate', 'harass'),
	hate: wordsOf('racist', 'nazi', 'supremacist'),
	illicit: wordsOf('cocaine', 'heroin', 'meth', 'counterfeit'),
	'self-harm': wordsOf('suicide', 'self-harm', 'self harm'),
	sexual: wordsOf('nude', 'naked', 'porn', 'erotic', 'nackt', 'nu', 'desnudo', 'desnuda'),
	violence: wordsOf('gore', 'gory', 'murder', 'behead', 'torture', 'massacre', 'corpse', 'mord', 'leiche'),
} as const;

export const CATEGORIES = Object.keys(WORDS) as (keyof typeof WORDS)[];

/** Returns the categories that texts are in. */
export function categoriesOf(texts: readonly string[]) {
	return CATEGORIES.filter((category) => texts.some((one) => WORDS[category].test(one)));
}

function wordsOf(...words: readonly string[]): RegExp {
	return new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join('|')})(?:e?s|ed|ing|ic|al)?(?![\\p{L}\\p{N}])`, 'iu');
}
