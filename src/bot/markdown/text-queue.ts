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
