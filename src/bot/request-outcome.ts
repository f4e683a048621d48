import type { CallOutcome } from '../domain/receipt.ts';
import type { AnswerState } from './chat/transcript.ts';

/**
 * How a request ended, as the metrics count it:
 *
 * - `answered`: with a reply that costs nothing
 * - `refused`: with a sentence about why nothing comes of it
 * - `duplicate`: it was delivered before
 * - `unasked`: a message in a thread that does not ask the bot
 * - `unanswered`: not even the sentence about its error could be posted
 * - a call's outcome, or the state of a chat answer
 */
export type RequestOutcome =
	| 'answered'
	| 'refused'
	| 'duplicate'
	| 'unasked'
	| 'unanswered'
	| CallOutcome
	| AnswerState;
