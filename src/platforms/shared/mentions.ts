/** Stands in for each mention of the bot. It is no character that people can send. */
export const OWN_MENTION = '\u0000';

/** A mention in marks of its own, such as bold ones. */
const AROUND = new RegExp(`([*_~|\`]{1,3})${OWN_MENTION}\\1`, 'g');

/**
 * Removes the mentions of the bot from a text, in which `OWN_MENTION` stands for each: “@Easel, hello” and “hello, @Easel?” become “hello”
 * and “hello?”.
 */
export function withoutOwnMentions(text: string): string {
	if (!text.includes(OWN_MENTION)) return text;
	const parts = text.replaceAll(AROUND, OWN_MENTION).split(OWN_MENTION);
	return parts.reduce((before, after) => {
		const left = before.trimEnd();
		const right = after.trimStart();
		if (left === '') return right.replace(/^(?:[,;!，：；！、]|:(?!\w+:)|[-–—](?=\s))\s*/, '');
		const goesOn = right === '' || /^[?!.…,;:。？！，、；：]/.test(right);
		return goesOn ? left.replace(/[,、]$/, '') + right : `${left}${joint(before, after)}${right}`;
	});
}

/** The white space around a mention, of which a line break stays one. */
const joint = (before: string, after: string) =>
	before.slice(before.trimEnd().length).includes('\n') || after.slice(0, -after.trimStart().length).includes('\n')
		? '\n'
		: ' ';
