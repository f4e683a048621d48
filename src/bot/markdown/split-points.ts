/** Quality of a position for a message to end, ascending: within an unbroken word, between words, sentences, lines, paragraphs. */
export const RANKS = ['token', 'word', 'sentence', 'line', 'paragraph'] as const;
export type Rank = (typeof RANKS)[number];

/** A position at which a message may end. */
export type SplitPoint = {
	/** The next message begins here. */
	at: number;
	/** The visible part of this one ends here: the space before `at` is not shown. */
	end: number;
	rank: Rank;
	open: OpenMarkup;
	/** Only with `token`: a word, which may be split between any two graphemes. */
	isWord?: boolean;
	/** Only with `token`: within a table row, where a split breaks the table. */
	isRow?: boolean;
};

const QUOTE = /^(?: {0,3}> ?)+/;
const FENCE = /^((?:[ \t]*>)*[ \t]*)((?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,8}(?!`)(?=[^`]*$)|~{3,8}(?!~))(.*)$/;
const DELIMITER_ROW = /^[ \t]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/;
/** A delimiter row, or the beginning of one that has not arrived completely. */
const DELIMITERS = /^[ \t]*(?:\|[ \t]*)?[-:][-:| \t]*$/;
const ROW = /^[ \t]*\|/;
const ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]/;
const HEADING = /^ {0,3}#{1,6}[ \t]/;
const RULE = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
/** Text that would become a heading, a list, a quote or a rule if a message began with it. */
const BLOCK_MARK = /^(?:[-+*#>|=]|\d{1,9}[.)]|```|~~~)/;
/** The number of an item ends no sentence. */
const SENTENCE_END = /(?<!\n[ \t]{0,4}\d{1,3})[.!?…:][)\]"'*_”’»]*$/;
/** Ends a sentence in scripts that are written without spaces. */
const WIDE_STOP = /[。！？]/;
/**
 * A word of code, or the space between two. Fence marks within a line stay with the word before: at the start of a message they
 * would end the fence.
 */
const FENCED_WORD = /\s+|\S+(?:\s+(?:```|~~~)\S*)*/g;

/**
 * Returns the positions at which a message may end, in order, and last the end of the text.
 *
 * @param start the markup that is open where the text begins
 */
export const splitPoints = (text: string, start: OpenMarkup): SplitPoint[] => new Scanner(text, start).scan();

/** Reads a text line by line, and keeps track of the markup that is open. */
class Scanner {
	readonly #text: string;
	readonly #points: SplitPoint[] = [];
	#fence: Fence | undefined;
	#table: string | undefined;
	#marks: readonly string[];
	#quote: string;
	/** The end of the text that is visible so far. */
	#end = 0;
	/** The rank of the next line's beginning: the best after an empty line or a block, the worst after a heading. */
	#rank: Rank = 'token';
	#previousLine = '';

	constructor(text: string, { fence, table, marks, quote }: OpenMarkup) {
		this.#text = text;
		this.#fence = fence;
		this.#table = table;
		this.#marks = marks;
		this.#quote = quote;
	}

	scan(): SplitPoint[] {
		const text = this.#text;
		for (let at = 0; at < text.length; ) {
			const newline = text.indexOf('\n', at);
			const line = text.slice(at, newline < 0 ? text.length : newline);
			if (at > 0) this.#quote = '';
			if (this.#fence?.container.includes('>') && !QUOTE.test(line) && at > 0) this.#fence = undefined;
			if (this.#fence) this.#fenceLine(this.#fence, line, at);
			else if (line.trim() === '') this.#blankLine();
			else if (this.#isDelimiterRow(line, at)) this.#delimiterRow(line, at);
			else this.#textLine(line, at, newline >= 0);
			at = newline < 0 ? text.length : newline + 1;
		}
		this.#add(text.length, this.#end, 'token');
		return this.#points;
	}

	#add(at: number, end: number, rank: Rank, more?: Pick<SplitPoint, 'isWord' | 'isRow'>): void {
		const fence = this.#fence;
		const open = fence
			? { fence, quote: this.#quote, marks: [] }
			: { table: this.#table, quote: this.#quote, marks: this.#marks };
		this.#points.push({ at, end, rank, open, ...more });
	}

	#fenceLine(fence: Fence, line: string, start: number): void {
		if (endsFence(fence, line)) {
			this.#fence = undefined;
			this.#quote = '';
			this.#rank = 'paragraph';
			this.#end = start + line.trimEnd().length;
			return;
		}
		if (line.trim() === '') return;
		if (start > 0 && !fence.isEmpty) this.#add(start, this.#end, 'line');
		this.#fence = { ...fence, isEmpty: false };
		if (fence.container.includes('>')) this.#quote ||= QUOTE.exec(line)?.[0] ?? '';
		for (const { index, 0: token } of line.matchAll(FENCED_WORD)) {
			const at = start + index;
			if (token.trim() !== '') {
				this.#add(at, this.#end, 'token', { isWord: true });
				this.#end = at + token.length;
			} else if (index > 0 && index + token.length < line.length) this.#add(at + token.length, at, 'word');
		}
	}

	#blankLine(): void {
		this.#marks = [];
		this.#table = undefined;
		if (this.#rank !== 'word' && this.#end > 0) this.#rank = 'paragraph';
	}

	#isDelimiterRow(line: string, at: number): boolean {
		if (this.#table !== undefined && ROW.test(line)) return false;
		return at > 0 && DELIMITERS.test(line) && line.includes('|') && this.#previousLine.includes('|');
	}

	/** A table is not split between its head and its first row. */
	#delimiterRow(line: string, at: number): void {
		if (startsBlock(line) || ROW.test(line)) this.#marks = [];
		this.#table = DELIMITER_ROW.test(line) ? `${this.#previousLine}\n${line}\n` : undefined;
		this.#end = at + line.trimEnd().length;
		this.#rank = 'token';
		this.#previousLine = '';
	}

	#textLine(line: string, start: number, isComplete: boolean): void {
		const fence = FENCE.exec(line);
		const isHeading = HEADING.test(line);
		const isRow = ROW.test(line);
		if (start > 0 && (isRow || fence || startsBlock(line))) this.#marks = [];
		if (!isRow) this.#table = undefined;
		if (start > 0 && this.#rank !== 'token') {
			const rank = this.#rank !== 'word' && (fence || isHeading) ? 'paragraph' : this.#rank;
			this.#add(start, this.#end, rank);
		}
		if (fence) {
			const [, before = '', item = '', marker = '', info = ''] = fence;
			this.#fence = { container: before + ' '.repeat(item.length), marker, info: info.trimEnd(), isEmpty: true };
			this.#table = undefined;
			this.#end = start + line.trimEnd().length;
			return;
		}
		this.#quote ||= QUOTE.exec(line)?.[0] ?? '';
		this.#inline(line, start, isRow);
		this.#previousLine = line;
		this.#rank = isHeading ? 'word' : 'line';
		if (isComplete) this.#quote = '';
	}

	#inline(line: string, start: number, isRow: boolean): void {
		const ticks = start === 0 ? this.#marks.at(-1) : undefined;
		for (const { at: column, kind, text, ticks: within } of inlineTokens(line, ticks)) {
			const at = start + column;
			const stop = at + text.length;
			if (kind === 'space') {
				if (column > 0) this.#between(at, stop, isRow);
				continue;
			}
			if (kind === 'word' && at > 0 && WIDE_STOP.test(this.#text[at - 1]!)) this.#add(at, at, 'sentence');
			if (kind === 'code') this.#code(text, at, within, isRow);
			else this.#add(at, this.#end, 'token', { isWord: kind === 'word', isRow });
			if (kind === 'marks') this.#marks = openAfter(this.#marks, text, this.#text[at - 1], this.#text[stop]);
			this.#end = stop;
		}
	}

	/** Adds the positions before a code span and at the beginning of its text, which may be split like a word. */
	#code(text: string, at: number, within: string | undefined, isRow: boolean): void {
		const ticks = within ?? /^`+/.exec(text)![0];
		const inner = within ? at : at + ticks.length;
		if (within) this.#marks = this.#marks.slice(0, -1);
		else this.#add(at, this.#end, 'token', { isRow });
		const around = this.#marks;
		this.#marks = [...around, ticks];
		this.#add(inner, inner, 'token', { isWord: true, isRow });
		this.#marks = around;
	}

	/** Adds the position between two words, unless the next message would begin with a block mark. */
	#between(at: number, next: number, isRow: boolean): void {
		const rest = this.#text.slice(next, next + 12);
		if (rest.trim() === '' || BLOCK_MARK.test(rest)) return;
		const isSentence = SENTENCE_END.test(this.#text.slice(Math.max(0, at - 8), at));
		this.#add(next, at, isRow ? 'token' : isSentence ? 'sentence' : 'word');
	}
}

/** Tells whether a line begins a heading, an item, a quote or a rule. */
const startsBlock = (line: string) => HEADING.test(line) || ITEM.test(line) || QUOTE.test(line) || RULE.test(line);

/** Code span · link or picture · entity or address · escape · emphasis · space · word. */
const TOKEN =
	/(?<code>(?<!`)(`{1,3})(?!`)[^\n]{1,1000}?(?<!`)\2(?!`))|(?<link>!?\[(?:[^[\]\n]|\[[^[\]\n]*\]){0,1000}\]\((?:[^()\n]|\([^()\n]*\)){0,1000}\))|(?<whole><[^\s<>`]+>|https?:\/\/\S+|\\\S|@[^\s`]+)|(?<marks>\*+|_+|~+)|(?<space>\s+)|(?<word>[^\s*_~`[<\\!@]+|.)/gsu;

/** A part of a line. `whole` may not be split. */
type InlineToken = {
	at: number;
	text: string;
	kind: 'code' | 'link' | 'whole' | 'marks' | 'space' | 'word';
	/** The marks of the code span that the line begins within. */
	ticks?: string;
};

/**
 * Splits a line into tokens.
 *
 * @param ticks the marks of a code span, when the line begins within one
 */
export function inlineTokens(line: string, ticks?: string): InlineToken[] {
	const tokens: InlineToken[] = [];
	let from = 0;
	if (ticks?.startsWith('`')) {
		const close = line.matchAll(/`+/g).find(([run]) => run.length === ticks.length);
		from = close === undefined ? line.length : close.index + ticks.length;
		tokens.push({ at: 0, text: line.slice(0, from), kind: 'code', ticks });
	}
	TOKEN.lastIndex = from;
	for (let match = TOKEN.exec(line); match; match = TOKEN.exec(line)) {
		const { code, link, marks, space, word } = match.groups!;
		const kind = code ? 'code' : link ? 'link' : marks ? 'marks' : space ? 'space' : word ? 'word' : 'whole';
		tokens.push({ at: match.index, text: match[0], kind });
	}
	return tokens;
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

/** A fenced code block that is open. */
export type Fence = {
	/** Quote marks and indentation before it. */
	container: string;
	/** The backticks or tildes. */
	marker: string;
	/** The language, and whatever else follows the marker. */
	info: string;
	/** Nothing is in it yet. */
	isEmpty: boolean;
};

/** The markup that is open at a position. */
export type OpenMarkup = {
	fence?: Fence;
	/** A table's header and delimiter row, newlines included. */
	table?: string;
	/** The marks of the quote that the line is in. Only within a line. */
	quote: string;
	/** Emphasis and code span marks, outermost first. */
	marks: readonly string[];
};

export const NOTHING_OPEN: OpenMarkup = { quote: '', marks: [] };

/** The share of a message that repair marks may take at each end. */
const MAX_SHARE = 1 / 4;

/**
 * Returns the marks that open this markup again at the beginning of the next message. Marks that would take too much of its room are
 * left out.
 */
export function reopeningMarks({ fence, table, quote, marks }: OpenMarkup, room: number): string {
	const most = room * MAX_SHARE;
	if (fence) {
		const indent = fence.container.includes('>') ? fence.container : fence.container.slice(0, 3);
		const inner = quote && fence.container.includes('>') ? quote : '';
		const full = `${indent}${fence.marker}${fence.info}\n${inner}`;
		return full.length <= most ? full : `${fence.marker}\n`;
	}
	const inline = marks.join('');
	const whole = (table ?? quote) + inline;
	// What was code stays code: a mention in it would ping.
	return whole.length <= most ? whole : inline;
}

/** Returns the marks that close this markup at the end of a message. */
export function closingMarks({ fence, marks }: OpenMarkup, room: number): string {
	const most = room * MAX_SHARE;
	if (fence) {
		const full = `\n${fence.container}${fence.marker}`;
		return full.length <= most ? full : `\n${fence.marker}`;
	}
	const whole = marks.toReversed().join('');
	return whole.length <= most ? whole : '';
}

/** Tells whether a line ends a fence. */
export function endsFence(fence: Fence, line: string): boolean {
	const content = line.replace(/^(?:[ \t]*>)*/, '');
	const mark = content.trim();
	const indent = content.length - content.trimStart().length;
	return (
		mark.length >= fence.marker.length &&
		mark === fence.marker[0]!.repeat(mark.length) &&
		indent <= fence.container.length + 3
	);
}
