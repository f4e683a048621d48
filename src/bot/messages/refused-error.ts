import { SentenceError } from '../../i18n/sentence-error.ts';

/**
 * Thrown when a platform refuses a request for a reason that a person can remove, such as a missing permission or a locked thread.
 * The sentence names the reason and what to do; the cause is the platform's response. The same request does not succeed later.
 */
export class PlatformRefusedError extends SentenceError {
	override name = 'PlatformRefusedError';
}
