import type { Message } from '../i18n/en.ts';
import { type Translate, translatorFor } from '../i18n/translator.ts';

/**
 * A platform does not let us do something, and a person can do something about it: a permission that is missing, a locked thread.
 * Thrown by platforms; the sentence names what is missing and what to do. Trying the same again does not help.
 */
export class Refused extends Error {
	override name = 'Refused';
	readonly #sentence: Message;
	readonly #values: Readonly<Record<string, string | number>> | undefined;

	/** @param sentence in English, as `src/i18n/en.ts` has it */
	constructor(
		sentence: Message,
		values?: Readonly<Record<string, string | number>>,
		options?: { /** What the platform answered. */ cause?: unknown },
	) {
		super(translatorFor('en')(sentence, values), options);
		this.#sentence = sentence;
		this.#values = values;
	}

	/** The sentence in somebody's language. */
	said(t: Translate): string {
		return t(this.#sentence, this.#values);
	}
}
