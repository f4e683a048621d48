import { NOTHING_OPEN } from './open-markup.ts';
import { type DraftPiece, type Piece, PieceLayout } from './piece-layout.ts';
import { MarkdownSanitizer } from './sanitize-markdown.ts';
import { TextQueue } from './text-queue.ts';

/** The number of deltas that are processed together. */
const BATCH = 1024;
/** UTF-16 units that are looked at beyond a message's room, so that a link at its end is seen whole. */
const LOOKAHEAD = 2048;

/** Sanitizes a Markdown text as it arrives, and splits it into messages, each of which is whole Markdown. */
export class TextSplitter {
	readonly #room: number;
	readonly #sanitizer = new MarkdownSanitizer();
	readonly #raw = new TextQueue();
	/** The sanitized text that no finished message holds. */
	readonly #rest = new TextQueue();
	#deltas: string[] = [];
	#start = NOTHING_OPEN;
	#ended = false;

	/** @param room UTF-16 units of one message; at least 60 */
	constructor(room: number) {
		this.#room = room;
	}

	/** Adds text. Costs no more than the length of the text, however much there is already. */
	push(delta: string): void {
		this.#deltas.push(delta);
		if (this.#deltas.length >= BATCH) this.#process();
	}

	/** Ends the text. */
	end(): void {
		this.#process();
		this.#rest.push(this.#sanitizer.end());
		this.#ended = true;
	}

	/** Returns all text that was added, as it was. */
	text(): string {
		this.#process();
		return this.#raw.head(this.#raw.length);
	}

	/** Returns the message that is being written; undefined while nothing of it is visible. */
	draft(): DraftPiece | undefined {
		this.#process();
		for (let size = this.#room + LOOKAHEAD; ; size *= 2) {
			const text = this.#rest.head(size);
			const isWhole = text.length === this.#rest.length;
			const draft = new PieceLayout(text, this.#start, this.#room, isWhole && !this.#ended).draft();
			// A window that is mostly space may hold less than a message.
			if (isWhole || draft?.full) return draft;
		}
	}

	/** Finishes the message with this piece. The text after it belongs to the next message. */
	take(piece: Piece): void {
		this.#rest.drop(piece.text.length);
		this.#start = piece.open;
	}

	#process(): void {
		const text = this.#deltas.join('');
		this.#deltas = [];
		this.#raw.push(text);
		this.#rest.push(this.#sanitizer.push(text));
	}
}
