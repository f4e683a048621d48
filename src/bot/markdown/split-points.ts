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
	/** Before a word, which may be split between any two graphemes. */
	isWord?: boolean;
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
	#open: OpenMarkup;
	/** The end of the text that is visible so far. */
	#end = 0;
	/** The rank of the next line's beginning: the best after an empty line or a block, the worst after a heading. */
	#rank: Rank = 'token';
	#previousLine = '';

	constructor(text: string, start: OpenMarkup) {
		this.#text = text;
		this.#open = start;
	}

	scan(): SplitPoint[] {
		const text = this.#text;
		for (let at = 0; at < text.length; ) {
			const newline = text.indexOf('\n', at);
			const line = text.slice(at, newline < 0 ? text.length : newline);
			if (at > 0 && this.#open.fence?.container.includes('>') && !QUOTE.test(line)) this.#set({ fence: undefined });
			const { fence } = this.#open;
			if (fence) this.#fenceLine(fence, line, at);
			else if (line.trim() === '') this.#blankLine();
			else if (this.#isDelimiterRow(line, at)) this.#delimiterRow(line, at);
			else this.#textLine(line, at);
			if (newline >= 0) this.#set({ quote: '' });
			at = newline < 0 ? text.length : newline + 1;
		}
		this.#add(text.length, this.#end, 'token');
		return this.#points;
	}

	#set(changes: Partial<OpenMarkup>): void {
		this.#open = { ...this.#open, ...changes };
	}

	#add(at: number, end: number, rank: Rank, isWord = false): void {
		this.#points.push({ at, end, rank, open: this.#open, isWord });
	}

	#fenceLine(fence: Fence, line: string, start: number): void {
		if (endsFence(fence, line)) {
			this.#open = NOTHING_OPEN;
			this.#rank = 'paragraph';
			this.#end = start + line.trimEnd().length;
			return;
		}
		if (line.trim() === '') return;
		if (start > 0 && !fence.isEmpty) this.#add(start, this.#end, 'line');
		const quote = fence.container.includes('>') ? this.#open.quote || (QUOTE.exec(line)?.[0] ?? '') : '';
		this.#set({ fence: { ...fence, isEmpty: false }, quote });
		for (const { index, 0: token } of line.matchAll(FENCED_WORD)) {
			const at = start + index;
			if (token.trim() !== '') {
				this.#add(at, this.#end, 'token', true);
				this.#end = at + token.length;
			} else if (index > 0 && index + token.length < line.length) this.#add(at + token.length, at, 'word');
		}
	}

	#blankLine(): void {
		this.#set({ marks: [], table: undefined });
		if (this.#rank !== 'word' && this.#end > 0) this.#rank = 'paragraph';
	}

	#isDelimiterRow(line: string, at: number): boolean {
		if (this.#open.table !== undefined && ROW.test(line)) return false;
		return at > 0 && DELIMITERS.test(line) && line.includes('|') && this.#previousLine.includes('|');
	}

	/** A table is not split between its head and its first row. */
	#delimiterRow(line: string, at: number): void {
		if (startsBlock(line) || ROW.test(line)) this.#set({ marks: [] });
		this.#set({ table: DELIMITER_ROW.test(line) ? `${this.#previousLine}\n${line}\n` : undefined });
		this.#end = at + line.trimEnd().length;
		this.#rank = 'token';
		this.#previousLine = '';
	}

	#textLine(line: string, start: number): void {
		const [, before = '', item = '', marker = '', info = ''] = FENCE.exec(line) ?? [];
		const isHeading = HEADING.test(line);
		const isRow = ROW.test(line);
		if (start > 0 && (isRow || marker || startsBlock(line))) this.#set({ marks: [] });
		if (!isRow) this.#set({ table: undefined });
		if (start > 0 && this.#rank !== 'token') {
			const rank = this.#rank !== 'word' && (marker || isHeading) ? 'paragraph' : this.#rank;
			this.#add(start, this.#end, rank);
		}
		if (marker) {
			const container = before + ' '.repeat(item.length);
			this.#open = { fence: { container, marker, info: info.trimEnd(), isEmpty: true }, quote: '', marks: [] };
			this.#end = start + line.trimEnd().length;
			return;
		}
		this.#set({ quote: this.#open.quote || (QUOTE.exec(line)?.[0] ?? '') });
		this.#inline(line, start, isRow);
		this.#previousLine = line;
		this.#rank = isHeading ? 'word' : 'line';
	}

	#inline(line: string, start: number, isRow: boolean): void {
		const text = this.#text;
		for (const { index, 0: token, groups: { marks, space, word } = {} } of line.matchAll(TOKEN)) {
			const at = start + index;
			const stop = at + token.length;
			if (space) {
				if (index > 0) this.#between(at, stop, isRow);
				continue;
			}
			if (word && at > 0 && WIDE_STOP.test(text[at - 1]!)) this.#add(at, at, 'sentence');
			this.#add(at, this.#end, 'token', word !== undefined && !isRow);
			if (marks) this.#set({ marks: openAfter(this.#open.marks, marks, text[at - 1], text[stop]) });
			this.#end = stop;
		}
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
	/(?<!`)(?<ticks>`{1,3})(?!`)[^\n]{1,1000}?(?<!`)\k<ticks>(?!`)|!?\[(?:[^[\]\n]|\[[^[\]\n]*\]){0,1000}\]\((?:[^()\n]|\([^()\n]*\)){0,1000}\)|<[^\s<>`]+>|https?:\/\/\S+|\\\S|@[^\s`]+|(?<marks>\*+|_+|~+)|(?<space>\s+)|(?<word>[^\s*_~`[<\\!@]+|.)/gsu;

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
	/** Emphasis marks, outermost first. */
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
	const whole = (table ?? quote) + marks.join('');
	return whole.length <= most ? whole : '';
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
