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
	const points = [...splitPoints(shown)];
	const end = points.pop()!;
	if (lengthTo(end) <= room) return isEmpty(end) ? undefined : pieceTo(end, false);
	const fitting = points.filter((point) => !isEmpty(point) && lengthTo(point) <= room);
	const best = BREAKS.flatMap((rank) => fitting.findLast((point) => point.rank === rank) ?? []);
	const filled = (share: number) => best.find((point) => lengthTo(point) >= room * share);
	return pieceTo(filled(WELL_FILLED) ?? filled(FILLED) ?? fitting.at(-1) ?? withinWord(shown, prefix.length, room));
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

/** Returns the end of as much of an unbroken word as fits, up to the last whole grapheme, where a fence is not ended by what follows. */
function withinWord(text: string, begin: number, room: number): SplitPoint {
	const open = [...splitPoints(text.slice(0, room))].at(-1)!.open;
	const most = room - closingMarks(open, room).length;
	const graphemes = [...new Intl.Segmenter().segment(text.slice(begin, most))].map(({ index }) => begin + index);
	const isPossible = (at: number) =>
		at > begin &&
		!(
			open.fence &&
			[text.slice(text.lastIndexOf('\n', at - 1) + 1, at), text.slice(at)].some((line) => FENCE_MARK.test(line))
		);
	const at = graphemes.findLast(isPossible) ?? (isPair(text, most) ? most - 1 : most);
	return { at, open };
}

/** The end of a fence, if a line begins with it. */
const FENCE_MARK = /^\s*(?:```|~~~)/;

const isPair = (text: string, at: number) => /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(at - 1, at + 1));

/** The end of a preview that may be searched for marks that are not complete yet, in UTF-16 units. */
const MAX_UNSETTLED = 256;
/** Marks at the end that may still become something else: of emphasis, a list, a rule, a table, a fence. */
const UNSETTLED_LINE = /^[-*+=#|:~`_ \t>]*$|^[ \t>]*\d{1,9}[.)]?$/;
/** The beginning or the end of a fence. It is shown together with what follows it. */
const FENCE_LINE = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(?:```|~~~)/;

/** Returns where the marks at the end of a text begin that are not shown yet. */
function settledEnd(text: string): number {
	const from = Math.max(0, text.length - MAX_UNSETTLED);
	let last = text.slice(from);
	for (const unsettled of [UNSETTLED_LINE, FENCE_LINE]) {
		const line = last.lastIndexOf('\n') + 1;
		if ((line > 0 || from === 0) && unsettled.test(last.slice(line))) last = last.slice(0, line);
		last = last.trimEnd();
	}
	return from + last.replace(/(?<![*_~\s])[*_~\s]+$/, '').length;
}

/** A fenced code block that is open: quote marks and indentation before it, its backticks or tildes, and what follows them. */
type Fence = { container: string; marker: string; info: string };

const FENCE = /^((?:[ \t]*>)*[ \t]*)((?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,8}(?!`)(?=[^`]*$)|~{3,8}(?!~))(.*)$/;

function fenceIn(line: string): Fence | undefined {
	const [, before = '', item = '', marker, info = ''] = FENCE.exec(line) ?? [];
	return marker ? { container: before + ' '.repeat(item.length), marker, info: info.trimEnd() } : undefined;
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
type Rank = (typeof BREAKS)[number];

/** A position at which a message may end, and the next one begins; without a rank where it is not between words. */
type SplitPoint = { at: number; rank?: Rank; open: OpenMarkup };

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
const SENTENCE_END = /(?<!^[ \t]{0,4}\d{1,3})[.!?…:][)\]"'*_”’»]*$/;

/** What is not split at its spaces, and has no emphasis: a code span, a link or picture, an entity or address, an escape. */
const ATOM =
	/(?<!`)(?<ticks>`{1,3})(?!`)[^\n]{1,1000}?(?<!`)\k<ticks>(?!`)|!?\[(?:[^[\]\n]|\[[^[\]\n]*\]){0,1000}\]\((?:[^()\n]|\([^()\n]*\)){0,1000}\)|<[^\s<>`]+>|https?:\/\/\S+|\\\S/g;
/** Emphasis · the end of a sentence in scripts that are written without spaces · space. */
const INLINE = /(?<marks>\*+|_+|~+)|[。！？]\s*|\s+/g;
const SPACE = /\s+/g;

/** Yields the positions at which a message may end, in order, and last the end of the text. */
function* splitPoints(text: string): Generator<SplitPoint> {
	let open = NOTHING_OPEN;
	/** How well a message ends before the next line; undefined where a fence or a table has just begun. */
	let rank: Rank | undefined;
	let [at, previous] = [0, ''];
	for (const line of text.split('\n')) {
		if (at === text.length) break;
		open = { ...(open.fence?.container.includes('>') && !QUOTE.test(line) ? NOTHING_OPEN : open), quote: '' };
		const { fence, table } = open;
		const isHead = !fence && !table && previous.includes('|') && line.includes('|') && DELIMITER_ROW.test(line);
		if (fence && endsFence(fence, line)) {
			open = NOTHING_OPEN;
			rank = 'paragraph';
		} else if (isHead) {
			open = { ...open, marks: [], table: `${previous}\n${line}\n` };
			rank = undefined;
		} else if (line.trim() !== '') {
			const begun = fence ? undefined : fenceIn(line);
			const isHeading = !fence && HEADING.test(line);
			if (!fence) open = atBeginning(open, line);
			if (rank) yield { at, rank: rank !== 'word' && (begun || isHeading) ? 'paragraph' : rank, open };
			open = begun ? { ...NOTHING_OPEN, fence: begun } : yield* withinLine(open, line, at);
			rank = begun ? undefined : isHeading ? 'word' : 'line';
		} else if (!fence) {
			open = NOTHING_OPEN;
			if (rank !== 'word') rank = 'paragraph';
		}
		at += line.length + 1;
		previous = line;
	}
	yield { at: text.length, open };
}

/** Returns what is open where a line of text begins. A block ends emphasis, and what is no row a table. */
const atBeginning = ({ table, marks }: OpenMarkup, line: string): OpenMarkup => ({
	quote: '',
	table: ROW.test(line) ? table : undefined,
	marks: ROW.test(line) || BLOCK.test(line) || fenceIn(line) ? [] : marks,
});

/** Yields the positions between the words of a line, where the next message would not begin with a mark, and returns what is open then. */
function* withinLine(before: OpenMarkup, line: string, start: number): Generator<SplitPoint, OpenMarkup> {
	let open = { ...before, quote: QUOTE.exec(line)?.[0] ?? '' };
	const text = open.fence ? line : line.replace(ATOM, (atom) => 'x'.repeat(atom.length));
	const mark = open.fence ? FENCE_MARK : BLOCK_MARK;
	for (const { index, 0: found, groups } of text.matchAll(open.fence ? SPACE : INLINE)) {
		const next = index + found.length;
		if (groups?.['marks']) open = { ...open, marks: openAfter(open.marks, found, line[index - 1], line[next]) };
		else if (index > 0 && next < line.length && !ROW.test(line) && !mark.test(line.slice(next, next + 12))) {
			const isSentence = found.trim() !== '' || SENTENCE_END.test(line.slice(Math.max(0, index - 8), index));
			yield { at: start + next, rank: isSentence ? 'sentence' : 'word', open };
		}
	}
	return open;
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
