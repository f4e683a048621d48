import { closes, type Open } from './repair.ts';

/** How good a place is for a message to end: within an unbroken word, between words, sentences, lines, paragraphs. */
export const RANKS = ['token', 'word', 'sentence', 'line', 'paragraph'] as const;
export type Rank = (typeof RANKS)[number];

export type SplitPoint = {
	/** The next message begins here. */
	at: number;
	/** What is seen of this one ends here: the space before `at` is not shown. */
	end: number;
	rank: Rank | 'all';
	open: Open;
	/** Only with `token`: a word, which may be cut between any two graphemes. */
	word?: boolean;
};

const QUOTE = /^(?: {0,3}> ?)+/;
const FENCE = /^((?:[ \t]*>)*[ \t]*)((?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,8}(?!`)(?=[^`]*$)|~{3,8}(?!~))(.*)$/;
const DELIMITER_ROW = /^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;
/** A delimiter row, or the beginning of one that has not come whole. */
const DELIMITERS = /^[ \t]*\|?[ \t]*[-:][-:| \t]*$/;
const ROW = /^[ \t]*\|/;
const ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]/;
const HEADING = /^ {0,3}#{1,6}[ \t]/;
const RULE = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
/** What would become a heading, a list, a quote or a rule if a message began with it. */
const BLOCK_MARK = /^(?:[-+*#>|=]|\d{1,9}[.)]|```|~~~)/;
const SENTENCE_END = /[.!?…:][)\]"'*_”’»]*$/;
/** Where writing without spaces ends a sentence. */
const WIDE_STOP = /[。！？]/;

/** Code span · link or picture · entity or address · escape · emphasis · space · word. */
const TOKEN =
	/(?<code>(?<!`)(`{1,3})(?!`)[^\n]{1,1000}?(?<!`)\2(?!`))|(?<link>!?\[(?:[^[\]\n]|\[[^[\]\n]*\]){0,1000}\]\((?:[^()\n]|\([^()\n]*\)){0,1000}\))|(?<whole><[^\s<>]+>|https?:\/\/\S+|\\\S|@\S+)|(?<marks>\*+|_+|~+)|(?<space>\s+)|(?<word>[^\s*_~`[<\\!@]+|.)/gsu;

/** Words without anything that may be markup; most of most texts, passed over in one step. */
const PLAIN = /(?:(?!https?:)[^\s*_~`[<\\!@]+[ \t]*)+/y;
const SPACE = /[ \t]+/g;

/**
 * The places in a text where a message may end, in order, and last its end (`all`).
 * @param start what is open where it begins
 * @param from leaves out the places within plain lines before this one, and within words everywhere
 */
export function* cutsOf(text: string, start: Open, from?: number): Generator<SplitPoint> {
	let { fence, table } = start;
	let marks = start.marks;
	let end = 0;
	/** What the lines before allow: after an empty line or a block, the best; after a heading, the least. */
	let rank: Rank = 'token';
	let before = '';
	let line = 0;
	let quote = start.quote;

	/** Between two words. */
	function* between(at: number, next: number, row: boolean): Generator<SplitPoint> {
		const rest = text.slice(next, next + 12);
		if (rest.trim() === '' || BLOCK_MARK.test(rest)) return;
		const sentence = SENTENCE_END.test(text.slice(Math.max(0, at - 8), at));
		yield { at: next, end: at, rank: row ? 'token' : sentence ? 'sentence' : 'word', open: open() };
	}

	const open = (): Open => ({ fence, table: fence ? undefined : table, quote, marks: fence ? [] : marks });

	while (line < text.length) {
		const newline = text.indexOf('\n', line);
		const lineEnd = newline < 0 ? text.length : newline;
		const next = newline < 0 ? text.length : newline + 1;
		const words = text.slice(line, lineEnd);
		const blank = words.trim() === '';
		if (line > 0) quote = '';

		if (fence?.container.includes('>') && !QUOTE.test(words) && line > 0) fence = undefined;
		if (fence) {
			if (closes(fence, words)) {
				fence = undefined;
				quote = '';
				rank = 'paragraph';
				end = line + words.trimEnd().length;
			} else if (!blank) {
				if (line > 0 && !fence.bare) yield { at: line, end, rank: 'line', open: open() };
				fence = { ...fence, bare: false };
				if (fence.container.includes('>')) quote ||= QUOTE.exec(words)?.[0] ?? '';
				for (const { index, 0: token } of words.matchAll(/\s+|\S+/g)) {
					const at = line + index;
					if (token.trim() === '') {
						if (at > line && index + token.length < words.length)
							yield { at: at + token.length, end: at, rank: 'word', open: open() };
						continue;
					}
					yield { at, end, rank: 'token', open: open(), word: true };
					end = at + token.length;
				}
			}
			line = next;
			continue;
		}
		if (blank) {
			marks = [];
			table = undefined;
			if (rank !== 'word' && end > 0) rank = 'paragraph';
			line = next;
			continue;
		}

		const opens = FENCE.exec(words);
		const row = ROW.test(words);
		const heading = HEADING.test(words);
		const marked = heading || ITEM.test(words) || QUOTE.test(words) || RULE.test(words) || opens !== null;
		if (marked || row) marks = line > 0 ? [] : marks;
		if (table !== undefined && !row) table = undefined;
		if (table === undefined && line > 0 && DELIMITERS.test(words) && words.includes('|') && before.includes('|')) {
			// No cut between a table's head and its first row.
			if (DELIMITER_ROW.test(words)) table = `${before}\n${words}\n`;
			end = line + words.trimEnd().length;
			rank = 'token';
			before = '';
			line = next;
			continue;
		}
		if (line > 0 && rank !== 'token') {
			const best = opens || heading ? (rank === 'word' ? 'word' : 'paragraph') : rank;
			yield { at: line, end, rank: best, open: open() };
		}
		if (opens) {
			const container = opens[1]! + ' '.repeat(opens[2]?.length ?? 0);
			fence = { container, marker: opens[3]!, info: opens[4]!.trimEnd(), bare: true };
			table = undefined;
			end = line + words.trimEnd().length;
			line = next;
			continue;
		}

		quote ||= QUOTE.exec(words)?.[0] ?? '';
		for (const token of tokensOf(words, line === 0 ? marks.at(-1) : undefined, from !== undefined)) {
			const at = line + token.at;
			const stop = at + token.text.length;
			if (token.kind === 'space') {
				if (token.at > 0) yield* between(at, stop, row);
				continue;
			}
			if (token.kind === 'plain') {
				SPACE.lastIndex = Math.max(0, from! - at);
				for (let space = SPACE.exec(token.text); space; space = SPACE.exec(token.text)) {
					const place = at + space.index;
					const next = SPACE.lastIndex;
					if (place > line) yield* between(place, place + space[0].length, row);
					SPACE.lastIndex = next;
				}
				end = at + token.text.trimEnd().length;
				continue;
			}
			if (at > 0 && WIDE_STOP.test(text[at - 1]!) && token.kind === 'word')
				yield { at, end: at, rank: 'sentence', open: open() };
			if (token.kind === 'code') {
				const ticks = token.ticks ?? /^`+/.exec(token.text)![0];
				const inner = token.ticks ? at : at + ticks.length;
				if (token.ticks) marks = marks.slice(0, -1);
				else yield { at, end, rank: 'token', open: open() };
				yield { at: inner, end: inner, rank: 'token', open: { ...open(), marks: [...marks, ticks] }, word: true };
			} else {
				yield { at, end, rank: 'token', open: open(), word: token.kind === 'word' };
			}
			if (token.kind === 'marks') marks = toggle(marks, token.text, text[at - 1], text[stop]);
			end = stop;
		}
		before = words;
		rank = heading ? 'word' : 'line';
		if (newline >= 0) quote = '';
		line = next;
	}
	yield { at: text.length, end, rank: 'all', open: { ...open(), marks: fence ? [] : marks } };
}

type Token = { at: number; text: string; kind: string; ticks?: string };

/** @param ticks a code span's marks, when the line begins within one */
function* tokensOf(line: string, ticks: string | undefined, coarse: boolean): Generator<Token> {
	let from = 0;
	if (ticks?.startsWith('`')) {
		const close = line.search(new RegExp(`(?<!\`)${ticks}(?!\`)`));
		from = close < 0 ? line.length : close + ticks.length;
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

/** Emphasis opened or closed by a run of marks. https://spec.commonmark.org/0.31.2/#emphasis-and-strong-emphasis, of which this is the part that models write. */
function toggle(
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
