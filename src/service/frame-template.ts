/** In JSON, these characters can only be a key and the beginning of its text. */
const KEY = /("content": ?")/;
/** What begins an escape in JSON, or is not allowed in its texts. */
const NOT_PLAIN = /[\\\x00-\x1f]/;

/**
 * Most frames of a streamed answer differ from the one before only in their text. Such a frame is read by comparison, which takes much
 * less time and memory than parsing it.
 */
export class FrameTemplate {
	/** The last parsed frame, up to its text and from the quote after it to its blank line. */
	#parts: { before: string; after: string } | undefined;

	/**
	 * Returns the text of the frame that begins at a position, and where the frame ends; undefined when it has to be parsed, because it
	 * is not like the last parsed one but for its text, or not complete.
	 */
	read(stream: string, from: number): { text: string; end: number } | undefined {
		if (!this.#parts) return undefined;
		const { before, after } = this.#parts;
		const start = from + before.length;
		// Much faster than `startsWith`.
		if (stream.slice(from, start) !== before) return undefined;
		const quote = stream.indexOf('"', start);
		const end = quote + after.length;
		if (quote === -1 || stream.slice(quote, end) !== after) return undefined;
		const text = stream.slice(start, quote);
		return NOT_PLAIN.test(text) ? undefined : { text, end };
	}

	/**
	 * @param frame with its blank line
	 * @param text what parsing the frame gave
	 */
	learn(frame: string, text: string): void {
		const [before = '', key = '', rest, ...others] = frame.split(KEY);
		// With no text, with a second such key, or with escapes, it is not known which characters are the text.
		const isKnown = text !== '' && others.length === 0 && rest?.startsWith(`${text}"`) === true;
		this.#parts = isKnown ? { before: before + key, after: rest.slice(text.length) } : undefined;
	}
}
