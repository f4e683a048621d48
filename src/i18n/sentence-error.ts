import { type MessageId, type Translate, translatorFor, type Values } from './translator.ts';

/**
 * Why nothing comes of a request, in a sentence that people read in their own language: returned where a refusal is a result, thrown where
 * it is not. Its `message` is the same in English.
 */
export class SentenceError extends Error {
	readonly id: MessageId;
	readonly values: Values | undefined;
	/** Further sentences, without values. */
	#more: readonly MessageId[] = [];

	constructor(id: MessageId, values?: Values, options?: ErrorOptions) {
		super(translatorFor('en')(id, values), options);
		this.id = id;
		this.values = values;
	}

	/** Returns the message with another sentence after it. */
	and(id: MessageId): SentenceError {
		const both = new SentenceError(this.id, this.values, { cause: this.cause });
		both.#more = [...this.#more, id];
		both.message = both.messageIn(translatorFor('en'));
		return both;
	}

	/** Returns the message in the language of `t`. */
	messageIn(t: Translate): string {
		return [t(this.id, this.values), ...this.#more.map((id) => t(id))].join(' ');
	}
}

/**
 * Thrown when a platform refuses a request for a reason that a person can remove, such as a missing permission or a locked thread.
 * The sentence names the reason and what to do; the cause is the platform's response. The same request does not succeed later.
 */
export class PlatformRefusedError extends SentenceError {
	override name = 'PlatformRefusedError';
}

/** Thrown when a message is larger than its channel accepts. It may be sent with smaller pictures. */
export class UploadTooLargeError extends PlatformRefusedError {
	override name = 'UploadTooLargeError';
	/** The limit of the channel, where it is known. */
	readonly limits: { pictureBytes: number; messageBytes?: number } | undefined;

	constructor(
		sentence: MessageId,
		values: Values,
		{ limits, ...options }: ErrorOptions & { limits?: UploadTooLargeError['limits'] },
	) {
		super(sentence, values, options);
		this.limits = limits;
	}
}
