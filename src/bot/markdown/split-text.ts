import { layOutTables, sanitizeMarkdown } from './sanitize-markdown.ts';

/**
 * One message of a text that is spread over several. The `text` of all of them, in order, is the whole text (sanitized), up to the
 * last space. `prefix` and `suffix` are repair marks.
 */
export type Piece = {
	prefix: string;
	text: string;
	suffix: string;
	/** The message: prefix, the text without the space at its ends, suffix. */
	shown: string;
	/** The marks that the next message begins with. */
	next: string;
	/** More has arrived than fits: this is how the message ends. */
	full: boolean;
};

/** UTF-16 units that are looked at beyond a message's room, so that a link at its end is seen whole. */
const LOOKAHEAD = 2048;

/** Sanitizes a Markdown text as it arrives, and splits it into messages, each of which is whole Markdown. */
export class TextSplitter {
	readonly #room: number;
	readonly #noTables: boolean;
	#text = '';
	/** The sanitized text; undefined since more was added. */
	#sanitized: string | undefined = '';
	/** The length of the finished messages in it. */
	#taken = 0;
	/** The marks that the current message begins with. */
	#prefix = '';
	#ended = false;

	/**
	 * @param room UTF-16 units of one message; at least 700, so that a code span that a platform may take for code has room for itself
	 * @param noTables see `ChannelLimits`
	 */
	constructor(room: number, noTables = false) {
		this.#room = room;
		this.#noTables = noTables;
	}

	push(delta: string): void {
		this.#text += delta;
		this.#sanitized = undefined;
	}

	end(): void {
		this.#ended = true;
		this.#sanitized = undefined;
	}

	/** Returns all text that was added, as it was. */
	text(): string {
		return this.#text;
	}

	/** Returns the message that is being written; undefined while nothing of it is visible. */
	draft(): Piece | undefined {
		this.#sanitized ??= sanitizeMarkdown(
			this.#noTables ? layOutTables(this.#text, this.#ended) : this.#text,
			this.#ended,
		);
		for (let size = this.#room + LOOKAHEAD; ; size *= 2) {
			const text = this.#sanitized.slice(this.#taken, this.#taken + size);
			const isWhole = this.#taken + text.length === this.#sanitized.length;
			const draft = firstPiece(text, this.#prefix, this.#room, isWhole && !this.#ended);
			// A window that is mostly space may hold less than a message.
			if (isWhole || draft?.full) return draft;
		}
	}

	/** Finishes the message with this piece. The text after it belongs to the next message. */
	take({ text, next }: Piece): void {
		this.#taken += text.length;
		this.#prefix = next;
	}
}

/** The end of a preview that may be searched for marks that are not complete yet, in UTF-16 units. */
const MAX_UNSETTLED = 256;
/** The share of a message that is filled before it is split at a better position. */
const WELL_FILLED = 1 / 2;
const FILLED = 1 / 4;
/** Space that a message does not begin with: empty lines, and indentation that would make its first line code. */
const LEADING = /^(?:[ \t]*\n)*(?: {4,}|[ \t]*\t[ \t]*)?/;

/**
 * Lays out the first message of a text. Returns undefined while nothing of it is visible.
 *
 * @param start the marks that open again what is open where the text begins
 * @param room UTF-16 units of the message
 * @param growing more text may follow, so that marks at the end that are not complete are not shown yet
 */
