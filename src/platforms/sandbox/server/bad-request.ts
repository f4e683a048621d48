import { type Translate, translatorFor, type Values } from '../../../i18n/translator.ts';

/**
 * Thrown for a request that cannot be carried out. Its sentence is a message when people can cause the error at the page, and
 * plain English when only a program can.
 */
export class BadRequest extends Error {
	override name = 'BadRequest';
	/** The HTTP status of the response. */
	readonly status: 400 | 403 | 404 | 409 | 413 | 415 | 503;
	readonly #idOrText: string;
	readonly #values: Values | undefined;

	constructor(status: BadRequest['status'], idOrText: string, values?: Values) {
		super(translatorFor('en').declared(idOrText, values));
		this.status = status;
		this.#idOrText = idOrText;
		this.#values = values;
	}

	/** Returns the sentence that the page shows. */
	messageIn(t: Translate): string {
		return t.declared(this.#idOrText, this.#values);
	}
}
