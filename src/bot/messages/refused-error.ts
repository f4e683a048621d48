import { SentenceError } from '../../i18n/sentence-error.ts';

/**
 * A platform does not let us do something, and a person can do something about it: a permission that is missing, a locked thread.
 * Thrown by platforms, with what they answered as its cause; the sentence names what is missing and what to do. Trying the same
 * again does not help.
 */
export class PlatformRefusedError extends SentenceError {
	override name = 'Refused';
}
