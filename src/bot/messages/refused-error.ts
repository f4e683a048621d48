import type { ChannelLimits } from '../../domain/channel.ts';
import type { MessageId } from '../../i18n/catalogues.ts';
import { SentenceError } from '../../i18n/sentence-error.ts';
import type { Values } from '../../i18n/translator.ts';

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
	readonly limits: Pick<ChannelLimits, 'pictureBytes' | 'messageBytes'> | undefined;

	constructor(
		sentence: MessageId,
		values: Values,
		{ limits, ...options }: ErrorOptions & { limits?: UploadTooLargeError['limits'] },
	) {
		super(sentence, values, options);
		this.limits = limits;
	}
}
