import {
	closingMarks,
	endsFence,
	type Fence,
	type OpenMarkup,
	RANKS,
	type Rank,
	reopeningMarks,
	type SplitPoint,
	splitPoints,
} from './split-points.ts';

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

type End = Pick<SplitPoint, 'at' | 'end' | 'open' | 'isWord' | 'isRow'>;

/** The last position of each rank at which the message can end, the last of all, and the end of the text when all of it fits. */
type Survey = { best: Map<string, SplitPoint>; last?: SplitPoint; all?: SplitPoint };

/** The end of a preview that may be searched for marks that are not complete yet, in UTF-16 units. */
const MAX_UNSETTLED = 256;
/** The share of a message that is filled before it is split at a better position. */
const WELL_FILLED = 1 / 2;
const FILLED = 1 / 4;
const LINE_RANKS: readonly Rank[] = ['line', 'paragraph'];

/** Space that a message does not begin with: empty lines, and indentation that would make its first line code. */
const LEADING = /^(?:[ \t]*\n)*(?: {4,}|[ \t]*\t[ \t]*)?/;

/** Lays out the first message of a text. */
export class PieceLayout {
	readonly #text: string;
	readonly #start: OpenMarkup;
	readonly #room: number;
	readonly #growing: boolean;
	/** The part of the text that can be shown by now. */
	readonly #visible: string;
	readonly #prefix: string;
	/** The length of the text's beginning that is not shown. */
	readonly #lead: number;

	/**
	 * @param start the markup that is open where the text begins
	 * @param room UTF-16 units of the message
	 * @param growing more text may follow, so that marks at the end that are not complete are not shown yet
	 */
	constructor(text: string, start: OpenMarkup, room: number, growing: boolean) {
		this.#text = text;
		this.#start = start;
		this.#room = room;
		this.#growing = growing;
		this.#visible = growing ? text.slice(0, settledEnd(text)) : text;
		// When nothing but the end of a fence is left, it is skipped: the fence was closed where it was split, and Discord ignores empty ones.
		const fenceEnd = start.fence && leadingFenceEnd(start.fence, text);
		// The same holds for the end of a code span.
		const spanEnd = leadingSpanEnd(start.marks.at(-1), text);
		const open = spanEnd === undefined ? start : { ...start, marks: start.marks.slice(0, -1) };
		this.#prefix = fenceEnd === undefined ? reopeningMarks(open, room) : '';
		const leading = this.#prefix === '' || start.table ? LEADING : /^\s*/;
		this.#lead = fenceEnd ?? spanEnd ?? (start.fence ? 0 : leading.exec(text)![0].length);
	}

	/** Returns the message; undefined while nothing of it is visible. */
	draft(): DraftPiece | undefined {
		// Most messages end with a line, for which no word has to be looked at.
		const lines = this.#survey(Number.POSITIVE_INFINITY);
		if (lines.all) {
			// A fence that has just been opened is shown together with its first line.
			const end = this.#growing && lines.all.open.fence?.isEmpty ? latest(this.#secondHalf()) : lines.all;
			return end && end.end > this.#lead ? { piece: this.#piece(end), full: false } : undefined;
		}
		const end = this.#filled(lines, WELL_FILLED, LINE_RANKS) ?? this.#filled(this.#secondHalf(), WELL_FILLED);
		return { piece: this.#piece(end ?? this.#choose(this.#survey())), full: true };
	}

	/** Most other messages end in their second half. */
	#secondHalf(): Survey {
		return this.#survey(this.#lead + this.#room * WELL_FILLED);
	}

	#survey(from?: number): Survey {
		const found: Survey = { best: new Map() };
		let overflows = false;
		for (const point of splitPoints(this.#visible, this.#start, from)) {
			const fits = this.#lengthTo(point) <= this.#room;
			if (point.rank === 'all') {
				if (fits) found.all = point;
			} else if (!fits) {
				overflows = true;
				if (this.#prefix.length + this.#visible.length - this.#lead > this.#room + MAX_UNSETTLED) break;
			} else if (!overflows) {
				if (point.rank !== 'token' && point.end > this.#lead) found.best.set(point.rank, point);
				found.last = point;
			}
		}
		return found;
	}

	/** Returns the best position that fills this share of the message. */
	#filled({ best }: Survey, share: number, ranks: readonly Rank[] = RANKS): SplitPoint | undefined {
		const ranked = ranks.toReversed().flatMap((rank) => best.get(rank) ?? []);
		return ranked.find((point) => this.#lengthTo(point) >= this.#room * share);
	}

	#choose(found: Survey): End {
		const good = this.#filled(found, WELL_FILLED) ?? this.#filled(found, FILLED);
		if (good) return good;
		const last: End = found.last ?? { at: 0, end: 0, open: this.#start };
		const earlier = latest(found);
		if (last.isWord && !(last.isRow && earlier)) return this.#within(last);
		return earlier ?? (last.end > this.#lead ? last : this.#within(last));
	}

	/** Returns as much of an unbroken word as fits, up to the last whole grapheme. */
	#within({ at, end, open }: End): End {
		const most = this.#lead + this.#room - this.#prefix.length - closingMarks(open, this.#room).length;
		if (at >= most) return { at, end, open };
		const from = Math.max(at, most - MAX_UNSETTLED);
		const nearby = this.#text.slice(from, most + MAX_UNSETTLED);
		const grapheme = new Intl.Segmenter().segment(nearby).containing(most - from);
		let position = from + (grapheme?.index ?? 0);
		if (position <= at || position <= this.#lead) position = isPair(this.#text, most) ? most - 1 : most;
		return { at: position, end: position, open };
	}

	#lengthTo({ end, open }: End): number {
		return this.#prefix.length + Math.max(0, end - this.#lead) + closingMarks(open, this.#room).length;
	}

	#piece({ at, end, open }: End): Piece {
		const prefix = this.#prefix;
		const suffix = closingMarks(open, this.#room);
		const shown = prefix + this.#text.slice(this.#lead, end) + suffix;
		return { prefix, text: this.#text.slice(0, at), suffix, shown, open };
	}
}

const latest = ({ best }: Survey) => [...best.values()].sort((a, b) => b.at - a.at)[0];

/** Returns where the end of a fence ends that the text begins with; undefined when it does not. */
function leadingFenceEnd(fence: Fence, text: string): number | undefined {
	const first = text.search(/\S/);
	const newline = text.indexOf('\n', first);
	const end = newline < 0 ? text.length : newline;
	if (first < 0 || !endsFence(fence, text.slice(text.lastIndexOf('\n', first) + 1, end))) return undefined;
	return end + /^\s*/.exec(text.slice(end))![0].length;
}

/** Returns where the end of a code span ends that the text begins with; undefined when it does not. */
function leadingSpanEnd(ticks: string | undefined, text: string): number | undefined {
	const end = /^\s*(`+)\s*/.exec(text);
	return end && end[1] === ticks ? end[0].length : undefined;
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
