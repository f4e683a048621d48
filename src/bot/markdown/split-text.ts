import { closes, closing, type Fence, NOTHING_OPEN, type Open, opening } from './repair.ts';
import { createMarkdownSanitizer } from './sanitize-markdown.ts';
import { cutsOf, RANKS, type SplitPoint } from './split-points.ts';
import { createTextQueue } from './text-queue.ts';

/**
 * One message of a text that is spread over several. The `text` of all of them, in order, is the whole text (made inert), to the
 * last space; `prefix` and `suffix` are the repair marks.
 */
export type Piece = {
	prefix: string;
	text: string;
	suffix: string;
	/** The message: prefix, the text without the space at its ends, suffix. */
	shown: string;
	/** What is open where the next one begins. */
	open: Open;
};

/** The message that is being written, as it can be shown now. */
export type DraftPiece = {
	piece: Piece;
	/** More has come than fits: this is how it ends. */
	full: boolean;
};

export type Splitter = {
	/** More of the text. Costs no more than its own length, however much has come before. */
	push(delta: string): void;
	/** All has come. */
	end(): void;
	/** All that has come, as it came. */
	text(): string;
	/** Undefined while there is nothing to see. */
	draft(): DraftPiece | undefined;
	/** A message is finished as this piece; what follows belongs to the next. */
	take(piece: Piece): void;
};

/** Deltas that wait to be looked at together. */
const BATCH = 1024;
/** What is looked at beyond a message's room, so that a link at its end is seen whole. */
const BEYOND = 2048;
/** Of a preview's end, as much as may be looked at for marks that are not whole yet. */
const LAST = 256;
/** A message is filled at least this far before it is cut at a better place. */
const WELL_FILLED = 1 / 2;
const FILLED = 1 / 4;

/** Space that a message does not begin with: empty lines, and what would make code of its first line. */
const LEADING = /^(?:[ \t]*\n)*(?: {4,}|[ \t]*\t[ \t]*)?/;

/** @param room UTF-16 units of one message; 60 or more */
export function createSplitter(room: number): Splitter {
	const safe = createMarkdownSanitizer();
	const raw = createTextQueue();
	const rest = createTextQueue();
	let fresh: string[] = [];
	let start = NOTHING_OPEN;
	let ended = false;

	function absorb(): void {
		const text = fresh.join('');
		fresh = [];
		raw.push(text);
		rest.push(safe.push(text));
	}

	return {
		push(delta) {
			fresh.push(delta);
			if (fresh.length >= BATCH) absorb();
		},
		end() {
			absorb();
			rest.push(safe.end());
			ended = true;
		},
		text() {
			absorb();
			return raw.head(raw.length());
		},
		draft() {
			absorb();
			for (let size = room + BEYOND; ; size *= 2) {
				const text = rest.head(size);
				const whole = text.length === rest.length();
				const draft = arrange(text, start, room, whole && !ended);
				// A window that is mostly space may hold less than a message.
				if (whole || draft?.full) return draft;
			}
		},
		take(piece) {
			rest.drop(piece.text.length);
			start = piece.open;
		},
	};
}

type Survey = { best: Map<string, SplitPoint>; last?: SplitPoint; all?: SplitPoint };

const latest = ({ best }: Survey) => [...best.values()].sort((a, b) => b.at - a.at)[0];

