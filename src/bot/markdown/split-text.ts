import { sanitizeMarkdown } from './sanitize-markdown.ts';
import {
	closingMarks,
	endsFence,
	type Fence,
	NOTHING_OPEN,
	type OpenMarkup,
	RANKS,
	reopeningMarks,
	type SplitPoint,
	splitPoints,
} from './split-points.ts';
import { layOutTables } from './tables.ts';

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
	/** The markup that is open where the next one begins. */
	open: OpenMarkup;
};

/** The message that is being written, as it can be shown now. */
export type DraftPiece = {
	piece: Piece;
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
	#start = NOTHING_OPEN;
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

	/** Ends the text. */
	end(): void {
		this.#ended = true;
		this.#sanitized = undefined;
	}

	/** Returns all text that was added, as it was. */
	text(): string {
		return this.#text;
	}

	/** Returns the message that is being written; undefined while nothing of it is visible. */
	draft(): DraftPiece | undefined {
		this.#sanitized ??= sanitizeMarkdown(
			this.#noTables ? layOutTables(this.#text, this.#ended) : this.#text,
			this.#ended,
		);
		for (let size = this.#room + LOOKAHEAD; ; size *= 2) {
			const text = this.#sanitized.slice(this.#taken, this.#taken + size);
			const isWhole = this.#taken + text.length === this.#sanitized.length;
			const draft = firstPiece(text, this.#start, this.#room, isWhole && !this.#ended);
			// A window that is mostly space may hold less than a message.
			if (isWhole || draft?.full) return draft;
		}
	}

	/** Finishes the message with this piece. The text after it belongs to the next message. */
	take(piece: Piece): void {
		this.#taken += piece.text.length;
		this.#start = piece.open;
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
 * @param start the markup that is open where the text begins
 * @param room UTF-16 units of the message
 * @param growing more text may follow, so that marks at the end that are not complete are not shown yet
 */
function firstPiece(text: string, start: OpenMarkup, room: number, growing: boolean): DraftPiece | undefined {
	const { prefix, lead } = beginningOf(text, start, room);
	const lengthTo = ({ end, open }: SplitPoint) =>
		prefix.length + Math.max(0, end - lead) + closingMarks(open, room).length;
	const pieceTo = ({ at, end, open }: SplitPoint): Piece => {
		const suffix = closingMarks(open, room);
		return { prefix, text: text.slice(0, at), suffix, shown: prefix + text.slice(lead, end) + suffix, open };
	};
	const points = splitPoints(growing ? text.slice(0, settledEnd(text)) : text, start);
	const whole = points.pop()!;
	const overflow = points.findIndex((point) => lengthTo(point) > room);
	const fitting = overflow < 0 ? points : points.slice(0, overflow);
	const between = fitting.filter(({ rank, end }) => rank !== 'token' && end > lead);
	if (lengthTo(whole) <= room) {
		// A fence that has just been opened is shown together with its first line.
		const end = growing && whole.open.fence?.isEmpty ? between.at(-1) : whole;
		return end && end.end > lead ? { piece: pieceTo(end), full: false } : undefined;
	}
	const best = RANKS.toReversed().flatMap((rank) => between.findLast((point) => point.rank === rank) ?? []);
	const filled = (share: number) => best.find((point) => lengthTo(point) >= room * share);
	const good = filled(WELL_FILLED) ?? filled(FILLED);
	if (good) return { piece: pieceTo(good), full: true };
	const last: SplitPoint = fitting.at(-1) ?? { at: 0, end: 0, rank: 'token', open: start };
	const earlier = between.at(-1);
	const most = lead + room - prefix.length - closingMarks(last.open, room).length;
	const splitsWord = last.isWord || (!earlier && last.end <= lead);
	const end = splitsWord ? withinWord(text, last, lead, most) : (earlier ?? last);
	return { piece: pieceTo(end), full: true };
}

/** Returns the marks that a message begins with, and the length of the text's beginning that is not shown. */
function beginningOf(text: string, start: OpenMarkup, room: number): { prefix: string; lead: number } {
	// When nothing but the end of a fence is left, it is skipped: the fence was closed where it was split, and Discord ignores empty ones.
	const fenceEnd = start.fence && leadingFenceEnd(start.fence, text);
	if (fenceEnd !== undefined) return { prefix: '', lead: fenceEnd };
	const prefix = reopeningMarks(start, room);
	const leading = prefix === '' || start.table ? LEADING : /^\s*/;
	return { prefix, lead: start.fence ? 0 : leading.exec(text)![0].length };
}

/** Returns the end of as much of an unbroken word as fits before `most`, up to the last whole grapheme. */
function withinWord(text: string, start: SplitPoint, lead: number, most: number): SplitPoint {
	const { at } = start;
	if (at >= most) return start;
	const from = Math.max(at, most - MAX_UNSETTLED);
	const nearby = text.slice(from, most + MAX_UNSETTLED);
	let position = from + (new Intl.Segmenter().segment(nearby).containing(most - from)?.index ?? 0);
	if (position <= at || position <= lead) position = isPair(text, most) ? most - 1 : most;
	return { ...start, at: position, end: position };
}

/** Returns where the end of a fence ends that the text begins with; undefined when it does not. */
function leadingFenceEnd(fence: Fence, text: string): number | undefined {
	const first = text.search(/\S/);
	const newline = text.indexOf('\n', first);
	const end = newline < 0 ? text.length : newline;
	if (first < 0 || !endsFence(fence, text.slice(text.lastIndexOf('\n', first) + 1, end))) return undefined;
	return end + /^\s*/.exec(text.slice(end))![0].length;
}

const isPair = (text: string, at: number) => /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(at - 1, at + 1));

/** Returns where the marks at the end of a text begin that may still become something else: emphasis, a list, a rule, a fence, a table. */
function settledEnd(text: string): number {
	const from = Math.max(0, text.length - MAX_UNSETTLED);
	let last = text.slice(from);
	const line = last.lastIndexOf('\n') + 1;
	const words = last.slice(line);
	const marker = /^[-*+=#|:~`_ \t>]*$|^[ \t>]*\d{1,9}[.)]?$|^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(?:```|~~~)/;
	if ((line > 0 || from === 0) && marker.test(words)) last = last.slice(0, line);
	const end = from + last.trimEnd().length;
	return from + text.slice(from, end).replace(/(?<![*_~\s])[*_~\s]+$/, '').length;
}
