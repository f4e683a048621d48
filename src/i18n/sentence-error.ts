import type { Message } from './en.ts';
import { type Translate, translatorFor } from './translator.ts';

type Values = Parameters<Translate>[1];

/** Something that a person is to be told in their own language. The error's message is the same in English. */
export class SentenceError extends Error {
	readonly #sentence: Message;
	readonly #values: Values;

	constructor(sentence: Message, values?: Values, options?: ErrorOptions) {
		super(translatorFor('en')(sentence, values), options);
		this.#sentence = sentence;
		this.#values = values;
	}

	/** The sentence in somebody's language. */
	said(t: Translate): string {
		return t(this.#sentence, this.#values);
	}
}