/** @param growing more may follow directly, so that what is not whole at the end is not shown yet */
function arrange(text: string, start: Open, room: number, growing: boolean): DraftPiece | undefined {
	// Of a fence nothing but its end may be left: it is closed already where it was cut, and an empty one is none for Discord.
	const over = start.fence && endOf(start.fence, text);
	const prefix = over === undefined ? opening(start, room) : '';
	const lead = over ?? (start.fence ? 0 : (prefix === '' || start.table ? LEADING : /^\s*/).exec(text)![0].length);
	const visible = growing ? text.slice(0, settledEnd(text)) : text;
	const length = ({ end, open }: Pick<SplitPoint, 'end' | 'open'>) =>
		prefix.length + Math.max(0, end - lead) + closing(open, room).length;
	const make = ({ at, end, open }: Pick<SplitPoint, 'at' | 'end' | 'open'>): Piece => {
		const suffix = closing(open, room);
		return { prefix, text: text.slice(0, at), suffix, shown: prefix + text.slice(lead, end) + suffix, open };
	};

	// Most messages are full, or end in their second half, so only there is every word looked at.
	const half = survey(lead + room * WELL_FILLED);
	if (half.all) return whole(half.all);
	const good = filled(half, WELL_FILLED);
	return { piece: make(good ?? choose(survey())), full: true };

	/** The last place of every rank where the message can end, and the text's own end when all of it fits. */
	function survey(from?: number): Survey {
		const found: Survey = { best: new Map() };
		let overflows = false;
		for (const cut of cutsOf(visible, start, from)) {
			const fits = length(cut) <= room;
			if (cut.rank === 'all') {
				if (fits) found.all = cut;
			} else if (!fits) {
				overflows = true;
				if (prefix.length + visible.length - lead > room + LAST) break;
			} else if (!overflows) {
				if (cut.rank !== 'token' && cut.end > lead) found.best.set(cut.rank, cut);
				found.last = cut;
			}
		}
		return found;
	}

	function whole(cut: SplitPoint): DraftPiece | undefined {
		// An opened fence is shown with its first line.
		const end = growing && cut.open.fence?.bare ? latest(half) : cut;
		return end && end.end > lead ? { piece: make(end), full: false } : undefined;
	}

	function filled({ best }: Survey, share: number): SplitPoint | undefined {
		const ranked = RANKS.toReversed().flatMap((rank) => best.get(rank) ?? []);
		return ranked.find((cut) => length(cut) >= room * share);
	}

	function choose(found: Survey): Pick<SplitPoint, 'at' | 'end' | 'open'> {
		const last: Pick<SplitPoint, 'at' | 'end' | 'open' | 'word'> = found.last ?? { at: 0, end: 0, open: start };
		const good = filled(found, WELL_FILLED) ?? filled(found, FILLED);
		if (good) return good;
		if (last.word) return within(last);
		return latest(found) ?? (last.end > lead ? last : within(last));
	}

	/** As much of an unbroken word as fits, to the last whole grapheme. */
	function within({ at, end, open }: Pick<SplitPoint, 'at' | 'end' | 'open'>): Pick<SplitPoint, 'at' | 'end' | 'open'> {
		const most = lead + room - prefix.length - closing(open, room).length;
		if (at >= most) return { at, end, open };
		const from = Math.max(at, most - LAST);
		const cluster = new Intl.Segmenter().segment(text.slice(from, most + LAST)).containing(most - from);
		let place = from + (cluster?.index ?? 0);
		if (place <= at || place <= lead) place = isPair(text, most) ? most - 1 : most;
		return { at: place, end: place, open };
	}
}

/** How far a text goes that begins with a fence's end; undefined when it does not. */
function endOf(fence: Fence, text: string): number | undefined {
	const [, line] = /^\s*?([^\n]*\S[^\n]*)/.exec(text) ?? [];
	if (line === undefined || !closes(fence, line)) return undefined;
	const end = text.indexOf(line) + line.length;
	return end + /^\s*/.exec(text.slice(end))![0].length;
}

const isPair = (text: string, at: number) => /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(at - 1, at + 1));

/** Where marks begin at the end of a text that may still become something else: emphasis, a list, a rule, a fence, a table. */
function settledEnd(text: string): number {
	const from = Math.max(0, text.length - LAST);
	let last = text.slice(from);
	const line = last.lastIndexOf('\n') + 1;
	const words = last.slice(line);
	const marker = /^[-*+=#|:~`_ \t>]*$|^[ \t>]*\d{1,9}[.)]?$|^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(?:```|~~~)/;
	if ((line > 0 || from === 0) && marker.test(words)) last = last.slice(0, line);
	const end = from + last.trimEnd().length;
	return from + text.slice(from, end).replace(/[*_~\s]+$/, '').length;
}
