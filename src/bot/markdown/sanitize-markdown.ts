/** The characters that need a decision. */
const SPECIAL = /[@<`[\]\\~]/g;

/** Platforms drop these characters, which would join the text around them. */
const CONTROLS = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g;

/** A zero-width space. It breaks mentions and links without being seen; discord.js used it for the same purpose. */
const BREAK = '\u200b';

/** UTF-16 units before the current position that are remembered. */
const CONTEXT = 256;

/** The longest code span that is recognized, in UTF-16 units. */
const MAX_CODE = 300;

const FENCE_START = /^```[\w+#.-]*[ \t]*\r?$/;
const FENCE_END = /^```[ \t]*\r?$/;

/**
 * Makes a model's Markdown harmless on every platform, as it arrives. Mentions and entities (`@everyone`, `<@1>`, `<!here>`) are broken
 * by an invisible character, a link whose text names another address shows both, and code is left unchanged where no platform can take
 * it for anything else. The output does not depend on how the text was cut into deltas.
 */
export class MarkdownSanitizer {
	/** The first half of a surrogate pair whose second half has not arrived. */
	#halfPair = '';
	/** The text that is not decided yet. */
	#held = '';
	/** The end of the text that is decided. */
	#before = '\n';
	#inFence = false;
	/** Discord does not take an empty fence for one, and looks for its end further on. */
	#isFenceEmpty = true;
	/**
	 * So far every backtick is one of a pair on its line, or of a plain fence. After that, platforms differ in what they take for code,
	 * so nothing counts as code any more: it is better to break an address in code without need than to let a mention ping.
	 */
	#isCodeReliable: boolean;

	/** @param isCodeReliable false when nothing is to count as code */
	constructor(isCodeReliable = true) {
		this.#isCodeReliable = isCodeReliable;
	}

	/** Returns the text that can be put out by now. An open link, code span or mention is held back until it is decided. */
	push(delta: string): string {
		const text = this.#halfPair + delta;
		this.#halfPair = /[\ud800-\udbff]$/.exec(text)?.[0] ?? '';
		const whole = this.#halfPair ? text.slice(0, -1) : text;
		return this.#run(this.#held + cleaned(whole), false);
	}

	/** Returns the rest. Call it once all text has arrived. */
	end(): string {
		const rest = this.#run(this.#held + cleaned(this.#halfPair), true);
		this.#halfPair = '';
		return rest;
	}

	#run(text: string, final: boolean): string {
		let output = '';
		let at = 0;
		while (at < text.length) {
			if (!this.#inFence) {
				SPECIAL.lastIndex = at;
				const next = SPECIAL.exec(text)?.index ?? text.length;
				output += text.slice(at, next);
				at = next;
				if (at === text.length) break;
			}
			const step = this.#inFence ? this.#fence(text, at, final) : this.#decide(text, at, final);
			if (!step) break;
			output += step.output;
			at += step.consumed;
		}
		this.#before = (this.#before + text.slice(Math.max(0, at - CONTEXT), at)).slice(-CONTEXT);
		this.#held = text.slice(at);
		return output;
	}

	/** Returns undefined when more text is needed to decide. */
	#decide(text: string, at: number, final: boolean): Step | undefined {
		switch (text[at]) {
			case '@':
				return sanitizeMention(text, at, final);
			case '<':
				return sanitizeEntity(text, at, final);
			case '[':
				return sanitizeLink(text, at, final);
			case ']':
				return this.#closingBracket(text, at, final);
			case '\\':
				return this.#backslash(text, at, final);
			case '~':
				return this.#tildes(text, at, final);
			default:
				return this.#backticks(text, at, final);
		}
	}

	/** Returns the start of the line that a position is on, as far back as `CONTEXT` reaches. */
	#lineBefore(text: string, at: number): string {
		const context = (at < CONTEXT ? this.#before : '') + text.slice(Math.max(0, at - CONTEXT), at);
		return context.slice(context.lastIndexOf('\n') + 1);
	}

	#backticks(text: string, at: number, final: boolean): Step | undefined {
		const length = runLength(text, at);
		const plain = plainStep(text, at, at + length);
		if (!this.#isCodeReliable) return plain;
		const newline = text.indexOf('\n', at + length);
		const isComplete = final || newline >= 0 || text.length - at > MAX_CODE;
		if (!isComplete && (length >= 3 || at + length === text.length)) return undefined;
		const end = Math.min(newline < 0 ? text.length : newline, at + MAX_CODE);
		if (length >= 3) {
			this.#inFence = newline >= 0 && this.#lineBefore(text, at) === '' && FENCE_START.test(text.slice(at, end));
			this.#isCodeReliable = this.#inFence;
			this.#isFenceEmpty = true;
			return this.#inFence ? plainStep(text, at, newline + 1) : plain;
		}
		const span = this.#followsAddress(text, at) ? 'none' : codeSpan(text, at, length, end, isComplete);
		if (span !== 'none') return span;
		this.#isCodeReliable = false;
		return plain;
	}

	/** Consumes the content of a fence, and its end. Returns undefined when more text is needed. */
	#fence(text: string, at: number, final: boolean): Step | undefined {
		const mark = text.indexOf('```', at);
		this.#isFenceEmpty &&= /^[\s`]*$/.test(text.slice(at, mark < 0 ? text.length : mark));
		const consume = (end: number) => (end > at ? plainStep(text, at, end) : undefined);
		if (mark < 0) return consume(final ? text.length : text.length - (/`{1,2}$/.exec(text.slice(at))?.[0].length ?? 0));
		const newline = text.indexOf('\n', mark);
		const line = text.slice(mark, newline < 0 ? text.length : newline);
		const isEnd = this.#lineBefore(text, mark) === '' && FENCE_END.test(line);
		if (isEnd && newline < 0 && !final) return consume(mark);
		this.#inFence = false;
		this.#isCodeReliable = isEnd && !this.#isFenceEmpty;
		return plainStep(text, at, isEnd ? mark + line.length : mark);
	}

	/** Fences of tildes are not code on every platform. */
	#tildes(text: string, at: number, final: boolean): Step | undefined {
		if (!final && /^~{1,2}$/.test(text.slice(at, at + 3))) return undefined;
		if (text.startsWith('~~~', at)) this.#isCodeReliable = false;
		return plainStep(text, at, at + 1);
	}

	#backslash(text: string, at: number, final: boolean): Step | undefined {
		const next = text[at + 1];
		const isPair = next === '\\';
		const after = text[at + (isPair ? 2 : 1)];
		if (after === undefined && !final) return undefined;
		if (after === '`') this.#isCodeReliable = false;
		return plainStep(text, at, isPair || next === '`' ? at + 2 : at + 1);
	}

	/** Some platforms take a backtick for part of the address before it. */
	#followsAddress(text: string, at: number): boolean {
		const word = /(?<!\S)\S*$/.exec(this.#lineBefore(text, at))?.[0] ?? '';
		return word.includes('://') || word.length >= CONTEXT - 1;
	}

	/** Breaks a closing bracket that ends no link: it must not become one, nor define one. */
	#closingBracket(text: string, at: number, final: boolean): Step | undefined {
		const next = text[at + 1];
		if (next === undefined && !final) return undefined;
		const defines = next === ':' && /^[ \t>]*\[/.test(this.#lineBefore(text, at));
		return { consumed: 1, output: next === '(' || defines ? `]${BREAK}` : ']' };
	}
}

/** One decision about the text at a position: how much of it is consumed, and what is put out instead. */
type Step = { consumed: number; output: string };

const plainStep = (text: string, at: number, end: number): Step => ({
	consumed: end - at,
	output: text.slice(at, end),
});

/** Sanitizes a whole text. */
export const sanitizeMarkdown = (text: string): string => sanitizeWith(new MarkdownSanitizer(), text);

/** Sanitizes a whole text, its code included. */
const sanitizeStrictly = (text: string): string => sanitizeWith(new MarkdownSanitizer(false), text);

const sanitizeWith = (sanitizer: MarkdownSanitizer, text: string) => sanitizer.push(text) + sanitizer.end();

const cleaned = (text: string) => text.toWellFormed().replace(CONTROLS, '');

/** Consumes a code span that ends before `end`. Returns undefined when more text is needed to decide. */
function codeSpan(
	text: string,
	at: number,
	length: number,
	end: number,
	isComplete: boolean,
): Step | 'none' | undefined {
	const close = text.indexOf('`', at + length);
	if (close < 0 || close >= end) return isComplete ? 'none' : undefined;
	const closing = runLength(text, close);
	if (!isComplete && close + closing === text.length) return undefined;
	if (closing !== length) return 'none';
	const code = text.slice(at + length, close);
	const ticks = text.slice(at, at + length);
	// A bar may end a table's cell, and brackets may be a link: this is code on some platforms only.
	const safe = /\||\]\(/.test(code) ? sanitizeStrictly(code) : code;
	return { consumed: close + closing - at, output: ticks + safe + ticks };
}

function runLength(text: string, at: number): number {
	let end = at + 1;
	while (text[end] === '`') end++;
	return end - at;
}

/** The longest link, and the longest address before a bar, in UTF-16 units. */
const MAX_LINK = 1000;

const NAMES = ['everyone', 'here', 'channel'];
/** The text in a link's brackets. It may contain code spans, escapes and one level of brackets. */
const LABEL = /^\[(?:[^[\]`\\\n]|\\(?:\\(?!`)|[^\\\n])|`[^`\n]+`|\[[^[\]`\n]*\])*\]/;
/** Bounded: at most 1,000 characters, a link's. */
const TARGET = /^\(\s*(<(?![@#!])[^<>\n]*>|(?:[^\s()<>]|\([^\s()<>]*\))*)(?:\s+(?:"[^"\n]*"|'[^'\n]*'))?\s*\)/;

/** Breaks `@everyone` and its like. Returns undefined when more text is needed to decide. */
function sanitizeMention(text: string, at: number, final: boolean): Step | undefined {
	const word = text.slice(at + 1, at + 9).toLowerCase();
	const isOpen = !final && at + 1 + word.length === text.length;
	if (isOpen && NAMES.some((name) => name !== word && name.startsWith(word))) return undefined;
	return { consumed: 1, output: NAMES.some((name) => word.startsWith(name)) ? `@${BREAK}` : '@' };
}

/**
 * Breaks `<@1>`, `<#1>`, `<!here>` and `<https://evil|bank>`, which Slack shows as a link. Returns undefined when more text is needed to
 * decide. https://docs.slack.dev/messaging/formatting-message-text
 */
function sanitizeEntity(text: string, at: number, final: boolean): Step | undefined {
	const start = text.slice(at, at + MAX_LINK);
	const isOpen = !final && start.length < MAX_LINK && /^<(?:[a-z][\w+.-]*(?::[^\s<>|]*)?)?$/i.test(start);
	if (isOpen) return undefined;
	const isTooLong = start.length === MAX_LINK && /^<[a-z][^\s<>|]*$/i.test(start);
	const breaks = isTooLong || /^<(?:[@#!]|[a-z][\w+.-]*:[^\s<>|]*\|)/i.test(start);
	return { consumed: 1, output: breaks ? `<${BREAK}` : '<' };
}

/** Shows the address of a link whose text names another one. Returns undefined when more text is needed to decide. */
function sanitizeLink(text: string, at: number, final: boolean): Step | undefined {
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

	const words = sanitizeStrictly(label.slice(1, -1));
	const address = target[1]!.replace(/@(?=everyone|here|channel)/gi, '%40').replaceAll('`', '%60');
	const output = isSpoofedLink(words, address) ? `${words} (${address})` : `[${words}](${address})`;
	return { consumed: label.length + target[0].length, output };
}

/** Characters of a link's text that are invisible, or markup. */
const INVISIBLE = /[`*_~\\\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]/g;
/** The longest text of a link that is looked at, since normalizing makes some texts longer. */
const MAX_SHOWN = 2000;
/** Bounded: at most 2,000 characters. */
const ADDRESS = /(?:[a-z][a-z\d+.-]*:\/\/|www\.)[^\s/?#]+|(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?=[/:?#]|$)/giu;
/** File endings, which products are named after too. None is a top-level domain. */
const FILE_ENDING = /\.(?:js|mjs|cjs|ts|tsx|jsx|json|html?|css|txt|cpp|java|ya?ml|toml|xml|csv|pdf|png|jpe?g)$/i;

/** Tells whether a link's text looks like an address on another host than the one that the link goes to, or is too long to tell. */
function isSpoofedLink(label: string, target: string): boolean {
	const shown = label.normalize('NFKC').replace(INVISIBLE, '').trim();
	if (shown.length > MAX_SHOWN) return true;
	const host = hostOf(target.replace(/^<|>$/g, ''));
	return (shown.match(ADDRESS) ?? []).some((address) => !FILE_ENDING.test(address) && hostOf(address) !== host);
}

function hostOf(address: string): string | undefined {
	const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(address) ? address : `http://${address}`);
	return url?.hostname.replace(/^www\./, '');
}
