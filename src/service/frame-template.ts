/** In JSON, these characters can only be a key and the beginning of its text. */
const KEY = /("content": ?")/;
/** What ends a text in JSON, begins an escape, or is not allowed in it. */
const NOT_PLAIN = /["\\\p{Cc}]/u;

/**
 * Most frames of a streamed answer differ from the one before only in their text. Such a frame is read by comparison, which takes much
 * less time and memory than parsing it.
 */
export class FrameTemplate {
	/** The last parsed frame, up to its text and after its text. */
	#parts: { before: string; after: string } | undefined;

	/** Returns the text of a frame that is like the last parsed one but for its text; undefined when it has to be parsed. */
	textOf(data: string): string | undefined {
		if (!this.#parts) return undefined;
		const { before, after } = this.#parts;
		const end = data.length - after.length;
		// Much faster than `startsWith` and `endsWith`.
		if (end < before.length || data.slice(0, before.length) !== before || data.slice(end) !== after) return undefined;
		const text = data.slice(before.length, end);
		return NOT_PLAIN.test(text) ? undefined : text;
	}

	/** @param text what parsing the frame gave */
	learn(data: string, text: string): void {
		const [before = '', key = '', rest, ...others] = data.split(KEY);
		// With a second such key, or escapes, it is not known which characters are the text.
		const isKnown = others.length === 0 && rest?.startsWith(`${text}"`) === true;
		this.#parts = isKnown ? { before: before + key, after: rest.slice(text.length) } : undefined;
	}
}
