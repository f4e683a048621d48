/**
 * Patterns as the tables have them: `{name}` is a fragment, `<name>` some words under that name, and `@name` the sign of
 * a picture.
 */
import fragments from './fragments.json' with { type: 'json' };

const FRAGMENTS: Readonly<Record<string, string>> = fragments;

const expanded = (pattern: string): string =>
	pattern
		.replace(/@([a-z]+)/gu, '(?<$1>[①②③])')
		.replace(/@/gu, '[①②③]')
		.replace(/(?<!\(\?)<([a-z]+)>/gu, '(?<$1>.+?)')
		.replace(/\{([a-z]+)\}/gu, (_, name: string) => `(?:${expanded(FRAGMENTS[name] ?? name)})`);

/** Matches a whole clause. */
export function whole(pattern: string): RegExp {
	// Bounded: at most 240 characters.
	return new RegExp(`^(?:${expanded(pattern)})$`, 'u');
}

/** Matches whole words of any script. */
export function words(pattern: string, flags = 'gu'): RegExp {
	// Bounded: at most 4,000 characters.
	return new RegExp(`(?<![\\p{L}\\p{N}])(?:${expanded(pattern)})(?![\\p{L}\\p{N}])`, flags);
}

/** The words of a text by the names that a pattern gives them. */
export type Slots = Readonly<Record<string, string>>;

type Row<Given extends unknown[], Result> = readonly [
	pattern: RegExp,
	read: (slots: Slots, ...given: Given) => Result | undefined,
];

/** Returns a function that reads a text by the first row whose pattern it matches and that makes something of it. */
export const reader =
	<Given extends unknown[], Result>(rows: readonly Row<Given, Result>[]) =>
	(text: string, ...given: Given): Result | undefined => {
		for (const [pattern, read] of rows) {
			const match = pattern.exec(text);
			const result = match && read({ ...match.groups }, ...given);
			if (result) return result;
		}
		return undefined;
	};

/** Returns a function that names the first row of a table whose words a text has. */
export function chooser<Name extends string>(
	table: Readonly<Record<Name, string>>,
): (text: string) => Name | undefined {
	const rows = Object.entries<string>(table).map(([name, pattern]) => [name, words(pattern, 'u')] as const);
	return (text) => rows.find(([, pattern]) => pattern.test(text))?.[0] as Name | undefined;
}
