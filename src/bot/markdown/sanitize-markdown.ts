import { isSpoofedLink } from './link-spoofing.ts';

/**
 * Makes a model's Markdown harmless on every platform, while it comes. Mentions and entities (`@everyone`, `<@1>`, `<!here>`)
 * are broken by an invisible character, a link whose text names another address shows both, and code stays as it is where no
 * platform can take it for anything else. What is let out never depends on how the text was cut into deltas.
 */
export type MarkdownSanitizer = {
	/** More of the text; what can be let out of it. An open link, code span or mention is held back until it is decided. */
	push(delta: string): string;
	/** The rest, once all has come. */
	end(): string;
};

/** A zero-width space: what discord.js put after an @ for as long as it cleaned mentions. */
const BREAK = '\u200b';
/** Longest link, and longest address with a bar, that is waited for, in UTF-16 units. */
const LONGEST_LINK = 1000;
/** Longest code span that is known as one. */
const LONGEST_CODE = 300;
/** How much of what was let out is remembered. */
const CONTEXT = 256;

const NAMES = ['everyone', 'here', 'channel'];
const SPECIAL = /[@<`[\]\\~]/g;
/** The text in a link's brackets: code spans, escapes and one level of brackets may be in it. */
const LABEL = /^\[(?:[^[\]`\\\n]|\\[^\n]|`[^`\n]+`|\[[^[\]`\n]*\])*\]/;
const TARGET = /^\(\s*(<(?![@#!])[^<>\n]*>|(?:[^\s()<>]|\([^\s()<>]*\))*)(?:\s+(?:"[^"\n]*"|'[^'\n]*'))?\s*\)/;
const SIMPLE_FENCE = /^```[\w+#.-]*[ \t]*\r?$/;
const FENCE_END = /^```[ \t]*\r?$/;
// Platforms drop such characters, and what stood around them would meet.
const CONTROLS = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g;

type Step = { used: number; put: string };

/** A whole text. */
export function sanitizeMarkdown(text: string): string {
	const whole = createMarkdownSanitizer();
	return whole.push(text) + whole.end();
}

/** @param trusting whether code may be left as it is */
export function createMarkdownSanitizer(trusting = true): MarkdownSanitizer {
	let half = '';
	let held = '';
	let before = '\n';
	let fenced = false;
	/** Nothing is in the fence yet. An empty one is none for Discord, which looks for its end further on. */
	let hollow = true;
	/**
	 * Every backtick so far is one of a pair on its line, or of a plain fence. Once this does not hold, platforms differ in what
	 * is code, and nothing counts as code any more: an address in code that is broken without need is better than one that rings.
	 */
	let sure = trusting;

	function run(text: string, final: boolean): string {
		let out = '';
		let at = 0;
		while (at < text.length) {
			const step = fenced ? inFence(text, at, final) : undefined;
			if (step) {
				out += step.put;
				at += step.used;
				if (step.used > 0 || !fenced) continue;
				break;
			}
			SPECIAL.lastIndex = at;
			const next = SPECIAL.exec(text)?.index ?? text.length;
			out += text.slice(at, next);
			at = next;
			if (at === text.length) break;
			const decided = decide(text, at, final);
			if (!decided) break;
			out += decided.put;
			at += decided.used;
		}
		before = (before + text.slice(Math.max(0, at - CONTEXT), at)).slice(-CONTEXT);
		held = text.slice(at);
		return out;
	}

	/** What stands before a place, back to the line's start at most as far as is remembered. */
	function lineBefore(text: string, at: number): string {
		const context = (at < CONTEXT ? before : '') + text.slice(Math.max(0, at - CONTEXT), at);
		return context.slice(context.lastIndexOf('\n') + 1);
	}

	/** Undefined: not to be decided before more has come. */
	function decide(text: string, at: number, final: boolean): Step | undefined {
		switch (text[at]) {
			case '@':
				return mention(text, at, final);
			case '<':
				return entity(text, at, final);
			case '[':
				return link(text, at, final);
			case ']':
				return afterLabel(text, at, final);
			case '\\':
				return escaped(text, at, final);
			case '~':
				return tildes(text, at, final);
			default:
				return backticks(text, at, final);
		}
	}

	function backticks(text: string, at: number, final: boolean): Step | undefined {
		const length = runLength(text, at);
		const plain = { used: length, put: text.slice(at, at + length) };
		if (!sure) return plain;
		const newline = text.indexOf('\n', at + length);
		const end = Math.min(newline < 0 ? text.length : newline, at + LONGEST_CODE);
		const complete = final || newline >= 0 || text.length - at > LONGEST_CODE;
		if (!complete && at + length === text.length) return undefined;

		const word = /\S*$/.exec(lineBefore(text, at))?.[0] ?? '';
		if (length >= 3) {
			if (!complete) return undefined;
			fenced = newline >= 0 && lineBefore(text, at) === '' && SIMPLE_FENCE.test(text.slice(at, end));
			sure = fenced;
			hollow = true;
			return fenced ? { used: newline + 1 - at, put: text.slice(at, newline + 1) } : plain;
		}
		const close = text.indexOf('`', at + length);
		// Some platforms take a backtick for part of the address before it.
		const suspect = word.includes('://') || word.length >= CONTEXT - 1;
		if (!suspect && close >= 0 && close < end) {
			const closing = runLength(text, close);
			if (!complete && close + closing === text.length) return undefined;
			if (closing === length) {
				const code = text.slice(at + length, close);
				const ticks = plain.put;
				// A bar may end a table's cell, brackets may be a link for some: code for one platform, not for the other.
				const safe = /\||\]\(/.test(code) ? untrusted(code) : code;
				return { used: close + closing - at, put: ticks + safe + ticks };
			}
		} else if (!suspect && !complete) return undefined;
		sure = false;
		return plain;
	}

	function inFence(text: string, at: number, final: boolean): Step {
		const mark = text.indexOf('```', at);
		hollow &&= /^[\s`]*$/.test(text.slice(at, mark < 0 ? text.length : mark));
		if (mark < 0) {
			const kept = final ? 0 : (/`{1,2}$/.exec(text.slice(at))?.[0].length ?? 0);
			return { used: text.length - kept - at, put: text.slice(at, text.length - kept) };
		}
		const newline = text.indexOf('\n', mark);
		const line = text.slice(mark, newline < 0 ? text.length : newline);
		const ends = lineBefore(text, mark) === '' && FENCE_END.test(line);
		if (ends && newline < 0 && !final) return { used: mark - at, put: text.slice(at, mark) };
		fenced = false;
		sure = ends && !hollow;
		const end = ends ? mark + line.length : mark;
		return { used: end - at, put: text.slice(at, end) };
	}

	/** Other fences than the plain one are not code everywhere. */
	function tildes(text: string, at: number, final: boolean): Step | undefined {
		if (!final && /^~{1,2}$/.test(text.slice(at, at + 3))) return undefined;
		if (text.startsWith('~~~', at)) sure = false;
		return { used: 1, put: '~' };
	}

	function escaped(text: string, at: number, final: boolean): Step | undefined {
		const next = text[at + 1];
		if (next === undefined && !final) return undefined;
		if (next === '`') sure = false;
		return next === '\\' || next === '`' ? { used: 2, put: `\\${next}` } : { used: 1, put: '\\' };
	}

	/** A bracket that no link was found to begin at: its end must not make one, nor name an address for others. */
	function afterLabel(text: string, at: number, final: boolean): Step | undefined {
		const next = text[at + 1];
		if (next === undefined && !final) return undefined;
		const defines = next === ':' && /^[ \t>]*\[/.test(lineBefore(text, at));
		return { used: 1, put: next === '(' || defines ? `]${BREAK}` : ']' };
	}

	return {
		push(delta) {
			const text = half + delta;
			half = /[\ud800-\udbff]$/.exec(text)?.[0] ?? '';
			const whole = half ? text.slice(0, -1) : text;
			return run(held + clean(whole), false);
		},
		end() {
			const last = run(held + clean(half), true);
			half = '';
			return last;
		},
	};
}

const clean = (text: string) => text.toWellFormed().replace(CONTROLS, '');

function untrusted(text: string): string {
	const whole = createMarkdownSanitizer(false);
	return whole.push(text) + whole.end();
}

function runLength(text: string, at: number): number {
	let end = at + 1;
	while (text[end] === '`') end++;
	return end - at;
}

function mention(text: string, at: number, final: boolean): Step | undefined {
	const word = text.slice(at + 1, at + 9).toLowerCase();
	const undecided = !final && at + 1 + word.length === text.length;
	if (undecided && NAMES.some((name) => name !== word && name.startsWith(word))) return undefined;
	return { used: 1, put: NAMES.some((name) => word.startsWith(name)) ? `@${BREAK}` : '@' };
}

/** `<@1>`, `<#1>`, `<!here>` and `<https://evil|bank>`, which Slack shows as a link. https://docs.slack.dev/messaging/formatting-message-text */
function entity(text: string, at: number, final: boolean): Step | undefined {
	const start = text.slice(at, at + LONGEST_LINK);
	const open = !final && start.length < LONGEST_LINK && /^<(?:[a-z][\w+.-]*(?::[^\s<>|]*)?)?$/i.test(start);
	if (open) return undefined;
	const endless = start.length === LONGEST_LINK && /^<[a-z][^\s<>|]*$/i.test(start);
	const breaks = endless || /^<(?:[@#!]|[a-z][\w+.-]*:[^\s<>|]*\|)/i.test(start);
	return { used: 1, put: breaks ? `<${BREAK}` : '<' };
}

function link(text: string, at: number, final: boolean): Step | undefined {
	const newline = text.indexOf('\n', at);
	const end = Math.min(newline < 0 ? text.length : newline, at + LONGEST_LINK);
	const complete = final || newline >= 0 || text.length - at >= LONGEST_LINK;
	const region = text.slice(at, end);
	const label = LABEL.exec(region)?.[0];
	if (label === undefined || label.length === region.length) return complete ? { used: 1, put: '[' } : undefined;
	if (region[label.length] !== '(') return { used: 1, put: '[' };
	const target = TARGET.exec(region.slice(label.length));
	if (!target) return complete ? { used: 1, put: '[' } : undefined;

	const words = untrusted(label.slice(1, -1));
	const address = target[1]!.replace(/@(?=everyone|here|channel)/gi, '%40');
	const put = isSpoofedLink(words, address) ? `${words} (${address})` : `[${words}](${address})`;
	return { used: label.length + target[0].length, put };
}