function firstPiece(text: string, start: string, room: number, growing: boolean): Piece | undefined {
	const { prefix, lead } = beginningOf(text, start);
	const whole = prefix + text.slice(lead);
	const shown = growing ? whole.slice(0, settledEnd(whole)) : whole;
	// The space before the next message is not shown.
	const visibleTo = ({ at }: SplitPoint) => shown.slice(0, at).trimEnd();
	const lengthTo = (point: SplitPoint) => visibleTo(point).length + closingMarks(point.open, room).length;
	const isEmpty = (point: SplitPoint) => visibleTo(point).length <= prefix.length;
	const pieceTo = (point: SplitPoint, full = true): Piece => {
		const [suffix, next] = [closingMarks(point.open, room), reopeningMarks(point.open, room)];
		const taken = text.slice(0, point.at - prefix.length + lead);
		return { prefix, text: taken, suffix, shown: visibleTo(point) + suffix, next, full };
	};
	const points = new Scanner(shown).scan();
	const last = points.pop()!;
	if (lengthTo(last) <= room) return isEmpty(last) ? undefined : pieceTo(last, false);
	const overflow = points.findIndex((point) => lengthTo(point) > room);
	const fitting = overflow < 0 ? points : points.slice(0, overflow);
	const between = fitting.filter((point) => point.rank !== 'token' && point.rank !== 'letters' && !isEmpty(point));
	const best = BREAKS.flatMap((rank) => between.findLast((point) => point.rank === rank) ?? []);
	const filled = (share: number) => best.find((point) => lengthTo(point) >= room * share);
	const good = filled(WELL_FILLED) ?? filled(FILLED);
	if (good) return pieceTo(good);
	const begin: SplitPoint = { at: prefix.length, rank: 'token', open: NOTHING_OPEN };
	const word = fitting.at(-1) ?? begin;
	const earlier = between.at(-1);
	const splitsWord = word.rank === 'letters' || (!earlier && isEmpty(word));
	const most = room - closingMarks(word.open, room).length;
	return pieceTo(splitsWord ? withinWord(shown, word, prefix.length, most) : (earlier ?? word));
}

/** Returns the marks that a message begins with, and the length of the text's beginning that is not shown. */
function beginningOf(text: string, prefix: string): { prefix: string; lead: number } {
	const fence = fenceIn(prefix.slice(0, prefix.indexOf('\n') + 1).trimEnd());
	if (!fence) return { prefix, lead: (prefix === '' ? LEADING : /^\s*/).exec(text)![0].length };
	// When nothing but the end of a fence is left, it is skipped: the fence was closed where it was split, and Discord ignores empty ones.
	const [space, line] = /^(?:[ \t]*\n)*(?=([^\n]*))/.exec(text)!;
	if (!endsFence(fence, line!)) return { prefix, lead: 0 };
	const end = space.length + line!.length;
	return { prefix: '', lead: end + /^\s*/.exec(text.slice(end))![0].length };
}

/** Returns the end of as much of an unbroken word as fits before `most`, up to the last whole grapheme. */
function withinWord(text: string, start: SplitPoint, begin: number, most: number): SplitPoint {
	const { at } = start;
	if (at >= most) return start;
	const from = Math.max(at, most - MAX_UNSETTLED);
	const nearby = text.slice(from, most + MAX_UNSETTLED);
	let position = from + (new Intl.Segmenter().segment(nearby).containing(most - from)?.index ?? 0);
	if (position <= at || position <= begin) position = isPair(text, most) ? most - 1 : most;
	// Marks without the word after them would end the code.
	const { fence } = start.open;
	const isEnd = fence && endsFence(fence, text.slice(text.lastIndexOf('\n', position - 1) + 1, position));
	if (isEnd && at > begin) return start;
	return { ...start, at: position };
}

const isPair = (text: string, at: number) => /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(at - 1, at + 1));

