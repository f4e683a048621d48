import { type DraftPiece, type Piece, PieceLayout } from './piece-layout.ts';
import { MarkdownSanitizer } from './sanitize-markdown.ts';
import { NOTHING_OPEN } from './split-points.ts';

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

/** Length in UTF-16 units from which on a chunk is no longer appended to. */
const CHUNK = 4096;

/** A queue of text that arrives in small parts and leaves from its head. The whole is never copied. */
export class TextQueue {
	#chunks: string[] = [];
	#first = 0;
	/** The length of the part of the first chunk that is gone. */
	#offset = 0;
	#length = 0;

	/** In UTF-16 units. */
	get length(): number {
		return this.#length;
	}

	push(text: string): void {
		if (text === '') return;
		this.#length += text.length;
		const last = this.#chunks.length - 1;
		if (last >= this.#first && this.#chunks[last]!.length < CHUNK) this.#chunks[last] += text;
		else this.#chunks.push(text);
	}

	/** Returns the first `length` units, or all there are. */
	head(length: number): string {
		const chunks = this.#chunks;
		let text = (chunks[this.#first] ?? '').slice(this.#offset, this.#offset + length);
		for (let next = this.#first + 1; text.length < length && next < chunks.length; next++)
			text += chunks[next]!.slice(0, length - text.length);
		return text;
	}

	/** Removes this many units from the head. */
	drop(count: number): void {
		this.#length -= count;
		this.#offset += count;
		while (this.#first < this.#chunks.length && this.#offset >= this.#chunks[this.#first]!.length) {
			this.#offset -= this.#chunks[this.#first]!.length;
			this.#chunks[this.#first++] = '';
		}
		if (this.#first > 1024 || this.#first === this.#chunks.length) {
			this.#chunks = this.#chunks.slice(this.#first);
			this.#first = 0;
		}
	}
}
