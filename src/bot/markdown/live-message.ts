import type { Button } from '../../domain/channel.ts';
import type { DraftPiece, Piece } from './piece-layout.ts';

/** Additions to a complete text: one line of Markdown under it, and buttons under its last message. */
export type Closing = { note?: string; buttons?: readonly Button[] };

/** The content of one message of a live text. */
export type LiveMessage = {
	text: string;
	buttons: readonly Button[];
	/** Its part of the text. Absent when it holds the note alone. */
	piece?: Piece;
	/** It is not edited again. */
	finished: boolean;
	/** It holds the closing note. */
	noted?: boolean;
	/** As it was posted: `Reply.growing`. */
	growing?: string;
};

/**
 * Returns the content of a message whose text is still arriving, or has arrived.
 *
 * @param buttons shown while it grows
 * @param closing undefined while more text may arrive
 * @param room UTF-16 units of one message
 */
export function messageOf(
	{ piece, full }: DraftPiece,
	buttons: readonly Button[],
	closing: Closing | undefined,
	room: number,
): LiveMessage {
	const message = { text: piece.shown, buttons: [], piece, finished: true };
	if (full) return message;
	if (!closing) return { ...message, buttons, finished: false };
	const { note, buttons: last = [] } = closing;
	const text = note ? `${piece.shown}\n\n${note}` : piece.shown;
	return text.length <= room ? { ...message, text, buttons: last, noted: true } : message;
}

/** Returns a message of the closing note alone. */
export const noteMessage = (note: string, { buttons = [] }: Closing, room: number): LiveMessage => ({
	text: note.slice(0, room),
	buttons,
	finished: true,
	noted: true,
});

/** Tells whether an edit would change nothing. A platform must be told that a text is complete, even if the text stays the same. */
export const isSame = (shown: LiveMessage, next: LiveMessage): boolean =>
	shown.text === next.text &&
	JSON.stringify(shown.buttons) === JSON.stringify(next.buttons) &&
	!(next.finished && shown.growing !== undefined);

/**
 * Returns the part of a message to which text is only appended: the message without its repair marks. Returns undefined once text had to
 * be taken back, because marks turned out to be others than they seemed.
 *
 * @param before the part that was posted
 */
export function growingPart({ piece }: LiveMessage, before: string | undefined): string | undefined {
	if (!piece || before === undefined) return before;
	const { shown, suffix } = piece;
	const now = shown.slice(0, shown.length - suffix.length);
	if (now.startsWith(before)) return now;
	return before.startsWith(now) ? before : undefined;
}
