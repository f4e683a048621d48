import { isSpoofedLink } from './link-spoofing.ts';
import { BREAK, type Step } from './sanitize-step.ts';

/** The longest link, and the longest address before a bar, in UTF-16 units. */
const MAX_LINK = 1000;

const NAMES = ['everyone', 'here', 'channel'];
/** The text in a link's brackets. It may contain code spans, escapes and one level of brackets. */
const LABEL = /^\[(?:[^[\]`\\\n]|\\(?:\\(?!`)|[^\\\n])|`[^`\n]+`|\[[^[\]`\n]*\])*\]/;
/** Bounded: at most 1,000 characters, a link's. */
const TARGET = /^\(\s*(<(?![@#!])[^<>\n]*>|(?:[^\s()<>]|\([^\s()<>]*\))*)(?:\s+(?:"[^"\n]*"|'[^'\n]*'))?\s*\)/;

/** Breaks `@everyone` and its like. Returns undefined when more text is needed to decide. */
export function sanitizeMention(text: string, at: number, final: boolean): Step | undefined {
	const word = text.slice(at + 1, at + 9).toLowerCase();
	const isOpen = !final && at + 1 + word.length === text.length;
	if (isOpen && NAMES.some((name) => name !== word && name.startsWith(word))) return undefined;
	return { consumed: 1, output: NAMES.some((name) => word.startsWith(name)) ? `@${BREAK}` : '@' };
}

/**
 * Breaks `<@1>`, `<#1>`, `<!here>` and `<https://evil|bank>`, which Slack shows as a link. Returns undefined when more text is needed to
 * decide. https://docs.slack.dev/messaging/formatting-message-text
 */
export function sanitizeEntity(text: string, at: number, final: boolean): Step | undefined {
	const start = text.slice(at, at + MAX_LINK);
	const isOpen = !final && start.length < MAX_LINK && /^<(?:[a-z][\w+.-]*(?::[^\s<>|]*)?)?$/i.test(start);
	if (isOpen) return undefined;
	const isTooLong = start.length === MAX_LINK && /^<[a-z][^\s<>|]*$/i.test(start);
	const breaks = isTooLong || /^<(?:[@#!]|[a-z][\w+.-]*:[^\s<>|]*\|)/i.test(start);
	return { consumed: 1, output: breaks ? `<${BREAK}` : '<' };
}

/**
 * Shows the address of a link whose text names another one. Returns undefined when more text is needed to decide.
 *
 * @param sanitize sanitizes the text of the link
 */
export function sanitizeLink(
	text: string,
	at: number,
	final: boolean,
	sanitize: (text: string) => string,
): Step | undefined {
	const newline = text.indexOf('\n', at);
	const end = Math.min(newline < 0 ? text.length : newline, at + MAX_LINK);
	const isComplete = final || newline >= 0 || text.length - at >= MAX_LINK;
	const region = text.slice(at, end);
	const label = LABEL.exec(region)?.[0];
	if (label === undefined || label.length === region.length)
		return isComplete ? { consumed: 1, output: '[' } : undefined;
	if (region[label.length] !== '(') return { consumed: 1, output: '[' };
	const target = TARGET.exec(region.slice(label.length));
	if (!target) return isComplete ? { consumed: 1, output: '[' } : undefined;

	const words = sanitize(label.slice(1, -1));
	const address = target[1]!.replace(/@(?=everyone|here|channel)/gi, '%40').replaceAll('`', '%60');
	const output = isSpoofedLink(words, address) ? `${words} (${address})` : `[${words}](${address})`;
	return { consumed: label.length + target[0].length, output };
}

/**
 * Breaks a closing bracket that ends no link: it must not become one, nor define one. Returns undefined when more text is needed to decide.
 *
 * @param lineBefore returns the start of the line that a position is on
 */
export function sanitizeClosingBracket(
	text: string,
	at: number,
	final: boolean,
	lineBefore: (at: number) => string,
): Step | undefined {
	const next = text[at + 1];
	if (next === undefined && !final) return undefined;
	const defines = next === ':' && /^[ \t>]*\[/.test(lineBefore(at));
	return { consumed: 1, output: next === '(' || defines ? `]${BREAK}` : ']' };
}
