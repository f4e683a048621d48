const OPENING = '<think>';
const CLOSING = '</think>';

/**
 * Leaves out what a model writes for itself before its answer: some services send it as text between `<think>` and `</think>`. Only the
 * beginning of an answer is looked at; later, the same words are part of it.
 */
export class ReasoningFilter {
	/** The beginning of the answer, until it is known; undefined from then on. */
	#pending: string | undefined = '';

	/** Returns the part of the text that belongs to the answer. */
	push(text: string): string {
		if (this.#pending === undefined) return text;
		this.#pending += text;
		const beginning = this.#pending.trimStart();
		if (OPENING.startsWith(beginning.slice(0, OPENING.length)) && beginning.length < OPENING.length) return '';
		if (!beginning.startsWith(OPENING)) return this.end();
		const end = beginning.indexOf(CLOSING);
		const answer = end === -1 ? '' : beginning.slice(end + CLOSING.length).trimStart();
		if (answer !== '') this.#pending = undefined;
		return answer;
	}

	/** Returns what was held back, when the answer ends before it is known. Reasoning without an end is left out. */
	end(): string {
		const pending = this.#pending ?? '';
		this.#pending = undefined;
		return pending.trimStart().startsWith(OPENING) ? '' : pending;
	}
}

/** Returns a complete answer without its reasoning. */
export function withoutReasoning(text: string): string {
	const filter = new ReasoningFilter();
	return filter.push(text) + filter.end();
}
