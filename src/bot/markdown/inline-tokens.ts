/** Code span · link or picture · entity or address · escape · emphasis · space · word. */
const TOKEN =
	/(?<code>(?<!`)(`{1,3})(?!`)[^\n]{1,1000}?(?<!`)\2(?!`))|(?<link>!?\[(?:[^[\]\n]|\[[^[\]\n]*\]){0,1000}\]\((?:[^()\n]|\([^()\n]*\)){0,1000}\))|(?<whole><[^\s<>`]+>|https?:\/\/\S+|\\\S|@[^\s`]+)|(?<marks>\*+|_+|~+)|(?<space>\s+)|(?<word>[^\s*_~`[<\\!@]+|.)/gsu;

/** Words without anything that may be markup. They are most of most texts, and one token. */
const PLAIN = /(?:(?!https?:)[^\s*_~`[<\\!@]+[ \t]*)+/y;

/** A part of a line. `whole` may not be split, `plain` is several words with the space after them. */
export type InlineToken = {
	at: number;
	text: string;
	kind: 'code' | 'link' | 'whole' | 'marks' | 'space' | 'word' | 'plain';
	/** The marks of the code span that the line begins within. */
	ticks?: string;
};

/**
 * Splits a line into tokens.
 *
 * @param ticks the marks of a code span, when the line begins within one
 * @param coarse joins plain words into one token
 */
export function* inlineTokens(line: string, ticks: string | undefined, coarse: boolean): Generator<InlineToken> {
	let from = 0;
	if (ticks?.startsWith('`')) {
		const close = line.matchAll(/`+/g).find(([run]) => run.length === ticks.length);
		from = close === undefined ? line.length : close.index + ticks.length;
		yield { at: 0, text: line.slice(0, from), kind: 'code', ticks };
	}
	while (from < line.length) {
		PLAIN.lastIndex = from;
		const plain = coarse ? PLAIN.exec(line)?.[0] : undefined;
		if (plain !== undefined) {
			yield { at: from, text: plain, kind: 'plain' };
			from += plain.length;
			continue;
		}
		TOKEN.lastIndex = from;
		const match = TOKEN.exec(line)!;
		const { code, link, marks, space, word } = match.groups!;
		const kind = code ? 'code' : link ? 'link' : marks ? 'marks' : space ? 'space' : word ? 'word' : 'whole';
		yield { at: match.index, text: match[0], kind };
		from = match.index + match[0].length;
	}
}

/**
 * Returns the emphasis marks that are open after a run of marks. Covers the part of the specification that models write.
 * https://spec.commonmark.org/0.31.2/#emphasis-and-strong-emphasis
 *
 * @param before the character before the run
 * @param after the character after it
 */
export function openAfter(
	open: readonly string[],
	run: string,
	before: string | undefined,
	after: string | undefined,
): readonly string[] {
	if (run.length > 3 || run === '~') return open;
	const same = open.lastIndexOf(run);
	if (same >= 0 && before !== undefined && !/\s/.test(before)) return open.slice(0, same);
	const [mark] = run;
	if (run.length === 3 && open.includes(mark!) && open.includes(mark!.repeat(2)))
		return open.filter((other) => other[0] !== mark);
	const opens =
		after !== undefined &&
		!/\s/.test(after) &&
		(before === undefined || !/[\p{L}\p{N}]/u.test(before) || (/[^\0-\u02ff]/.test(before) && mark !== '_'));
	return opens && open.length < 4 && open.join('').length + run.length <= 8 ? [...open, run] : open;
}
