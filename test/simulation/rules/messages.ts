import { catalogues, type MessageId } from '../../../src/i18n/catalogues.ts';

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
);
export const STAYS_COUNTED = patternOf(/stays counted/, 'errors.cost.unknown', 'delivery.failed');
export const KEPT = patternOf(/Use \/usage/, 'delivery.kept');
export const PARTLY_SAVED = patternOf(/could be saved/, 'errors.stoppedPartly');
export const INTERNAL_ERROR = patternOf(/Something went wrong in Easel/, 'errors.internal');

/**
 * The texts that a message with pictures may have. It says that the call stays counted when the picture could neither be kept
 * nor its job be closed, because then nothing records that it was delivered.
 */
export const PICTURE_CAPTION = patternOf(
	/AI-generated|could not be posted|stays counted/,
	'results.alt',
	'delivery.kept',
	'delivery.failed',
);

/** Returns the pattern, after checking that it still matches these messages: a rule that recognizes nothing detects nothing. */
function patternOf(pattern: RegExp, ...ids: MessageId[]): RegExp {
	for (const id of ids)
		if (!pattern.test(catalogues.en[id])) throw new Error(`The message ${id} does not match ${pattern} any more.`);
	return pattern;
}
