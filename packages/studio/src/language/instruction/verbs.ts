import phrases from './phrases.json' with { type: 'json' };

/**
 * The verbs of instructions, in English, German, French and Spanish. A clause begins with one; its nouns are read by `readPhrases`,
 * whatever their language.
 */
export const VERBS = phrases.verbs;

const ANY_VERB = new RegExp(
	`^(?:${Object.values(VERBS).join('|')}|only|just|more|less|fewer|another|one more|crop|rotate|flip|blur|undo|bring back|double|triple|keep)(?![\\p{L}\\p{N}])`,
	'u',
);

export const startsWithVerb = (clause: string) => ANY_VERB.test(clause);
