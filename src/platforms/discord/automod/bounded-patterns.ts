import { createContext, Script } from 'node:vm';
import { LRUCache } from 'lru-cache';

/** A part of a text: the index of its first UTF-16 unit, and the index after its last. */
export type TextSpan = readonly [start: number, end: number];

/** The longest prompt. Longer texts are cut. */
const MAX_TEXT = 2000;

/** How long the patterns of one rule may take together, in milliseconds. The whole process waits for them. */
const MAX_MS = 50;

/** After this many time-outs for one text, the remaining patterns are not tried. */
const MAX_TIMEOUTS = 2;

/** After this many time-outs a pattern is ignored for good. A single one may be due to a busy machine. */
const MAX_STRIKES = 3;

const MAX_MATCHES_PER_PATTERN = 50;
const MAX_REMEMBERED_PATTERNS = 5000;

/** Runs as a script because V8 enforces the time limit of scripts even within a regular expression. https://nodejs.org/api/vm.html */
const SCRIPT = new Script(`
	for (; at < patterns.length; at++) {
		let left = ${MAX_MATCHES_PER_PATTERN};
		for (const match of text.matchAll(new RegExp(patterns[at], 'giu'))) {
			spans.push([match.index, match.index + match[0].length]);
			if (--left === 0) break;
		}
	}
`);

/** Why a pattern is ignored. */
type Defect = 'not readable' | 'too slow';

/** Applies regular expressions of other people within a time limit, so that they cannot block the process. */
export class BoundedPatterns {
	/** How often each pattern timed out; `Infinity` for a pattern that is not readable. */
	readonly #strikes = new LRUCache<string, number>({ max: MAX_REMEMBERED_PATTERNS });
	readonly #onDefect: (why: Defect) => void;

	/** @param onDefect called once for each pattern that is ignored from then on */
	constructor(onDefect: (why: Defect) => void) {
		this.#onDefect = onDefect;
	}

	/** Returns what these patterns match in a text. Patterns that take too long are left out. */
	matches(patterns: readonly string[], text: string): TextSpan[] {
		const usable = patterns.filter((pattern) => this.#isUsable(pattern));
		if (usable.length === 0) return [];
		const sandbox = {
			at: 0,
			spans: [] as TextSpan[],
			patterns: usable.map(toJavaScript),
			text: text.slice(0, MAX_TEXT).toWellFormed(),
		};
		const context = createContext(sandbox);
		for (let timeouts = 0; timeouts < MAX_TIMEOUTS; timeouts++) {
			try {
				SCRIPT.runInContext(context, { timeout: MAX_MS });
				break;
			} catch (error) {
				if (!isTimeout(error)) throw error;
				const slow = usable[sandbox.at] ?? '';
				this.#strike(slow, (this.#strikes.get(slow) ?? 0) + 1, 'too slow');
				sandbox.at++;
			}
		}
		return sandbox.spans;
	}

	#isUsable(pattern: string): boolean {
		if (!this.#strikes.has(pattern) && !isReadable(pattern))
			this.#strike(pattern, Number.POSITIVE_INFINITY, 'not readable');
		return (this.#strikes.get(pattern) ?? 0) < MAX_STRIKES;
	}

	#strike(pattern: string, strikes: number, why: Defect): void {
		this.#strikes.set(pattern, strikes);
		if (strikes >= MAX_STRIKES) this.#onDefect(why);
	}
}

const isTimeout = (error: unknown) =>
	typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';

/**
 * Discord's patterns are written in Rust's syntax, and ignore case. Only what JavaScript spells differently is replaced; leading `i`
 * and `u` flags are on in any case.
 */
const toJavaScript = (pattern: string) => pattern.replace(/^\(\?[iu]+\)/, '').replaceAll('(?P<', '(?<');

/** Nested character classes have another meaning in JavaScript, which reports no error. */
const NESTED_CLASS = /\[(?:[^\]\\]|\\.)*?(?:\[|&&|--|~~)/su;

function isReadable(pattern: string): boolean {
	try {
		return Boolean(new RegExp(toJavaScript(pattern), 'iu')) && !NESTED_CLASS.test(pattern);
	} catch {
		return false;
	}
}
