/** A mention by id. Streams cannot contain it, because only an update replaces it by a name. */
const MENTION = /<[@#!]/;

export const hasMention = (text: string): boolean => MENTION.test(text);

/**
 * Returns whether Slack's text of a message says what was written. Slack returns Markdown in its own markup, so that only letters and
 * digits are compared.
 *
 * @param shown undefined when Slack does not return it, which counts as the same
 */
export const isSameText = (shown: string | undefined, written: string): boolean =>
	shown === undefined || lettersOf(shown) === lettersOf(written);

const lettersOf = (text: string) =>
	text
		.replace(/&(amp|lt|gt);/g, '')
		.replace(/<[^<>|\n]*\|([^<>\n]*)>/g, '$1')
		.replace(/[^\p{L}\p{N}]+/gu, '');