/** Marks at the end that may still become something else: of emphasis, a list, a rule, a table, a fence. */
const UNSETTLED_LINE = /^[-*+=#|:~`_ \t>]*$|^[ \t>]*\d{1,9}[.)]?$/;
/** The beginning or the end of a fence. It is shown together with what follows it. */
const FENCE_LINE = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(?:```|~~~)/;

/** Returns where the marks at the end of a text begin that are not shown yet. */
function settledEnd(text: string): number {
	const from = Math.max(0, text.length - MAX_UNSETTLED);
	let last = text.slice(from);
	const cut = (isCut: (line: string) => boolean) => {
		const line = last.lastIndexOf('\n') + 1;
		if ((line > 0 || from === 0) && isCut(last.slice(line))) last = last.slice(0, line);
		last = last.trimEnd();
	};
	cut((line) => UNSETTLED_LINE.test(line));
	cut((line) => FENCE_LINE.test(line));
	return from + last.replace(/(?<![*_~\s])[*_~\s]+$/, '').length;
}

/** A fenced code block that is open. */
type Fence = {
	/** Quote marks and indentation before it. */
	container: string;
	/** The backticks or tildes. */
	marker: string;
	/** The language, and whatever else follows the marker. */
	info: string;
};

const FENCE = /^((?:[ \t]*>)*[ \t]*)((?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,8}(?!`)(?=[^`]*$)|~{3,8}(?!~))(.*)$/;

/** Returns the fence that a line begins. */
function fenceIn(line: string): Fence | undefined {
	const [, before = '', item = '', marker, info = ''] = FENCE.exec(line) ?? [];
	return marker === undefined
		? undefined
		: { container: before + ' '.repeat(item.length), marker, info: info.trimEnd() };
}

/** Tells whether a line ends a fence. One in a list or a quote may be indented further than it is when it is opened again. */
export function endsFence({ container, marker }: Fence, line: string): boolean {
	const content = line.replace(/^(?:[ \t]*>)*/, '');
	const mark = content.trim();
	const indent = content.length - content.trimStart().length;
	return mark.length >= marker.length && mark === marker[0]!.repeat(mark.length) && (container !== '' || indent <= 3);
}

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

/** Returns marks, or fewer of them where they would take too much of the room of a message. */
const within = (room: number, marks: string, fewer = '') => (marks.length <= room * MAX_SHARE ? marks : fewer);

/** Returns the marks that open this markup again at the beginning of the next message. */
export function reopeningMarks({ fence, table, quote, marks }: OpenMarkup, room: number): string {
	if (!fence) return within(room, (table ?? quote) + marks.join(''));
	const isQuoted = fence.container.includes('>');
	const indent = isQuoted ? fence.container : fence.container.slice(0, 3);
	return within(room, `${indent}${fence.marker}${fence.info}\n${isQuoted ? quote : ''}`, `${fence.marker}\n`);
}

/** Returns the marks that close this markup at the end of a message. */
export const closingMarks = ({ fence, marks }: OpenMarkup, room: number): string =>
	fence
		? within(room, `\n${fence.container}${fence.marker}`, `\n${fence.marker}`)
		: within(room, marks.toReversed().join(''));

/** Quality of a position for a message to end, descending: between paragraphs, lines, sentences, words. */
const BREAKS = ['paragraph', 'line', 'sentence', 'word'] as const;
/** Or without space: between two tokens, or before a word, which may be split between any two graphemes. */
type Rank = (typeof BREAKS)[number] | 'token' | 'letters';

/** A position at which a message may end. */
type SplitPoint = {
	/** The next message begins here. */
	at: number;
	rank: Rank;
	open: OpenMarkup;
};

const QUOTE = /^(?: {0,3}> ?)+/;
const DELIMITER_ROW = /^[ \t]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/;
const ROW = /^[ \t]*\|/;
const HEADING = /^ {0,3}#{1,6}[ \t]/;
/** The beginning of a heading, an item, a quote, or a rule. */
const BLOCK =
	/^(?: {0,3}#{1,6}[ \t]|[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]| {0,3}>| {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$)/;
/** Text that would become a heading, a list, a quote or a rule if a message began with it. */
const BLOCK_MARK = /^(?:[-+*#>|=]|\d{1,9}[.)]|```|~~~)/;
/** The number of an item ends no sentence. */
const SENTENCE_END = /(?<!\n[ \t]{0,4}\d{1,3})[.!?…:][)\]"'*_”’»]*$/;
/** Ends a sentence in scripts that are written without spaces. */
const WIDE_STOP = /[。！？]/;

/** Code span · link or picture · entity or address · escape · emphasis · space · word. */
const TOKEN =
	/(?<!`)(?<ticks>`{1,3})(?!`)[^\n]{1,1000}?(?<!`)\k<ticks>(?!`)|!?\[(?:[^[\]\n]|\[[^[\]\n]*\]){0,1000}\]\((?:[^()\n]|\([^()\n]*\)){0,1000}\)|<[^\s<>`]+>|https?:\/\/\S+|\\\S|@[^\s`]+|(?<marks>\*+|_+|~+)|(?<space>\s+)|(?<word>[^\s*_~`[<\\!@]+|.)/gsu;
/** In code, fence marks within a line stay with the word before: at the start of a message they would end the fence. */
const CODE_TOKEN = /(?<space>\s+)|(?<word>\S+(?:\s+(?:```|~~~)\S*)*)/g;

/** Reads a text line by line, and keeps track of the markup that is open. */
class Scanner {
	readonly #text: string;
	readonly #points: SplitPoint[] = [];
	#open = NOTHING_OPEN;
	/** The rank of the next line's beginning: the best after an empty line or a block, the worst after a heading. */
	#rank: Rank = 'token';

	constructor(text: string) {
		this.#text = text;
	}

	/** Returns the positions at which a message may end, in order, and last the end of the text. */
	scan(): SplitPoint[] {
		const text = this.#text;
		let [at, previous] = [0, ''];
		for (const line of text.split('\n')) {
			if (at > 0) this.#set({ quote: '' });
			if (at === text.length) break;
			if (this.#open.fence?.container.includes('>') && !QUOTE.test(line)) this.#set({ fence: undefined });
			const { fence, table } = this.#open;
			const isHead = table === undefined && line.includes('|') && previous.includes('|');
			if (fence) this.#codeLine(fence, line, at);
			else if (line.trim() === '') this.#blankLine();
			else if (isHead && DELIMITER_ROW.test(line)) this.#delimiterRow(line, previous);
			else this.#textLine(line, at);
			at += line.length + 1;
			previous = line;
		}
		this.#add(text.length, 'token');
		return this.#points;
	}

	#set(changes: Partial<OpenMarkup>): void {
		this.#open = { ...this.#open, ...changes };
	}

	#add(at: number, rank: Rank): void {
		this.#points.push({ at, rank, open: this.#open });
	}

	/** A message does not end between the beginning of a fence and its first line. */
	#codeLine(fence: Fence, line: string, at: number): void {
		if (endsFence(fence, line)) {
			this.#open = NOTHING_OPEN;
			this.#rank = 'paragraph';
		} else if (line.trim() !== '') {
			if (this.#rank !== 'token') this.#add(at, 'line');
			if (fence.container.includes('>')) this.#set({ quote: QUOTE.exec(line)?.[0] ?? '' });
			this.#words(line, at, CODE_TOKEN);
			this.#rank = 'line';
		}
	}

	#blankLine(): void {
		this.#set({ marks: [], table: undefined });
		if (this.#rank !== 'word') this.#rank = 'paragraph';
	}

	/** A table is not split between its head and its first row. */
	#delimiterRow(line: string, head: string): void {
		if (BLOCK.test(line) || ROW.test(line)) this.#set({ marks: [] });
		this.#set({ table: `${head}\n${line}\n` });
		this.#rank = 'token';
	}

	#textLine(line: string, at: number): void {
		const fence = fenceIn(line);
		const isHeading = HEADING.test(line);
		const isRow = ROW.test(line);
		if (isRow || fence || BLOCK.test(line)) this.#set({ marks: [] });
		if (!isRow) this.#set({ table: undefined });
		if (this.#rank !== 'token') this.#add(at, this.#rank !== 'word' && (fence || isHeading) ? 'paragraph' : this.#rank);
		if (fence) {
			this.#open = { ...NOTHING_OPEN, fence };
			this.#rank = 'token';
			return;
		}
		this.#set({ quote: QUOTE.exec(line)?.[0] ?? '' });
		this.#words(line, at, TOKEN, isRow);
		this.#rank = isHeading ? 'word' : 'line';
	}

	#words(line: string, start: number, pattern: RegExp, isRow = false): void {
		const text = this.#text;
		for (const { index, 0: token, groups: { marks, space, word } = {} } of line.matchAll(pattern)) {
			const at = start + index;
			const stop = at + token.length;
			if (space) {
				if (index > 0 && index + token.length < line.length) this.#between(at, stop, isRow);
				continue;
			}
			if (word && at > 0 && WIDE_STOP.test(text[at - 1]!)) this.#add(at, 'sentence');
			this.#add(at, word && !isRow ? 'letters' : 'token');
			if (marks) this.#set({ marks: openAfter(this.#open.marks, marks, text[at - 1], text[stop]) });
		}
	}

	/** Adds the position between two words, unless the next message would begin with a block mark. */
	#between(at: number, next: number, isRow: boolean): void {
		if (!this.#open.fence && BLOCK_MARK.test(this.#text.slice(next, next + 12))) return;
		const isSentence = SENTENCE_END.test(this.#text.slice(Math.max(0, at - 8), at));
		this.#add(next, isRow ? 'token' : isSentence ? 'sentence' : 'word');
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
