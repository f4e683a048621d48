import type { Operation } from '../operation.ts';

/** The match that a rule is called with. */
export type Found = {
	/** The pattern's named groups. */
	groups: Readonly<Record<string, string | undefined>>;
	/** The words around: from the end of the previous finding in this clause to the start of the next. */
	around: string;
	/** The whole clause. */
	clause: string;
	/** Strength, from the words around; 1 when they name none. */
	amount: number;
	/** A quoted text by its placeholder in the clause. */
	quoted(placeholder: string | undefined): string | undefined;
};

/** A pattern of lower-case words, and what it asks for; nothing when it only has to be understood. */
export type Rule = readonly [pattern: RegExp, make: (found: Found) => Operation | readonly Operation[] | undefined];

/** Matches whole words of any script. A space in the pattern stands for any white space, ` ?` for white space or none. */
export function words(pattern: string): RegExp {
	return new RegExp(
		`(?<![\\p{L}\\p{N}])(?:${pattern.replaceAll(' ?', '\\s*').replaceAll(' ', '\\s+')})(?![\\p{L}\\p{N}])`,
		'gu',
	);
}

/** Rules for words that ask for one operation by its amount. */
export function table(entries: readonly (readonly [pattern: string, make: (amount: number) => Operation])[]): Rule[] {
	return entries.map(([pattern, make]) => [words(pattern), ({ amount }) => make(amount)]);
}
