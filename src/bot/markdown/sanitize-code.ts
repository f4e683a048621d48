import { CONTEXT, type Step } from './sanitize-step.ts';

/** The longest code span that is recognized, in UTF-16 units. */
const MAX_CODE = 300;

const FENCE_START = /^```[\w+#.-]*[ \t]*\r?$/;
const FENCE_END = /^```[ \t]*\r?$/;

/** Returns the start of the line that a position is on, as far back as `CONTEXT` reaches. */
type LineBefore = (text: string, at: number) => string;

/**
 * Tracks which parts of a text are code on every platform: those may be left unchanged. Its methods return undefined when more text is
 * needed to decide.
 */
export class CodeTracker {
	readonly #lineBefore: LineBefore;
	readonly #sanitize: (text: string) => string;
	#inFence = false;
	/** Discord does not take an empty fence for one, and looks for its end further on. */
	#isFenceEmpty = true;
	/**
	 * So far every backtick is one of a pair on its line, or of a plain fence. After that, platforms differ in what they take for code,
	 * so nothing counts as code any more: it is better to break an address in code without need than to let a mention ping.
	 */
	#isReliable: boolean;

	/**
	 * @param isReliable false when nothing is to count as code
	 * @param sanitize sanitizes code that is code only on some platforms
	 */
	constructor(isReliable: boolean, lineBefore: LineBefore, sanitize: (text: string) => string) {
		this.#isReliable = isReliable;
		this.#lineBefore = lineBefore;
		this.#sanitize = sanitize;
	}

	get inFence(): boolean {
		return this.#inFence;
	}

	backticks(text: string, at: number, final: boolean): Step | undefined {
		const length = runLength(text, at);
		const plain = { consumed: length, output: text.slice(at, at + length) };
		if (!this.#isReliable) return plain;
		const newline = text.indexOf('\n', at + length);
		const isComplete = final || newline >= 0 || text.length - at > MAX_CODE;
		if (!isComplete && (length >= 3 || at + length === text.length)) return undefined;
		const end = Math.min(newline < 0 ? text.length : newline, at + MAX_CODE);
		if (length >= 3) return this.#startFence(text, at, end, newline) ?? plain;
		const span = this.#followsAddress(text, at) ? undefined : this.#codeSpan(text, at, length, end, isComplete);
		if (span === 'undecided') return undefined;
		if (!span) this.#isReliable = false;
		return span ?? plain;
	}

	/** Consumes the content of a fence, and its end. */
	fence(text: string, at: number, final: boolean): Step {
		const mark = text.indexOf('```', at);
		this.#isFenceEmpty &&= /^[\s`]*$/.test(text.slice(at, mark < 0 ? text.length : mark));
		if (mark < 0) {
			const kept = final ? 0 : (/`{1,2}$/.exec(text.slice(at))?.[0].length ?? 0);
			return { consumed: text.length - kept - at, output: text.slice(at, text.length - kept) };
		}
		const newline = text.indexOf('\n', mark);
		const line = text.slice(mark, newline < 0 ? text.length : newline);
		const isEnd = this.#lineBefore(text, mark) === '' && FENCE_END.test(line);
		if (isEnd && newline < 0 && !final) return { consumed: mark - at, output: text.slice(at, mark) };
		this.#inFence = false;
		this.#isReliable = isEnd && !this.#isFenceEmpty;
		const end = isEnd ? mark + line.length : mark;
		return { consumed: end - at, output: text.slice(at, end) };
	}

	/** Fences of tildes are not code on every platform. */
	tildes(text: string, at: number, final: boolean): Step | undefined {
		if (!final && /^~{1,2}$/.test(text.slice(at, at + 3))) return undefined;
		if (text.startsWith('~~~', at)) this.#isReliable = false;
		return { consumed: 1, output: '~' };
	}

	backslash(text: string, at: number, final: boolean): Step | undefined {
		const next = text[at + 1];
		const isPair = next === '\\';
		if (text[at + (isPair ? 2 : 1)] === undefined && !final) return undefined;
		if (next === '`' || (isPair && text[at + 2] === '`')) this.#isReliable = false;
		return isPair || next === '`' ? { consumed: 2, output: `\\${next}` } : { consumed: 1, output: '\\' };
	}

	#startFence(text: string, at: number, end: number, newline: number): Step | undefined {
		this.#inFence = newline >= 0 && this.#lineBefore(text, at) === '' && FENCE_START.test(text.slice(at, end));
		this.#isReliable = this.#inFence;
		this.#isFenceEmpty = true;
		return this.#inFence ? { consumed: newline + 1 - at, output: text.slice(at, newline + 1) } : undefined;
	}

	/** Some platforms take a backtick for part of the address before it. */
	#followsAddress(text: string, at: number): boolean {
		const word = /(?<!\S)\S*$/.exec(this.#lineBefore(text, at))?.[0] ?? '';
		return word.includes('://') || word.length >= CONTEXT - 1;
	}

	/** Consumes a code span that ends before `end`; returns undefined when there is none. */
	#codeSpan(
		text: string,
		at: number,
		length: number,
		end: number,
		isComplete: boolean,
	): Step | 'undecided' | undefined {
		const close = text.indexOf('`', at + length);
		if (close < 0 || close >= end) return isComplete ? undefined : 'undecided';
		const closing = runLength(text, close);
		if (!isComplete && close + closing === text.length) return 'undecided';
		if (closing !== length) return undefined;
		const code = text.slice(at + length, close);
		const ticks = text.slice(at, at + length);
		// A bar may end a table's cell, and brackets may be a link: this is code on some platforms only.
		const safe = /\||\]\(/.test(code) ? this.#sanitize(code) : code;
		return { consumed: close + closing - at, output: ticks + safe + ticks };
	}
}

function runLength(text: string, at: number): number {
	let end = at + 1;
	while (text[end] === '`') end++;
	return end - at;
}
