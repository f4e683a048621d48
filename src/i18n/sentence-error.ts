import type { MessageId } from './catalogues.ts';
import { type Translate, translatorFor, type Values } from './translator.ts';

/** An error that people read in their own language. Its `message` is the same in English. */
export class SentenceError extends Error {
	readonly id: MessageId;
	readonly #values: Values | undefined;

	constructor(id: MessageId, values?: Values, options?: ErrorOptions) {
		super(translatorFor('en')(id, values), options);
		this.id = id;
		this.#values = values;
	}

	/** Returns the message in the language of `t`. */
	messageIn(t: Translate): string {
		return t(this.id, this.#values);
	}
}
