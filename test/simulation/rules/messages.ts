import { catalogueOf, type MessageId } from '../../../src/i18n/translator.ts';

/** Messages by which the rules recognize what people were told. */
export const NOTHING_COUNTED = patternOf(
	/Nothing was counted|No call was made/,
	'errors.cost.none',
	'errors.restarting',
	'errors.store',
	'policy.words',
);
export const COUNTED = patternOf(
	/stays counted|call was counted/,
	'errors.cost.counted',
	'errors.cost.unknown',
	'delivery.failed',
	'review.rejected',
	'review.rejectedWhy',
	'review.undecided',
);
export const KEPT = patternOf(/Use \/usage/, 'delivery.kept');
export const STOPPED = patternOf(/Easel was stopped/, 'errors.stopped');
export const PARTLY_SAVED = patternOf(/could be saved/, 'errors.stoppedPartly');
export const INTERNAL_ERROR = patternOf(/Something went wrong in Easel/, 'errors.internal');

/** The texts that a message with pictures may have. */
export const PICTURE_CAPTION = patternOf(/AI-generated|could not be posted/, 'results.alt', 'delivery.kept');

/** Returns the pattern, after checking that it still matches these messages: a rule that recognizes nothing detects nothing. */
function patternOf(pattern: RegExp, ...ids: MessageId[]): RegExp {
	for (const id of ids)
		if (!pattern.test(catalogueOf('en')[id])) throw new Error(`The message ${id} does not match ${pattern} any more.`);
	return pattern;
}
