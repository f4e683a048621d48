/** A word, a mention, or words in quotes. */
export type Token = {
	/** Without its quotes. */
	text: string;
	/** The index of its first character, which may be a quote. */
	from: number;
	quoted: boolean;
};

/** The quotes of various keyboards. */
const OPENING_QUOTES = '"“„«';
const CLOSING_QUOTES = '"”“»';

/** Splits a text at its white space. */
export function tokensOf(text: string): Token[] {
	const tokens: Token[] = [];
	for (let at = 0; at < text.length; ) {
		if (/\s/.test(text[at] ?? '')) {
			at++;
			continue;
		}
		const { value, end, quoted } = valueAt(text, at);
		tokens.push({ text: value, from: at, quoted });
		at = end;
	}
	return tokens;
}

/**
 * Takes `name:value` and `name:"more words"` out of a text, each name once. Returns them with the rest of the text.
 *
 * @param free the name of the field that takes the rest, where `name:` alone may stand before it: `prompt:a red fox`
 */
export function takeNamed(
	names: readonly string[],
	text: string,
	free?: string,
): { found: [name: string, value: string][]; rest: string } {
	const found = new Map<string, string>();
	let rest = '';
	let at = 0;
	const pattern = /(?<![^\s])([a-z][a-z0-9_]{0,31}):(?=\S)/gi;
	for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
		const name = match[1]?.toLowerCase() ?? '';
		if (!names.includes(name) || match.index < at || found.has(name)) continue;
		if (name === free && !OPENING_QUOTES.includes(text[pattern.lastIndex] ?? ' ')) continue;
		const { value, end } = valueAt(text, pattern.lastIndex);
		found.set(name, value);
		rest += text.slice(at, match.index);
		at = end;
		pattern.lastIndex = end;
	}
	rest = (rest + text.slice(at)).trim();
	const isNamed = free !== undefined && rest.toLowerCase().startsWith(`${free}:`);
	return { found: [...found], rest: isNamed ? rest.slice(free.length + 1).trim() : rest };
}

/** Returns the word, mention or quoted text that begins at an index. */
function valueAt(text: string, from: number): { value: string; end: number; quoted: boolean } {
	if (OPENING_QUOTES.includes(text[from] ?? ' ')) {
		for (let at = from + 1; at < text.length; at++) {
			if (text[at] === '\\' && at + 1 < text.length) at++;
			else if (CLOSING_QUOTES.includes(text[at] ?? ' ') && /^(?:\s|$)/.test(text.slice(at + 1)))
				return { value: unescapeQuotes(text.slice(from + 1, at)), end: at + 1, quoted: true };
		}
	}
	const mention = /^<[^<>\n]+>/.exec(text.slice(from))?.[0];
	const word = mention ?? /^\S+/.exec(text.slice(from))?.[0] ?? '';
	return { value: word, end: from + word.length, quoted: false };
}

const unescapeQuotes = (text: string) => text.replace(/\\(["“”„«»\\])/g, '$1');
